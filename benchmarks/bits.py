"""Prove that no number changes: a SHA-256 of the bits of what every analysis says of the shared collections.

`python benchmarks/bits.py --write before.txt` keeps one line for each table of numbers, and after a redesign
`python benchmarks/bits.py --against before.txt` prints the lines that differ. The exit status is 0 if none does, 1 if
one does or a call failed, 2 if the data are not there.

A hash covers the rows alone, as a multiset of (words of the row, name of the number, its bits): the order and layout of
rows, columns and settings may change. What is only renamed is entered in `RENAMED`; how commands are called stands in
`CALLS`.
"""

import argparse
import hashlib
import json
import os
import random
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyses import real_collections

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # more threads add up in another order

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / real_collections.DATA
SAMPLE = 6

RENAMED: Mapping[str, str] = {}
"""Names of columns, settings and measures as they are now -> as they were when the file was written."""


@dataclass(frozen=True)
class Collection:
    """Judgments and runs, seen from the data's folder.

    Args:
        qrels: a file.
        runs: a pattern.
        intents: whether measures of diversity are asked of it, in place of the others.
        options: of ``evaluate``.
        without: runs whose names begin like this are left out.
    """

    qrels: str
    runs: str
    intents: bool = False
    options: tuple[tuple[str, str], ...] = ()
    without: str = "\0"


BY_RANK = (("ties", "rank"),)
COLLECTIONS: Mapping[str, Collection] = {
    "covid": Collection("trec-covid-round5/qrels.covid-round5.txt.gz", "trec-covid-round5/runs/*.xz"),
    "dl19": Collection("trec-dl-2019-passage/qrels.dl19-passage.txt.gz", "trec-dl-2019-passage/runs/*"),
    "robust": Collection("trec-robust-2003/qrels.txt.gz", "trec-robust-2003/runs/*"),
    "web12": Collection("trec-web/2012/qrels.adhoc.txt.gz", "trec-web-2012-baseline-runs/*.gz"),
    "web12 diversity": Collection("trec-web/2012/qrels.diversity.txt.gz", "trec-web-2012-baseline-runs/*.gz", True),
    "web09 diversity": Collection(
        "trec-web/2009/qrels.diversity.gz", "trec-web-diversity-runs/*.gz", True, BY_RANK, "indri"
    ),
    "web10 diversity": Collection(
        "trec-web/2010/10.diversity-qrels.final.txt.gz", "trec-web-diversity-runs/*.gz", True, BY_RANK, "indri"
    ),
}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "": {},
    "bounds": {"bounds": True},
    "expected": {"ties": "expected"},
    "condensed": {"unjudged": "condense"},
}
"""Options of ``evaluate``; all but the first are asked of the collections that are small."""

BOUNDED = ("nDCG@10", "AP", "P@10", "R@100", "RBP", "bpref")
"""Measures with bounds; of others they would be looked for among too many labellings of whole lists."""

