"""What looking for the headroom of a fusion costs: time and memory."""

import sys

from analyses.real_collections import COVID
from harness.measure import Spread, wall
from harness.report import COST_HEADER, Report, Table, at_most, cost_cells
from harness.session import ROOT, Session, read_once, unchecked


def headroom(session: Session) -> Report:
    """`cranfield fuse headroom` on all runs of TREC-COVID round 5."""
    report = Report("headroom", "headroom of the runs of TREC-COVID round 5")
    folder = ROOT / COVID
    qrels, runs = folder / "qrels.covid-round5.txt.gz", sorted((folder / "runs").glob("*.xz"))
    if not qrels.is_file() or not runs:
        report.notes.append(f"SKIPPED: there are no qrels and runs in `{COVID.as_posix()}`, seen from the project root")
        return report
    runs = runs[: max(2, round(len(runs) * session.scale))]
    read_once([qrels, *runs])
    name = "cranfield headroom"
    command = [sys.executable, "-m", "cranfield", "fuse", "headroom", str(qrels), *map(str, runs)]
    results, _ = session.measured("headroom", {name: command}, required=[name], check=unchecked)
    report.title = f"headroom of {len(runs)} runs of TREC-COVID round 5"
    report.measurements = results
    report.tables.append(Table(("command", *COST_HEADER), [[name, *cost_cells(results[name])]]))
    several, whole = results[name], session.judges
    report.verdicts += [
        at_most(f"{len(runs)} runs under 30 s wall", Spread.of(map(wall, several)).median, 30, " s", judge=whole),
        at_most("under 600 MB", max(one.peak for one in several) / 1e6, 600, " MB", judge=whole),
    ]
    return report
