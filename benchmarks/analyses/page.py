"""What one page on a whole evaluation costs: time, memory, bytes."""

import sys
import tempfile
from pathlib import Path

from harness.measure import Spread, wall
from harness.report import COST_HEADER, Report, Table, at_most, cost_cells
from harness.session import ROOT, Session, read_once, unchecked
from scoring.alone import COVID


def page(session: Session) -> Report:
    """`cranfield report` on all runs of TREC-COVID round 5."""
    report = Report("page", "one page on the runs of TREC-COVID round 5")
    folder = ROOT / COVID
    qrels, runs = folder / "qrels.covid-complete.txt.gz", sorted((folder / "runs").glob("*.xz"))
    if not qrels.is_file() or not runs:
        report.notes.append(f"SKIPPED: there are no qrels and runs in `{COVID.as_posix()}`, seen from the project root")
        return report
    runs = runs[: max(2, round(len(runs) * session.scale))]
    read_once([qrels, *runs])
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "report.html"
        name = "cranfield report"
        command = [sys.executable, "-m", "cranfield", "report", str(qrels), *map(str, runs), "-o", str(target)]
        results, _ = session.measured("page", {name: command}, required=[name], check=unchecked)
        megabytes = target.stat().st_size / 1e6
    report.title = f"one page on {len(runs)} runs of TREC-COVID round 5"
    report.measurements = results
    report.tables.append(Table(("command", *COST_HEADER), [[name, *cost_cells(results[name])]]))
    several, whole = results[name], session.judges
    report.verdicts += [
        at_most(f"{len(runs)} runs under 30 s wall", Spread.of(map(wall, several)).median, 30, " s", judge=whole),
        at_most("under 2 GB", max(one.peak for one in several) / 1e9, 2, " GB", judge=whole),
        at_most("a page under 6 MB", megabytes, 6, " MB", judge=whole),
    ]
    return report
