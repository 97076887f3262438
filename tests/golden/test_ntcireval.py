"""NTCIREVAL 190111's ad hoc measures: all of its settings on generated data, and its sample with printed digits."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from cranfield import InputOptions, Qrels, Run, parse_measure
from cranfield.scoring import Evaluation, score
from data_sets import GOLDEN, REAL_GOLDEN, Tally, rows

FOLDER = GOLDEN / "ntcireval-generated"
RUNS = ("adhA", "adhB", "adhC")
CUTOFFS = (5, 10, 20, 1000)
LEVELS = "{1:1,2:2,3:3,4:4}"
"""NTCIREVAL's -gap weighs users by level, not alike."""


def measures(gains: str = "", top: int = 4, beta: str = "", gamma: str = "", p: str = "0.95", b: str = "") -> Table:
    """NTCIREVAL's name -> ours, for one setting; ``beta``, ``gamma`` and ``b`` only where they are not the defaults."""
    blend = beta + gains
    at_cutoffs = {
        "AP": 'AP(denominator="min")',
        "Q": f"Q({blend})",
        "GAP": f"GAP(thresholds={LEVELS})",
        "nDCG": f'nDCG(discount="jk"{b}{gains})',
        "MSnDCG": f"nDCG({gains})",
        "P": "P",
        "RBP": f"RBP(p={p}{gains},max_rel={top})",
        "ERR": f'ERR(stop="linear"{gains},max_rel={top})',
        "nERR": f'nERR(stop="linear"{gains},max_rel={top})',
        "EBR": f"EBR({blend},max_rel={top})",
        "iRBU": f"iRBU(p=0.9{gains},max_rel={top})",
        "Hit": "Success",
    }
    whole = {
        "RR": "RR",
        "O-measure": f"O-measure({blend})",
        "P-measure": f"P-measure({blend})",
        "P-plus": f"P-plus({blend})",
        "Q-measure": f"Q({blend})",
        "NCUgu,P": f'NCU(utility="P"{gains})',
        "NCUgu,BR": f"NCU({blend})",
        "NCUrb,P": f'NCU(stopping="rank-biased",utility="P"{gamma}{gains})',
        "NCUrb,BR": f'NCU(stopping="rank-biased"{gamma}{blend})',
        "bpref": "Bpref",
        "bpref_R": "bpref_R",
        "bpref_N": "bpref_N",
        "bpref_relative": "bpref_relative",
        "rpref_N": f"rpref_N({gains},max_rel={top})",
        "rpref_relative": f"rpref_relative({gains})",
        "rpref_relative2": f"rpref_relative2({gains})",
        **{name: at_cutoffs[name] for name in ("AP", "GAP", "RBP", "ERR", "EBR")},
    }
    table = whole | {f"{name}@{cutoff}": f"{ours}@{cutoff}" for name, ours in at_cutoffs.items() for cutoff in CUTOFFS}
    return {name: re.sub(r"\(,", "(", ours).replace("()", "") for name, ours in table.items()}


Table = dict[str, str]

PLAIN = measures()
OTHER = measures(beta=",beta=0.5", gamma=",gamma=0.8", p="0.8", b=",b=4")
EXPONENTIAL = measures(gains=",gains={1:1,2:3,3:7,4:15}", top=15)
STOPS = {"NCUgu,P": f'NCU(utility="P",stops={LEVELS})', "NCUgu,BR": f"NCU(beta=0.5,stops={LEVELS})"}

SETTINGS = {
    "g1234": PLAIN,
    "g1234-rbu": PLAIN,
    "g1234-logb4-beta.5-gamma.8-rbp.8-s1234": OTHER | STOPS,
    "g13715": EXPONENTIAL,
}
"""Setting -> (NTCIREVAL's name -> our measure); ``|j`` after a setting is a condensed list."""


def qrels(path: Path) -> Qrels:
    """Lines ``topic document L2``, or ``document L2`` of the only topic."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for line in path.read_text().splitlines():
        *topic, document, level = line.split()
        found[topic[0] if topic else "sample"][document] = float(level.removeprefix("L"))
    return Qrels.from_dict(found)


def cells(table: Evaluation) -> Iterator[tuple[tuple[str, str, str], float]]:
    for measure, by_topic in zip(table.measures, table.values, strict=True):
        for topic, by_run in zip(table.topics, by_topic, strict=True):
            for run, value in zip(table.systems, by_run, strict=True):
                yield (str(measure), run, topic), float(value)


def test_every_value_of_every_setting_agrees() -> None:
    judged = qrels(FOLDER / "adhoc.qrels")
    found = {}
    for condensed in ("zero", "condense"):
        reading = InputOptions(ties="file", unjudged=condensed)  # type: ignore[arg-type]
        names = sorted({ours for table in SETTINGS.values() for ours in table.values()})
        for where, value in cells(score([str(FOLDER / f"{run}.run") for run in RUNS], judged, names, reading=reading)):
            found[condensed, *where] = value
    names_of = {ours: str(parse_measure(ours)) for table in SETTINGS.values() for ours in table.values()}
    tally, compared = Tally(), Counter[str]()
    for row in rows(FOLDER / "expected.adhoc.tsv.gz"):
        setting, _, j = row["setting"].partition("|")
        ours = SETTINGS[setting][row["measure"]]
        where = ("condense" if j else "zero", names_of[ours], row["run"], row["topic"])
        tally.add((row["setting"], row["measure"], *where), found[where], float(row["value"]))
        compared[row["measure"]] += 1
    tally.check(28_038)
    assert tally.compared == 28_038
    assert set(compared) == set().union(*SETTINGS.values())


@pytest.mark.data("golden/ntcireval")
def test_printed_sample_agrees() -> None:
    folder = REAL_GOLDEN / "ntcireval"
    ranked = (folder / "sample.res").read_text().split()
    run = Run.from_dict({"sample": {document: -float(rank) for rank, document in enumerate(ranked)}})
    judged = qrels(folder / "sample.rel")
    ours = measures(top=3)
    tally = Tally()
    plain, condensed = (folder / "sample.compute.txt").read_text().split("--- -j\n")
    for text, unjudged in ((plain, "zero"), (condensed, "condense")):
        reading = InputOptions(unjudged=unjudged)  # type: ignore[arg-type]
        for name, theirs in re.findall(r"(\S+)= +(\S+)$", text, re.MULTILINE):
            measure = ours[re.sub(r"@0*", "@", name)]
            tally.add_text(
                (unjudged, name), float(score(run, judged, measure, reading=reading).values[0, 0, 0]), theirs
            )
    tally.check(63)
    assert tally.compared == 63