QRELS, RUNS, JUDGES, SCORES = "QRELS", "RUNS", "JUDGES", "SCORES"
TWO = ("-m", "AP", "-m", "nDCG@10")
CALLS: Mapping[str, Sequence[str]] = {
    "compare t": ("compare", QRELS, RUNS, "-m", "AP", "--test", "t"),
    "compare randomized-tukey": (
        "compare",
        QRELS,
        RUNS,
        "-m",
        "AP",
        "--test",
        "randomized-tukey",
        "--resamples",
        "500",
    ),
    "compare bootstrap": ("compare", QRELS, RUNS, "-m", "AP", "--test", "bootstrap", "--resamples", "500"),
    "compare permutation": ("compare", QRELS, RUNS, "-m", "AP", "--test", "permutation", "--resamples", "500"),
    "compare matrix": ("compare", "--scores", SCORES, "--test", "tukey"),
    "standardize E": ("standardize", QRELS, RUNS, *TWO, "--scheme", "E", "--by-topic"),
    "standardize N": ("standardize", QRELS, RUNS, *TWO, "--scheme", "N", "--by-topic"),
    "reliability": ("audit", "reliability", QRELS, RUNS, *TWO),
    "reliability components": ("audit", "reliability", QRELS, RUNS, *TWO, "--show", "components"),
    "reliability matrix": ("audit", "reliability", "--scores", SCORES),
    "stability": ("audit", "stability", QRELS, RUNS, *TWO, "--subsets", "50"),
    "sensitivity": ("audit", "sensitivity", QRELS, RUNS, *TWO, "--resamples", "200"),
    "select-topics": ("audit", "select-topics", QRELS, RUNS, "-m", "AP", "--n-topics", "5"),
    "information ric": ("information", "ric", QRELS, RUNS, "--by-topic"),
    "information tau": ("information", "tau", QRELS, RUNS, *TWO, "-m", "RR", "--resamples", "200"),
    "information difference": ("information", "difference", QRELS, RUNS),
    "information joint": ("information", "joint", QRELS, RUNS, "--permutations", "3"),
    "information select": ("information", "select", QRELS, RUNS, "--permutations", "3", "-n", "3"),
    "difficulty": ("difficulty", QRELS, RUNS, "--by-system", "--alternatives"),
    "audit": ("audit", QRELS, RUNS, *TWO, "--resamples", "200", "--subsets", "50"),
    "headroom": ("fuse", "headroom", QRELS, RUNS, "--permutations", "3"),
    "headroom pairs": ("fuse", "headroom", QRELS, RUNS, "--permutations", "0", "--pairs"),
    "agreement": ("judges", JUDGES, "-r", RUNS),
    "agreement labels": ("judges", JUDGES, "--show", "labels"),
    "agreement favour": ("judges", JUDGES, "-r", RUNS, "--show", "favour"),
    **{
        f"fuse {method}": ("fuse", RUNS, "--method", method)
        for method in ("rrf", "combsum", "combmnz", "condorcet", "rbc")
    },
}
"""Commands, of `CALLED`; seeds are their defaults."""

CALLED = "dl19"
JUDGED = ("trec-dl-2019-passage/qrels.dl19-passage.txt.gz", "llm-qrels-dl19-dl20/dl19/Thomas.qrel.gz")
MATRIX = "urbano/adhoc3.csv"
SMALL = ("dl19", "web12")

Row = tuple[tuple[str, ...], str, str]


def main() -> int:
    """Hash everything, and write or compare."""
    arguments = _arguments()
    if not DATA.is_dir():
        print(f"there are no real collections in {os.path.relpath(DATA)}", file=sys.stderr)
        return 2
    warnings.simplefilter("ignore")
    digests, failed = {}, 0
    for name, rows in _everything(arguments.seed):
        if isinstance(rows, Exception):
            failed += 1
            print(f"FAILED: {name}: {rows}", file=sys.stderr)
            digests[name] = "failed"
        else:
            digests[name] = _digest(rows)
        print(f"{digests[name]}  {name}", flush=True) if not arguments.against else None
    if arguments.write:
        arguments.write.write_text("".join(f"{digest}  {name}\n" for name, digest in digests.items()))
    different = _compared(digests, arguments.against) if arguments.against else 0
    return int(failed > 0 or different > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="FILE", type=Path, help="keep the hashes")
    parser.add_argument("--against", metavar="FILE", type=Path, help="print what differs from hashes that were kept")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the sample of runs, default: %(default)s")
    return parser.parse_args()


def _compared(digests: Mapping[str, str], path: Path) -> int:
    """Print what differs; how many lines do."""
    lines = (line.partition("  ") for line in path.read_text().splitlines())
    before = {name: digest for digest, _, name in lines}
    said = [f"differs: {name}" for name in digests if name in before and digests[name] != before[name]]
    said += [f"only before: {name}" for name in before if name not in digests]
    said += [f"only now: {name}" for name in digests if name not in before]
    print(*said, f"{len(said)} of {len({*digests, *before})} tables differ", sep="\n")
    return len(said)


def _digest(rows: Iterable[Row]) -> str:
    """Of the multiset, which has no order."""
    lines = sorted("\t".join((*words, name, bits)) for words, name, bits in rows)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _everything(seed: int) -> Iterator[tuple[str, list[Row] | Exception]]:
    for name, collection in COLLECTIONS.items():
        yield from _evaluated(name, collection, seed)
    with tempfile.TemporaryDirectory() as folder:
        for name, call in CALLS.items():
            try:
                yield name, _called(call, Path(folder) / "out", seed)
            except (Exception, SystemExit) as error:  # whatever it is, the others are hashed too
                yield name, error if isinstance(error, Exception) else RuntimeError(f"ended by {error!r}")


