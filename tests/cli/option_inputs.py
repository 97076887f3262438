"""Inputs of every command on which its options must show: what its arguments name, and values of its options."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from command import cranfield

from cranfield.cli import DECLARED

SYSTEMS = ("a", "b", "c", "d", "e", "f")
RUNS = tuple(f"{name}.run" for name in SYSTEMS)
POOL = ("g", "h", "i")
"""Runs that made the pool, beside those that are evaluated."""
TOPICS, DOCUMENTS, DEPTH = 18, 40, 24

COLUMNS = "topic=subject,document=item,score=points,label=gain"
"""Of the files whose columns have names of their own."""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "paths": ("qrels.txt", *RUNS),
    "qrels": ("qrels.txt",),
    "qrels...": ("one.qrels", "two.qrels", "three.qrels", "four.qrels"),
    "runs": RUNS,
    "run": ("a.run",),
    "old": ("a.run",),
    "new": ("c.run",),
    "scores": ("board.csv",),
    "files": ("board.csv",),
    "files...": ("first.csv", "second.csv"),
    "scores...": ("first.csv", "second.csv"),
    "verdicts": ("verdicts.tsv",),
    "cases": ("cases.jsonl",),
    "folder": ("out/suite",),
    "file": ("protocol.toml",),
    "name": (),
    "names": (),
    "command": ("evaluate",),
    "arguments": ("qrels.txt", "-m", "AP"),
}
"""Argument of a command, with ... where it takes several -> what is given."""

ARGUMENTS_OF: dict[tuple[str, str], tuple[str, ...]] = {
    ("protocol run", "arguments"): RUNS,
    ("pool settle", "runs"): ("a.run", "c.run"),
    ("pool estimate", "qrels"): ("sampled.prels",),
}
"""Command and argument -> what is given there."""
NEEDED: dict[str, tuple[tuple[str, str], ...]] = {
    "judges": tuple(("--run", name) for name in RUNS),
    "pool settle": (("--measure", "nDCG@10"),),
    "report": (("--output", "out/page.html"),),
    "audit study-tests": (("--trials", "4"), ("--n-topics", "6")),
    "pool budget": (("--budget", "4"), ("--budget", "8")),
    "pool estimate": (("--measure", "P@5"), ("--measure", "nDCG@5")),
    "fuse headroom": (("--permutations", "2"),),
    "information joint": (("--permutations", "2"),),
    "simulate scores": (("--n-topics", "6"),),
    "audit penalty": (("--harmful", "1"),),
}
"""Command -> options without which it does nothing."""

REQUIRED: dict[str, tuple[str, ...]] = {
    "original": ("--original", "a.run", "c.run"),
    "again": ("--again", "b.run", "d.run"),
    "output": ("--output", "out/made"),
    "n_topics": ("--n-topics", "4"),
    "n_systems": ("--n-systems", "2"),
}
"""Option that a command requires -> how it is given."""
FILES = {
    "topic_groups": "groups.tsv",
    "topic_clusters": "clusters.tsv",
    "topic_weights": "asked.tsv",
    "replicates": "seeds.tsv",
    "exclude": "few.qrels",
    "predicted": "two.qrels",
    "learn_from": "few.qrels",
    "judged": "two.qrels",
    "again_qrels": "two.qrels",
    "qrels": "two.qrels",
    "judges": "two.qrels",
    "teams": "teams.tsv",
    "entries": "entries.csv",
    "factors": "factors.json",
    "protocol": "protocol.toml",
    "intent_weights": "weights.tsv",
    "preferences": "preferences.tsv",
    "preference_files": "preferences.tsv",
    "reference_rankings": "a.run",
    "scores": "scores.csv",
    "score_files": "scores.csv",
    "documents": "docids.txt",
    "against": "against.json",
    "ease": "ease.tsv",
    "topics": "topics.tsv",
    "document_texts": "texts.tsv",
    "standard_errors": "errors.csv",
    "groups": "tasks.tsv",
    "add": "added.csv",
    "runs": "a.run",
    "systems": "answers.tsv",
    "output": "out/other",
    "statement": "out/statement.json",
    "also": "out/also.md",
    "truth": "out/truth.json",
    "fit": "out/fit.json",
    "participants": "out/sheets",
}
"""Option that names a file -> the file, by hand as each is of a form of its own; others follow from the metavar."""

OF_METAVARS: dict[str, tuple[str, ...]] = {
    "": ("mine",),
    "TEXT": ("mine",),
    "MEASURE": ("P@5", "AP", "nDCG@5"),
    "SYSTEM": ("c", "a", "b", "d", "e", "f"),
    "NAME": ("c", "two", "three", "t1", "mine"),
    "JUDGE": ("two", "three"),
    "TASK": ("t1",),
    "GROUP": ("two", "low"),
    "TEAM": ("A",),
    "TYPE": ("x",),
    "ID": ("3",),
    "TOPIC": ("3",),
    "QRELS": ("two.qrels", "few.qrels"),
    "RUN": ("a.run",),
}
"""What a text stands for, as its help says it -> values to try. An option with such a value needs no entry below."""
TEXTS: dict[str, tuple[str, ...]] = {
    "measure": ("P@5", "AP", "nDCG@5"),
    "measures": ("P@5", "AP"),
    "columns": ("topic=nowhere", COLUMNS),
    "labels": ("nonsense",),
    "memory": ("nonsense",),
    "executor": ("nonsense",),
    "no_topic_groups": ("groups.tsv",),
    "no_across_groups": ("holm",),
    "no_answer": ("d1", "d2"),
    "slices": ("nonsense",),
    "passages": ("#",),
    "hole_offset": ("-3,-2",),
    "baseline": ("c",),
    "reference": ("two", "c", "three"),
    "rel": ("2", "two=2"),
    "resample": ("topics", "clusters"),
    "given": ("AP",),
    "name": ("fused",),
    "group": ("two",),
    "cost": ("two=3", "5"),
    "start": ("c",),
    "reference_systems": ("c",),
    "scheme": ("z",),
    "same_model": ("two=c",),
    "second_reference": ("three",),
    "strata": ("5:0.5",),
    "means": ("0.4",),
    "schemes": ("z",),
    "title": ("Mine",),
    "track": ("mine",),
    "footer": ("ours",),
    "date": ("2020-02-02",),
    "sections": ("leaderboard", "systems"),
    "margin": ("0.2",),
    "topic": ("3",),
    "judge": ("one",),
    "criterion": ("nonsense", "other"),
    "not_tasks": ("t1",),
    "program": ("no-such-program",),
    "participant": ("one",),
    "run_type": ("x",),
    "repeats": ("first", "last", "both"),
    "larger_is_better": ("latency", "scores", "t1"),
    "smaller_is_better": ("latency", "scores", "nDCG@10", "t1"),
}
"""Option whose value is a text -> values to try, by hand where these inputs show it at other words than those above.

