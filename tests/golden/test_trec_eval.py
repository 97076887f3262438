"""trec_eval 10.0, every topic and summary, at relevance levels 1 and 2."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from cranfield import parse_measure
from cranfield.collection import Policy
from cranfield.errors import MeasureError
from cranfield.scoring import Evaluation, score
from data_sets import DATA, GOLDEN, REAL_GOLDEN, Tally, rows

CHANGED_BY_NEGATIVE_LABELS = {"bpref", "num_nonrel_judged_ret", "unj_5", "unj_10", "unj_20"}
"""Without ``compat`` a document with a negative label is judged; these are the measures that look at that."""


class Golden(NamedTuple):
    expected: Path
    runs: dict[str, Path]
    """Name in the golden table -> file."""
    qrels: Path
    values: int
    """How many values the table holds for measures that we have."""


EDGE = Golden(
    GOLDEN / "trec_eval10-edge/expected.tsv",
    {name: GOLDEN / f"trec_eval10-edge/{name}.run" for name in ("full", "missing", "short", "tied")},
    GOLDEN / "trec_eval10-edge/edge.qrels",
    7_000,
)
ROBUST = Golden(
    REAL_GOLDEN / "trec_eval10-robust2003.tsv.gz",
    {
        f"input.{tag}.gz": DATA / f"trec-robust-2003/runs/input.{tag}.gz"
        for tag in ("NLPR03vb10", "SABIR03BASE", "humR03dc", "rutcor03100", "uic0301", "uwmtCR0")
    },
    DATA / "trec-robust-2003/qrels.txt.gz",
    83_000,
)
WEB = Golden(
    REAL_GOLDEN / "trec_eval10-web2012-baselines.tsv.gz",
    {
        f"{model}-cat{part}{end}.run.gz": DATA / f"trec-web-2012-baseline-runs/{model}-cat{part}{end}.run.gz"
        for model in ("ql", "rm")
        for part in "ab"
        for end in ("", "-filtered")
    },
    DATA / "trec-web/2012/qrels.adhoc.txt.gz",
    56_000,
)
NEEDED_OF_ROBUST = pytest.mark.data("golden/trec_eval10-robust2003.tsv.gz", "data/trec-robust-2003")
NEEDED_OF_WEB = pytest.mark.data(
    "golden/trec_eval10-web2012-baselines.tsv.gz", "data/trec-web-2012-baseline-runs", "data/trec-web"
)
SETS = [
    pytest.param(EDGE, id="edge"),
    pytest.param(ROBUST, id="robust2003", marks=NEEDED_OF_ROBUST),
    pytest.param(WEB, id="web2012", marks=NEEDED_OF_WEB),
]

Value = tuple[tuple[int, str, str, str], float]
"""((level, run, topic, measure), value)"""


def known(names: set[str]) -> set[str]:
    """The names that our parser reads as one measure."""
    found = set()
    for name in names:
        try:
            parse_measure(name)
        except MeasureError:
            continue
        found.add(name)
    return found


def values_of(golden: Golden, ours: set[str]) -> list[Value]:
    return [
        ((int(row["rel_level"]), row["run"], row["topic"], row["measure"]), float(row["value"]))
        for row in rows(golden.expected)
        if row["measure"] in ours
    ]


def computed(golden: Golden, ours: set[str], policy: Policy) -> dict[tuple[int, str, str, str], float]:
    """The same cells from our scores."""
    names = sorted(ours)
    measures = [parse_measure(name) for name in names]
    distinct = list(dict.fromkeys(measures))
    """Two spellings may be one measure: Rprec and Rprec_mult_1.00."""
    found: dict[tuple[int, str, str, str], float] = {}
    for level in (1, 2):
        runs = [str(path) for path in golden.runs.values()]
        table: Evaluation = score(runs, str(golden.qrels), measures, **policy.as_dict(), rel=level)
        assert len(table.measures) == len(distinct)
        for run_number, run in enumerate(golden.runs):
            for name, measure in zip(names, measures, strict=True):
                number = distinct.index(measure)
                found[level, run, "all", name] = table.summaries[number, run_number]
                for topic, value in zip(table.topics, table.values[number, :, run_number], strict=True):
                    found[level, run, topic, name] = value
    return found


@pytest.mark.parametrize("golden", SETS)
def test_every_value_agrees(golden: Golden) -> None:
    names = {row["measure"] for row in rows(golden.expected)}
    ours = known(names)
    assert names == ours, "trec_eval prints what we do not compute"
    found = computed(golden, ours, Policy(compat="trec_eval"))
    tally = Tally()
    for where, theirs in values_of(golden, ours):
        tally.add(where, found[where], theirs)
    tally.check(golden.values)


@pytest.mark.slow
@pytest.mark.parametrize("golden", SETS)
def test_negative_labels_matter_to_few_measures(golden: Golden) -> None:
    ours = known({row["measure"] for row in rows(golden.expected)}) - CHANGED_BY_NEGATIVE_LABELS
    found = computed(golden, ours, Policy())
    tally = Tally()
    for where, theirs in values_of(golden, ours):
        level, _, topic, name = where
        if (level, topic, name) == (2, "all", "num_rel"):
            continue  # trec_eval's summary ignores -l here, which only compat="trec_eval" repeats
        tally.add(where, found[where], theirs)
    tally.check(golden.values * 9 // 10)


def test_negative_labels_do_matter_to_those() -> None:
    found = computed(EDGE, CHANGED_BY_NEGATIVE_LABELS, Policy())
    wanted = values_of(EDGE, CHANGED_BY_NEGATIVE_LABELS)
    differ = {where[3] for where, theirs in wanted if abs(found[where] - theirs) > 1e-3}
    assert differ == CHANGED_BY_NEGATIVE_LABELS


def test_summary_of_relevant_documents_ignores_the_level_as_theirs_does() -> None:
    wanted = dict(values_of(EDGE, {"num_rel"}))
    theirs = wanted[2, "full", "all", "num_rel"]
    assert theirs == wanted[1, "full", "all", "num_rel"]
    table = score(str(EDGE.runs["full"]), str(EDGE.qrels), "NumRel", rel=2)
    assert table.summaries[0, 0] == table.values[0].sum() < theirs