# ---- measures


def _evaluated(name: str, collection: Collection, seed: int) -> Iterator[tuple[str, list[Row] | Exception]]:
    """Values and summaries of all measures, table by table."""
    import cranfield

    runs = _sampled(collection, seed)
    for variant, options in VARIANTS.items():
        if variant and name not in SMALL:
            continue
        known = BOUNDED if "bounds" in options else _measures(collection.intents)
        measures = [measure for measure in known if _answers(measure, **options)]
        given = {**dict(collection.options), **options}
        try:
            scores = cranfield.evaluate(runs, str(DATA / collection.qrels), measures, **given)
            summaries = cranfield.summarize(scores)
        except Exception as error:  # as above
            yield f"evaluate {name} {variant}".rstrip(), error
            continue
        topics, systems = scores["topic"].to_numpy().tolist(), scores["system"].to_numpy().tolist()
        for measure, table in scores.data_vars.items():
            cells = table.transpose("topic", "system").to_numpy().tolist()
            rows = [
                ((topic, system), "value", _bits(value))
                for topic, line in zip(topics, cells, strict=True)
                for system, value in zip(systems, line, strict=True)
            ]
            rows += [((system,), "summary", _bits(value)) for system, value in summaries[measure].items()]
            yield " ".join(filter(None, ("evaluate", name, variant, _renamed(str(measure))))), rows


def _sampled(collection: Collection, seed: int) -> list[str]:
    paths = [path for path in sorted(DATA.glob(collection.runs)) if not path.name.startswith(collection.without)]
    chosen = random.Random(seed).sample(paths, min(SAMPLE, len(paths)))
    return sorted(map(str, chosen))


def _measures(intents: bool) -> list[str]:
    """All that are declared, with what each requires."""
    from cranfield.measures import registry
    from cranfield.measures.describe import example

    return [example(known) for known in registry.values() if known.needs_intents == intents]


def _answers(measure: str, **options: Any) -> bool:
    """Whether a measure has what the options ask for, which only some have."""
    import cranfield

    try:
        labels = {"q": {"1": {"a": 1, "b": 0}, "2": {"b": 1}}}
        cranfield.evaluate({"q": {"a": 1.0, "b": 1.0}}, labels, measure, **options)
    except cranfield.UsageError:
        return False
    return True


# ---- commands


def _called(call: Sequence[str], output: Path, seed: int) -> list[Row]:
    """What a command writes."""
    from cranfield.cli import app

    collection = COLLECTIONS[CALLED]
    runs, arguments = _sampled(collection, seed), []
    for word, before in zip(call, ("", *call), strict=False):
        if word == RUNS and before == "-r":
            arguments += [*runs[:1], *(part for run in runs[1:] for part in ("-r", run))]
        else:
            places = {QRELS: [str(DATA / collection.qrels)], RUNS: runs, SCORES: [str(DATA / MATRIX)]}
            arguments += {**places, JUDGES: [str(DATA / path) for path in JUDGED]}.get(word, [word])
    fused = call[0] == "fuse" and call[1] != "headroom"
    app([*arguments, *([] if fused else ["-f", "json"]), "-o", str(output)], "cranfield", standalone_mode=False)
    text = output.read_text()
    return list(_of_run(text) if fused else _of_json(text))


def _of_run(text: str) -> Iterator[Row]:
    for line in text.splitlines():
        topic, _, document, rank, score, _ = line.split()
        yield (topic, document, rank), "score", _bits(float(score))


def _of_json(text: str) -> Iterator[Row]:
    """Numbers of the rows; settings and signatures are left out."""
    for row in json.loads(text)["rows"]:
        numbers = {name: value for name, value in row.items() if value is None or type(value) in (int, float)}
        words = tuple(sorted(f"{_renamed(str(value))}" for name, value in row.items() if name not in numbers))
        for name, value in numbers.items():
            yield words, _renamed(name), _bits(value)


def _renamed(name: str) -> str:
    return RENAMED.get(name, name)


def _bits(value: float | None) -> str:
    return "none" if value is None else float(value).hex()


if __name__ == "__main__":
    sys.exit(main())