The words of others follow from their metavars.
"""

REPEATED = {
    "contributors": tuple(f"{name}.run" for name in POOL),
    "tasks": tuple(f"t{number}" for number in range(1, 8)),
}
"""Option that says something where it is repeated -> its values."""

NUMBERS: dict[str, tuple[str, ...]] = {
    "level": ("0.8", "2"),
    "effects": ("0.2",),
    "draws": ("200", "2"),
    "limit": ("1",),
    "top": ("1",),
    "rel": ("2",),
    "hole_offset": ("-3",),
    "permutations": ("3",),
    "resamples": ("77", "5"),
    "trials": ("30",),
    "subsets": ("20",),
    "tolerance": ("0.9",),
    "margin": ("0.2",),
    "cutoff": ("5",),
    "depth": ("5",),
    "largest": ("5",),
    "budgets": ("3", "30"),
    "weights": ("0.5",),
    "tau_tolerance": ("0.2",),
    "difference": ("0.1",),
    "families": ("0.25",),
    "min_tasks": ("16", "17"),
    "prior": ("0.7", "50"),
    "smoothing": ("0.7", "50"),
}
"""Option that shows on these inputs at some numbers alone, or is to be refused at one -> values to try, by hand.

Those for the others follow from their ranges, see ``find_numbers``.
"""
USUAL = {"integer": ("3", "5", "9"), "float": ("0.3", "0.7")}


def find_numbers(name: str, kind: str) -> tuple[str, ...]:
    """Find values of a number that its declarations allow: usual ones, or else those at the lower end and above it."""
    options = [one.every_option[name].option for one in DECLARED.values() if name in one.every_option]
    lows = {option.low for option in options if option.low is not None and not option.open}
    ends = [f"{value:g}" for low in sorted(lows) for value in (low, low + 1, 2 * low + 20)]
    inside = [value for value in USUAL[kind] if not options or any(is_allowed(float(value), one) for one in options)]
    return tuple(inside) or tuple(dict.fromkeys(ends))


def is_allowed(value: float, option: Any) -> bool:
    """Whether a number is in the range that an option declares."""
    low, high = (-np.inf if option.low is None else option.low), (np.inf if option.high is None else option.high)
    return bool(low < value < high if option.open else low <= value <= high)


MORE_TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "evaluate": (
        ("--by-topic", "--output", "out/scores.parquet"),
        ("--by-topic", "--output", "out/scores/", "--dataset"),
    ),
}
"""Tables that several options choose together."""
LAZY = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "mean": 0.5}), flush=True)
"""
"""A program that answers every case of the conformance suite alike."""
CONDITIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "missing_scores": (("--missing", "skip"),),
    "discount": (("--measure", "nDCG@8"),),
    "seed": (("--resamples", "20"), ("--resamples", "20", "--alpha", "0.3")),
    "resamples": (("--alpha", "0.3"),),
    "margins": (("--measure", "P@5"),),
    "tolerance": (("--command", f"{sys.executable} lazy.py"),),
    "undefined": (("--tau-ties", "ternary"), ("--measure", "nDCG@8")),
    "negative": (("--measure", "nDCG@8"),),
    "teams": (tuple(word for name in POOL for word in ("--contributors", f"{name}.run")),),
    "run_type": (("--teams", "teams.tsv"),),
    "topic_clusters": (("--alpha", "0.3"),),
    "cannot_tell": (("--alpha", "0.0000001"),),
}
"""Option that speaks of what most inputs do not have -> what makes them have it."""
PROTOCOL = (
    "protocol",
    "init",
    "-o",
    "protocol.toml",
    "evaluate",
    "few.qrels",
    "-m",
    "AP",
    "--ties",
    "docid",
    "--names",
    "tag",
)
"""The call that writes the protocol."""


