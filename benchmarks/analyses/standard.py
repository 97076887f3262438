"""What standardization, its study, and rank correlations cost."""

import json
import sys

from analyses.real_collections import STANDARDIZATION
from harness.measure import Measurement, Spread, measure
from harness.report import COST_HEADER, Report, Table, at_most, cost_cells, significant, spread_text
from harness.session import HERE, ROOT, BenchmarkError, Session, progress

PROBE = str(HERE / "analyses" / "probe_standard.py")
CORE_HOURS = 52
"""Of the published R code for the same grid, on a machine of its own."""


def standard(session: Session) -> Report:
    """The grid once, because it is long, and the kernels every round."""
    report = Report("standard", "score standardization, its study, and rank correlations")
    _kernels(session, report)
    if not (ROOT / STANDARDIZATION).is_dir():
        report.notes.append(
            f"SKIPPED: the study's matrices are not in `{STANDARDIZATION.as_posix()}`, seen from the project root"
        )
        return report
    one = measure([sys.executable, PROBE, "grid", repr(session.scale)])
    if one.status != 0:
        raise BenchmarkError(f"FAILED: the study: {one.errors.strip().splitlines()[-1:]}")
    progress(f"standard  grid  {one.cpu:8.2f} s CPU")
    trials = max(1, round(10_000 * session.scale))
    title = f"5 schemes x 4 matrices x {trials:,} trials x within and between"
    report.tables.append(Table(["study", *COST_HEADER], [[title, *cost_cells([one])]]))
    report.measurements = {**report.measurements, "grid": [one]}
    judge = session.judges
    report.verdicts += [
        at_most("the whole grid at most 40 s CPU", one.cpu, 40, " s", judge=judge),
        at_most("the whole grid under 2 GB", one.peak / 1e9, 2, " GB", judge=judge),
    ]
    ratio = significant(CORE_HOURS * 3600 / (one.cpu / session.scale))
    report.notes.append(f"about {ratio} times less than the {CORE_HOURS} core-hours of the published R code")
    return report


def _kernels(session: Session, report: Report) -> None:
    rounds: list[dict[str, float]] = []

    def keep(_: str, one: Measurement) -> None:
        rounds.append(json.loads(one.output))

    command = {"kernels": [sys.executable, PROBE, "kernels", repr(session.scale)]}
    results, _ = session.measured("standard", command, required=command, check=keep)
    report.measurements = results
    spread = {name: Spread.of(seconds[name] for seconds in rounds) for name in rounds[0]}
    lists = f"{rounds[0]['lists']:,}"
    labels = {
        "tau_b": f"{lists} tau_b of 129 systems",
        "tau_ap_b": f"{lists} tau_ap,b of 129 systems",
        "scipy": f"{lists} times scipy.stats.kendalltau",
        **{f"standardize {scheme}": f"standardize 500 x 250, scheme {scheme}" for scheme in "ENUz"},
    }
    rows = [[label, spread_text(spread[name])] for name, label in labels.items()]
    report.tables.append(Table(["inside a process", "CPU s"], rows))
    ratio = Spread.of(seconds["scipy"] / seconds["tau_b"] for seconds in rounds)
    report.notes.append(f"SciPy's loop costs {spread_text(ratio)} times our tau_b")
    judge, milliseconds = session.judges, 1e3 * spread["standardize E"].median
    report.verdicts += [
        at_most("10,000 tau_b of 129 systems under 1 s CPU", spread["tau_b"].median, 1, " s", judge=judge),
        at_most("10,000 tau_ap,b of 129 systems under 1 s CPU", spread["tau_ap_b"].median, 1, " s", judge=judge),
        at_most("standardizing 500 x 250 under 10 ms CPU", milliseconds, 10, " ms", judge=judge),
    ]
