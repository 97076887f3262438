"""Tests of all pairs of systems, and the audit of a real collection."""

import json
import sys

from analyses.real_collections import COVID
from harness.measure import Measurement, Spread, wall
from harness.report import Report, Table, at_most, significant
from harness.session import HERE, ROOT, Session, read_once, unchecked

TARGETS = {
    "bootstrap-129x50": 0.1,
    "bootstrap-500x250": 2.0,
    "tukey-129x50": 0.2,
    "max-t-500x250": 2.5,
    "max-t-bootstrap-500x250": 2.5,
}
BESIDE = ("max-t-129x50",)
TIMES_TUKEY = 3.0
PEERS = ("scipy-bootstrap-129x50", "scipy-permutation-129x50", "ranx-129x50")
LABELS = {
    "bootstrap-129x50": "studentised bootstrap, B = 1,000, 129 systems x 50 topics",
    "bootstrap-500x250": "studentised bootstrap, B = 1,000, 500 x 250",
    "max-t-129x50": "max-T by sign flips, 10,000, 129 x 50",
    "max-t-500x250": "max-T by sign flips, 1,000, 500 x 250",
    "max-t-bootstrap-500x250": "max-T by bootstrap, B = 1,000, 500 x 250",
    "tukey-129x50": "randomized Tukey, 10,000 permutations, 129 x 50",
    "scipy-bootstrap-129x50": "scipy.stats.bootstrap pair by pair, B = 1,000, 129 x 50",
    "scipy-permutation-129x50": "scipy.stats.permutation_test pair by pair, 10,000 flips, 129 x 50",
    "ranx-129x50": "ranx.compare, Fisher's test, 1,000 permutations, 50 topics",
}


def trust(session: Session) -> Report:
    """All pairs at once beside loops over pairs; seconds are of the call, inside the process."""
    probe = [sys.executable, str(HERE / "analyses" / "probe_trust.py")]
    commands = {name: [*probe, name] for name in (*TARGETS, *BESIDE, *PEERS)}
    results, failures = session.measured("trust", commands, required=(*TARGETS, *BESIDE), check=unchecked)
    seconds = {name: _seconds(several) for name, several in results.items()}
    base = seconds["bootstrap-129x50"]["wall"].median
    rows = [
        [
            LABELS[name],
            significant(spread["wall"].median),
            significant(spread["cpu"].median),
            significant(spread["wall"].median / base),
        ]
        for name, spread in seconds.items()
    ]
    report = Report("trust", "tests of all pairs, seconds of the call", notes=failures, measurements=results)
    report.tables.append(Table(("for all pairs", "wall s", "CPU s", "times the first"), rows))
    report.verdicts += [
        at_most(f"{LABELS[name]}: under {limit} s", seconds[name]["wall"].median, limit, " s", judge=True)
        for name, limit in TARGETS.items()
    ]
    times = seconds["max-t-129x50"]["cpu"].median / seconds["tukey-129x50"]["cpu"].median
    said = f"{LABELS['max-t-129x50']}: at most {TIMES_TUKEY:g} times the CPU of randomized Tukey"
    report.verdicts.append(at_most(said, times, TIMES_TUKEY, " times", judge=True))
    report.notes.append("Loops are timed on some pairs and multiplied up to all of them.")
    return report


def audit(session: Session) -> Report:
    """`cranfield audit` of the six default measures on TREC-COVID round 5, reading included."""
    report = Report("audit", "six measures on the runs of TREC-COVID round 5, reading included")
    folder = ROOT / COVID
    qrels, runs = folder / "qrels.covid-round5.txt.gz", sorted((folder / "runs").glob("*.xz"))
    if not qrels.is_file() or not runs:
        report.notes.append(f"SKIPPED: there are no qrels and runs in `{COVID.as_posix()}`, seen from the project root")
        return report
    read_once([qrels, *runs])
    commands = {"cranfield audit": [sys.executable, "-m", "cranfield", "audit", str(qrels), *map(str, runs)]}
    results, _ = session.measured("audit", commands, required=commands, check=unchecked)
    walls = Spread.of(map(wall, results["cranfield audit"]))
    report.measurements = results
    report.verdicts.append(at_most(f"{len(runs)} runs under 3.2 s wall", walls.median, 3.2, " s", judge=True))
    return report


def _seconds(several: list[Measurement]) -> dict[str, Spread]:
    """Of the call, for all pairs."""
    said = [json.loads(one.output) for one in several]
    return {kind: Spread.of(one[kind] * one["pairs"] / one["done"] for one in said) for kind in ("wall", "cpu")}