def write_inputs(folder: Path) -> dict[str, Path]:
    """Write inputs of the same names into folders: name of the variant -> its folder.

    ``plain`` is read without complaint. In the others, one thing of the files is odd: a run is broken, or has a
    document twice; columns have names of their own; judgments are of intents.
    """
    rng = np.random.default_rng(11)
    gains = rng.choice([-1, 0, 1, 2, 3], p=[0.2, 0.3, 0.25, 0.15, 0.1], size=(TOPICS, DOCUMENTS))
    made = {name: folder / name for name in ("plain", "broken", "twice", "named", "intents")}
    rankings = {name: _rank(rng, gains, number) for number, name in enumerate((*SYSTEMS, *POOL))}
    judged = rng.random((TOPICS, DOCUMENTS)) < 0.7
    gains[10] = np.minimum(gains[10], 0)  # a topic without a relevant document
    for name, where in made.items():
        (where / "out").mkdir(parents=True)
        rng = np.random.default_rng(12)
        _write_judgments(where, rng, gains, judged, intents=name == "intents")
        _write_rankings(where, rankings, named=name == "named")
        _write_others(where, rng)
        more = ("--columns", COLUMNS) if name == "named" else ()
        with contextlib.chdir(where):
            assert cranfield(*PROTOCOL, *more).status == 0
    _make_odd(made)
    return made


def _make_odd(made: dict[str, Path]) -> None:
    """Break runs, repeat a document in them, and leave out a score of a topic and one of a task; round scores."""
    for name in RUNS[2::3]:
        (made["broken"] / name).write_text("1 Q0 d1 1\n")
        text = (made["twice"] / name).read_text().splitlines()
        (made["twice"] / name).write_text("\n".join([*text, text[0]]) + "\n")
    for name, row in (("scores.csv", "4"), ("board.csv", "b")):
        table = made["twice"] / name
        table.write_text(re.sub(rf"(?m)^({row},[^,]*),[^,]*,", r"\1,,", table.read_text()))
    scores = made["intents"] / "scores.csv"
    scores.write_text(re.sub(r"(0\.\d)\d+", r"\1", scores.read_text()))


