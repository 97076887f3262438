"""From objects in memory to the means of nDCG@10 and AP, inside one process.

    python benchmarks/scoring/probe_memory.py ours|pytrec_eval|ir_measures dict|pandas|objects|polars|pyarrow

prints one line of JSON: CPU seconds from run and judgments to the means, the same with judgments prepared (where the
tool can), the cost of one topic x 10 documents after the first call, and the means, which must agree.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable
from typing import Any

DEPTH, JUDGED, SMALL = 1000, 30, 200
Nested = dict[str, dict[str, Any]]
Means = list[float]


def drawn(topics: int, depth: int) -> tuple[Nested, Nested]:
    """A run without ties, and judgments of which half are retrieved."""
    import numpy as np

    rng = np.random.default_rng(16)
    run: Nested = {}
    qrels: Nested = {}
    for topic in range(topics):
        ids = rng.choice(8_841_823, 2 * depth, replace=False).tolist()
        names = [f"doc{number:07d}" for number in ids]
        scores = np.sort(rng.choice(1 << 20, depth, replace=False) / 4096)[::-1].tolist()
        run[f"q{topic}"] = dict(zip(names[:depth], scores, strict=True))
        judged = rng.choice(2 * depth, min(JUDGED, depth), replace=False).tolist()
        labels = rng.integers(0, 4, len(judged)).tolist()
        qrels[f"q{topic}"] = {names[place]: label for place, label in zip(judged, labels, strict=True)}
        qrels[f"q{topic}"][names[0]] = 1
    return run, qrels


def held(run: Nested, shape: str) -> Any:
    """The run in the shape in which somebody holds it."""
    if shape == "dict":
        return run
    rows = [(topic, document, score) for topic, row in run.items() for document, score in row.items()]
    columns = dict(zip(("query_id", "doc_id", "score"), map(list, zip(*rows, strict=True)), strict=True))
    if shape == "polars":
        import polars

        return polars.DataFrame(columns)
    if shape == "pyarrow":
        import pyarrow

        return pyarrow.table(columns)
    import pandas

    frame = pandas.DataFrame(columns)
    return frame.astype({"query_id": object, "doc_id": object}) if shape == "objects" else frame


def ours(qrels: Nested) -> tuple[Callable[[Any], Means], Callable[[Any], Means]]:
    """Judgments as they are, and prepared."""
    import cranfield

    prepared = cranfield.Qrels.from_dict(qrels)

    def means(run: Any, judgments: Any) -> Means:
        return list(cranfield.evaluate_means(run, judgments, ["nDCG@10", "AP"])["run"].values())

    return lambda run: means(run, qrels), lambda run: means(run, prepared)


def pytrec_eval(qrels: Nested) -> tuple[Callable[[Any], Means], Callable[[Any], Means]]:
    """The same by pytrec_eval, which takes dicts alone."""
    from pytrec_eval import RelevanceEvaluator

    names = ("ndcg_cut_10", "map")
    prepared = RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"})

    def means(run: Any, evaluator: RelevanceEvaluator) -> Means:
        found = evaluator.evaluate(run).values()
        return [sum(row[name] for row in found) / len(found) for name in names]

    return lambda run: means(run, RelevanceEvaluator(qrels, {"ndcg_cut.10", "map"})), lambda run: means(run, prepared)


def ir_measures(qrels: Nested) -> tuple[Callable[[Any], Means], Callable[[Any], Means]]:
    """The same by ir_measures."""
    from ir_measures import AP, calc_aggregate, evaluator, nDCG

    asked = [nDCG @ 10, AP]
    prepared = evaluator(asked, qrels)

    def means(found: Any) -> Means:
        return [float(found[measure]) for measure in asked]

    return lambda run: means(calc_aggregate(asked, qrels, run)), lambda run: means(prepared.calc_aggregate(run))


TOOLS = {"ours": ours, "pytrec_eval": pytrec_eval, "ir_measures": ir_measures}


def cost(call: Callable[[Any], Means], run: Any, times: int = 1) -> tuple[float, Means]:
    """CPU seconds of a call, after a first one."""
    before = time.process_time()
    for _ in range(times):
        means = call(run)
    return (time.process_time() - before) / times, means


def main() -> None:
    """Draw, warm up on one topic, and measure once."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("shape", choices=("dict", "pandas", "objects", "polars", "pyarrow"))
    parser.add_argument("--topics", type=int, default=200)
    arguments = parser.parse_args()
    run, qrels = drawn(1, 10)
    small = held(run, arguments.shape)
    plain, prepared = TOOLS[arguments.tool](qrels)
    plain(small), prepared(small)
    costs = {"small": cost(plain, small, SMALL)[0], "small, prepared": cost(prepared, small, SMALL)[0]}
    run, qrels = drawn(arguments.topics, DEPTH)
    large = held(run, arguments.shape)
    plain, prepared = TOOLS[arguments.tool](qrels)
    costs["whole"], means = cost(plain, large)
    costs["prepared"], _ = cost(prepared, large)
    print(json.dumps({**costs, "means": means}))


if __name__ == "__main__":
    main()
