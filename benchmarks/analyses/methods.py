"""Methods that loop over pairs, resample, or leave teams out, from preferences between lists to errors of samples."""

import json
import sys

from analyses.real_collections import COVID
from harness.measure import Spread
from harness.report import Report, Table, at_most, significant
from harness.session import HERE, ROOT, Session, unchecked

LABELS = {
    "rpp": "preferences (RPP) of all pairs on TREC-COVID round 5, lists read",
    "teams": "leave one of 28 teams out, four measures, TREC-COVID round 5, reading included",
    "flat": "posteriors of all pairs, flat prior, 126 systems x 50 topics",
    "shared": "posteriors of all pairs, shared prior, 126 x 50",
    "scales": "attainable values of RBP@10 with four labels, and of AP@10 on 50 topics",
    "boards": "correlations of five leaderboards with the true one and their intervals, 126 x 50, 1,000 resamples",
    "risk": "URisk, TRisk, ZRisk and GeoRisk with intervals by 2,000 samples of topics, one baseline, 126 x 50",
    "ties": "ties of RR that RPP breaks, for the report, TREC-COVID round 5, lists read",
    "sample": "xinfAP and infNDCG with errors from a stratified sample, 30 systems x 50 topics, lists ordered anew",
    "budget": "six orders of judging simulated, 30 systems x 50 topics, reading included",
}
TARGETS = {
    "rpp": 5.0,
    "teams": 20.0,
    "flat": 0.5,
    "shared": 5.0,
    "scales": 5.0,
    "boards": 5.0,
    "risk": 0.5,
    "ties": 0.5,
    "sample": 2.0,
    "budget": 20.0,
}
OF_FILES = ("rpp", "teams", "ties")


def methods(session: Session) -> Report:
    """Seconds of the call, inside the process."""
    report = Report("methods", "preferences, reusability, posteriors, budgets, risk and judges, seconds of the call")
    there = (ROOT / COVID / "runs").is_dir()
    names = [name for name in LABELS if there or name not in OF_FILES]
    if not there:
        report.notes.append(f"SKIPPED {', '.join(OF_FILES)}: there are no runs in `{COVID.as_posix()}`")
    probe = [sys.executable, str(HERE / "analyses" / "probe_methods.py")]
    commands = {name: [*probe, name] for name in names}
    results, _ = session.measured("methods", commands, required=commands, check=unchecked)
    report.measurements = results
    seconds = {
        name: {kind: Spread.of(json.loads(one.output)[kind] for one in several) for kind in ("wall", "cpu")}
        for name, several in results.items()
    }
    rows = [
        [LABELS[name], significant(spread["wall"].median), significant(spread["cpu"].median)]
        for name, spread in seconds.items()
    ]
    report.tables.append(Table(("call", "wall s", "CPU s"), rows))
    report.verdicts += [
        at_most(f"{LABELS[name]}: under {TARGETS[name]:g} s", spread["wall"].median, TARGETS[name], " s", judge=True)
        for name, spread in seconds.items()
    ]
    return report