def _rank(rng: np.random.Generator, gains: np.ndarray, number: int) -> list[tuple[int, list[tuple[str, float]]]]:
    """Rank documents: equal scores, a passage, the topic's own document, and a topic without a ranking."""
    ranking = []
    for topic in range(1, TOPICS + 1 - (number == 2)):
        noisy = gains[topic - 1] + rng.normal(0, 1.0 + 0.35 * number, DOCUMENTS)
        order = np.argsort(-noisy)[:DEPTH]
        documents = [f"d{document}" for document in order]
        documents[2] += "#2"
        documents.insert(1 + number % 2, str(topic))
        scores = [float(np.round(8 - rank / 3 + (rank % 2) * 1e-9, 9)) for rank in range(len(documents))]
        scores = [float(np.floor(2 * score) / 2 + (rank % 3) * 1e-9) for rank, score in enumerate(scores)]
        ranking.append((topic, list(zip(documents, scores, strict=True))))
    return ranking


def _write_rankings(
    where: Path, rankings: dict[str, list[tuple[int, list[tuple[str, float]]]]], *, named: bool
) -> None:
    rng = np.random.default_rng(13)
    for name, ranking in rankings.items():
        rows = []
        for topic, documents in ranking:
            ranks = rng.permutation(len(documents)) + 1
            for at in rng.permutation(len(documents)):
                document, score = documents[at]
                rows.append((topic, document, ranks[at], f"{score:.9f}"))
        tag = "tag-e" if where.name == "intents" and name == "f" else f"tag-{name}"
        if where.name == "intents":
            rows = rows[1:] + rows[:1]  # the rows of a topic are not together
        if named:
            text = "subject\titem\tpoints\n" + "".join(f"{t}\t{d}\t{s}\n" for t, d, _, s in rows)
        else:
            text = "".join(f"{t} Q0 {d} {r} {s} {tag}\n" for t, d, r, s in rows)
        (where / f"{name}.run").write_text(text)


def _write_judgments(
    where: Path, rng: np.random.Generator, gains: np.ndarray, judged: np.ndarray, *, intents: bool
) -> None:
    every = [(topic, document) for topic in range(TOPICS) for document in range(DOCUMENTS)]
    rows = [(t + 1, f"d{d}", int(gains[t, d])) for t, d in every if judged[t, d]]
    more = [(t, name, label) for t in range(1, TOPICS + 1) for name, label in (("d39x", 0), (str(t), int(t != 11)))]
    files = {"qrels": [*rows, *more], "few": rows[::5]}
    for name, noise in (("one", 0.2), ("two", 0.5), ("three", 0.8), ("four", 0.6)):
        changed = [(t, d, gain if t == 11 or rng.random() > noise else int(rng.integers(0, 4))) for t, d, gain in rows]
        files[name] = [row for row in changed if name != "three" or rng.random() < 0.9]
    for name, labels in files.items():
        if where.name == "named":
            text = "subject\titem\tgain\n" + "".join(f"{t}\t{d}\t{label}\n" for t, d, label in labels)
        else:
            numbers = [1 + at % 3 if intents and name == "qrels" else 0 for at in range(len(labels))]
            text = "".join(f"{t} {n} {d} {label}\n" for n, (t, d, label) in zip(numbers, labels, strict=True))
        (where / f"{name}.{'txt' if name == 'qrels' else 'qrels'}").write_text(text)
    _write_sample(where, gains)


def _write_sample(where: Path, gains: np.ndarray) -> None:
    """Prels in which a third of all documents were sampled, some of them as the passages that rankings hold."""
    rng = np.random.default_rng(14)
    names = [*(f"d{d}" for d in range(DOCUMENTS)), *(f"d{d}#2" for d in range(DOCUMENTS))]
    rows = []
    for topic in range(TOPICS):
        for at, name in enumerate([*names, str(topic + 1)]):
            label = max(int(gains[topic, at % DOCUMENTS]), 0) if rng.random() < 0.3 else -1
            rows.append(f"{topic + 1} 0 {name} {1 + at % 2} {label}\n")
    (where / "sampled.prels").write_text("".join(rows))


