"""The nine measures of ndeval inside one process: what judgments cost to prepare, and what runs cost after reading.

    python benchmarks/scoring/probe_diversity.py ours|pyndeval --runs 100 --depth 20

prints one line of JSON: CPU seconds to prepare, to look documents up (ours, which does it while reading; pyndeval does
it while it evaluates) and to evaluate, and the mean of every measure, which must agree. The
collection is drawn by seed like that of the Web Track 2009: 50 topics, up to 6 intents, about 130 relevant
(intent, document) pairs among 560 judged documents of a topic.
"""

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

from cranfield.collection import Policy

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

TOPICS, POOL, INTENTS, RELEVANT = 50, 560, 6, 130
MEASURES = [f"{name}@20" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec")]
MEASURES += ["NRBP", "nNRBP", "MAP-IA"]

Judgments = dict[str, dict[str, dict[str, int]]]
Runs = dict[str, dict[str, dict[str, float]]]


def drawn(topics: int, runs: int, depth: int) -> tuple[Judgments, Runs]:
    """Judgments by intent, and runs in which better documents are somewhat earlier."""
    import numpy as np

    rng = np.random.default_rng(2010)
    judgments: Judgments = {}
    found: Runs = {f"run{number:03d}": {} for number in range(runs)}
    for topic in map(str, range(1, topics + 1)):
        names = [f"clueweb09-en{rng.integers(10**12):012d}" for _ in range(max(POOL, 2 * depth))]
        share = rng.dirichlet(np.ones(INTENTS)) * RELEVANT / POOL
        labels = rng.random((INTENTS, POOL)) < share[:, None]
        judgments[topic] = {
            str(intent + 1): {name: int(label) for name, label in zip(names, row, strict=False)}
            for intent, row in enumerate(labels)
        }
        quality = np.zeros(len(names))
        quality[:POOL] = 1 + labels.any(axis=0)
        for ranked in found.values():
            best = np.argsort(-quality - rng.gumbel(size=len(names)))[:depth]
            ranked[topic] = {names[row]: float(depth - rank) for rank, row in enumerate(best)}
    return judgments, found


Steps = tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any], list[float]]]


def ours(judgments: Judgments, runs: Runs) -> Steps:
    """Prepare: judgments and their ideal lists. Look up: judged ranks. Evaluate: all runs and topics together."""
    import cranfield
    from cranfield import Qrels, Run, parse_measure
    from cranfield.collection import Rankings
    from cranfield.measures import values

    read = [Run.from_dict(run, name=name) for name, run in runs.items()]
    policy = Policy(ties="docid", compat="ndeval")

    def prepare() -> Qrels:
        qrels = Qrels.from_dict(judgments)
        evaluate(Rankings.of_pool(qrels.pool, policy))  # as ``evaluate`` does before it looks at a run
        return qrels

    def look_up(qrels: Qrels) -> Rankings:
        return Rankings.concatenate(
            [cranfield.evaluation.make_rankings(run, qrels, **policy.as_dict()) for run in read]
        )

    def evaluate(rankings: Rankings) -> list[float]:
        return [float(values(parse_measure(name), rankings).mean()) for name in MEASURES]

    return prepare, look_up, evaluate


def pyndeval(judgments: Judgments, runs: Runs) -> Steps:
    """Prepare: an evaluator, which draws up the ideal lists. Evaluate: one run after the other."""
    from pyndeval import RelevanceEvaluator

    rows = [(t, i, d, label) for t, row in judgments.items() for i, pool in row.items() for d, label in pool.items()]
    read = [[(t, d, value) for t, ranked in run.items() for d, value in ranked.items()] for run in runs.values()]

    def evaluate(evaluator: RelevanceEvaluator) -> list[float]:
        found = [row for run in read for row in evaluator.evaluate(run).values()]
        return [sum(row[name] for row in found) / len(found) for name in MEASURES]

    return lambda: RelevanceEvaluator(rows, measures=MEASURES), lambda evaluator: evaluator, evaluate


def main() -> None:
    """Draw, warm up on a little of it, and measure once."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", choices=("ours", "pyndeval"))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--depth", type=int, default=20)
    arguments = parser.parse_args()
    tool = ours if arguments.tool == "ours" else pyndeval
    prepare, look_up, evaluate = tool(*drawn(2, 1, min(arguments.depth, 20)))
    evaluate(look_up(prepare()))
    prepare, look_up, evaluate = tool(*drawn(TOPICS, arguments.runs, arguments.depth))
    times = [time.process_time()]
    prepared = prepare()
    times.append(time.process_time())
    seen = look_up(prepared)
    times.append(time.process_time())
    means = evaluate(seen)
    times.append(time.process_time())
    steps = {name: times[step + 1] - times[step] for step, name in enumerate(("prepare", "look up", "evaluate"))}
    print(json.dumps({**steps, "means": means}))


if __name__ == "__main__":
    main()