def _write_others(where: Path, rng: np.random.Generator) -> None:
    topics = range(1, TOPICS + 1)
    texts = {
        "groups.tsv": "".join(f"{t}\t{'low' if t < 10 else 'high'}\n" for t in topics),
        "clusters.tsv": "".join(f"{t}\tc{t // 2 if t > 3 else 1}\n" for t in topics),
        "asked.tsv": "".join(f"{t}\t{1 + 7 * t % 11}\n" for t in topics),
        "seeds.tsv": "".join(f"{name}\t{'AB'[at // 3]}\n" for at, name in enumerate(SYSTEMS)),
        "teams.tsv": "run\tteam\ttype\n"
        + "".join(f"{name}\t{'ABC'[at // 3]}\t{'xy'[at % 2]}\n" for at, name in enumerate((*SYSTEMS, *POOL))),
        "entries.csv": "run,team\n" + "".join(f"{name},{'ABC'[at // 3]}\n" for at, name in enumerate(SYSTEMS)),
        "weights.tsv": "".join(f"{t} {i} {p}\n" for t in topics for i, p in ((1, 0.9), (2, 0.2), (3, 0.1))),
        "preferences.tsv": "".join(f"{t} d{n} d{n + 1}\n" for t in topics for n in range(0, 30, 2)),
        "docids.txt": "".join(f"d{n}\n" for n in range(DOCUMENTS)),
        "lazy.py": LAZY,
        "ease.tsv": "topic\tease\n" + "".join(f"{t}\t{rng.random():.3f}\n" for t in topics),
        "texts.tsv": "".join(f"d{number}\ta text\n" for number in range(DOCUMENTS)),
        "topics.tsv": "".join(f"{t}\twhat is {t}\n" for t in topics),
        "answers.tsv": "".join(f"{name}\t{'ABC'[at // 3]}\n" for at, name in enumerate(SYSTEMS)),
    }
    texts |= _tables_of_scores(rng) | {"verdicts.tsv": _verdicts(11)}
    for name, text in texts.items():
        (where / name).write_text(text)
    case = json.loads((Path(__file__).parents[2] / "conformance/cases/precision-at-3--short-list.json").read_text())
    (where / "cases.jsonl").write_text("".join(f"{json.dumps({**case, 'id': name})}\n" for name in ("x", "y")))


def _tables_of_scores(rng: np.random.Generator) -> dict[str, str]:
    """Scores of topics with gaps, of two collections, and of a board with its groups and errors."""
    topics = range(1, TOPICS + 1)
    rows = [
        f"{name},{t},{measure},{min(1, 0.05 * number + rng.random() * 0.6):.3f}\n"
        for measure in ("AP", "P@5")
        for number, name in enumerate(SYSTEMS)
        for t in topics
    ]
    long = "system,topic,measure,value\n"
    wide = [[f"{0.1 * number + rng.random() * 0.4:.3f}" for number in range(6)] for _ in topics]
    tasks = [f"t{n}" for n in range(1, 17)]
    cells = [
        [name, *(f"{0.5 + 0.012 * number + 0.1 * rng.random():.3f}" for _ in tasks)]
        for number, name in enumerate(SYSTEMS)
    ]
    return {
        "scores.csv": "topic,"
        + ",".join(SYSTEMS)
        + "\n"
        + "".join(f"{t},{','.join(row)}\n" for t, row in zip(topics, wide, strict=True)),
        "first.csv": long + "".join(rows),
        "second.csv": long + "".join(rows[3:]),
        "board.csv": ",".join(["model", *tasks]) + "\n" + "".join(",".join(row) + "\n" for row in cells),
        "added.csv": ",".join(["model", *tasks]) + "\n" + ",".join(["new", *["0.57"] * len(tasks)]) + "\n",
        "errors.csv": ",".join(["model", *tasks])
        + "\n"
        + "".join(",".join([row[0], *["0.01"] * len(tasks)]) + "\n" for row in cells),
        "tasks.tsv": "task\ttype\n"
        + "".join(f"{task}\t{'one' if at < 3 else 'two'}\n" for at, task in enumerate(tasks)),
    }


def _verdicts(seed: int) -> str:
    """Verdicts of three judges on pairs in both orders, some often and some seldom: a is the best, and e the worst.

    The third judges a few topics: of three judges there are three pairs, which a limit can cut.
    """
    rng, rows = np.random.default_rng(seed), []
    judged = [(topic, judge) for topic in range(1, TOPICS + 1) for judge in ("one", "two")]
    judged += [(topic, "three") for topic in range(1, 4)]
    for (topic, judge), left, right in product(judged, "abcde", "abcde"):
        ahead = 0.03 * (ord(right) - ord(left)) * (judge == "one")
        for _ in range(0 if left == right else int(rng.choice([0, 1, 4]))):
            verdict = rng.choice(["left", "right", "tie"], p=[0.4 + ahead, 0.3 - ahead, 0.3])
            rows.append(f"{topic}\t{left}\t{right}\t{verdict}\t{rng.choice(['left', 'right'])}\t{judge}\n")
    return "topic\tleft\tright\tverdict\tother\tjudge\n" + "".join(rows)
