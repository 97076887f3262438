"""What one page on a whole evaluation costs, time, memory and bytes, and what many systems cost."""

import subprocess
import sys
import tempfile
from pathlib import Path

from analyses.real_collections import COVID
from harness.measure import Spread, cpu, wall
from harness.report import COST_HEADER, Report, Table, at_most, cost_cells
from harness.session import ROOT, BenchmarkError, Session, read_once, unchecked

QRELS = {"judgments of round 5": "qrels.covid-round5.txt.gz", "of all rounds": "qrels.covid-complete.txt.gz"}
MANY_SYSTEMS = {"report": (300, 50), "difference": (500, 250)}


def page(session: Session) -> Report:
    """`cranfield report` on all runs of TREC-COVID round 5, by the judgments of that round and by all."""
    report = Report("page", "one page on the runs of TREC-COVID round 5")
    folder = ROOT / COVID
    qrels, runs = [folder / name for name in QRELS.values()], sorted((folder / "runs").glob("*.xz"))
    if not all(path.is_file() for path in qrels) or not runs:
        report.notes.append(f"SKIPPED: there are no qrels and runs in `{COVID.as_posix()}`, seen from the project root")
        return report
    runs = runs[: max(2, round(len(runs) * session.scale))]
    read_once([*qrels, *runs])
    with tempfile.TemporaryDirectory() as place:
        target = Path(place) / "report.html"
        commands = {
            name: [sys.executable, "-m", "cranfield", "report", str(judged), *map(str, runs), "-o", str(target)]
            for name, judged in zip(QRELS, qrels, strict=True)
        }
        results, _ = session.measured("page", commands, required=commands, check=unchecked)
        megabytes = target.stat().st_size / 1e6
    report.title = f"one page on {len(runs)} runs of TREC-COVID round 5"
    report.measurements = results
    rows = [[name, *cost_cells(several)] for name, several in results.items()]
    report.tables.append(Table(("cranfield report", *COST_HEADER), rows))
    judge = session.judges
    for name, several in results.items():
        report.verdicts += [
            at_most(f"{name}: under 6 s wall", Spread.of(map(wall, several)).median, 6, " s", judge=judge),
            at_most(f"{name}: under 1 GB", max(one.peak for one in several) / 1e9, 1, " GB", judge=judge),
        ]
    report.verdicts.append(at_most("a page under 1.5 MB", megabytes, 1.5, " MB", judge=judge))
    return report


def many(session: Session) -> Report:
    """A report of 300 systems and all information differences of 500, simulated, as whole processes."""
    report = Report("many", "many systems, simulated, start-up and reading included")
    with tempfile.TemporaryDirectory() as place:
        sizes = {
            what: (max(2, round(systems * session.scale)), topics) for what, (systems, topics) in MANY_SYSTEMS.items()
        }
        files = {what: _simulated(Path(place) / what, *size) for what, size in sizes.items()}
        for paths in files.values():
            read_once(paths)
        ours = [sys.executable, "-m", "cranfield"]
        names = {what: f"{what}, {systems} systems x {topics} topics" for what, (systems, topics) in sizes.items()}
        page, difference = names.values()
        commands = {
            page: [*ours, "report", *map(str, files["report"]), "-o", str(Path(place) / "report.html")],
            difference: [*ours, "information", "difference", *map(str, files["difference"]), "-f", "tsv"],
        }
        results, _ = session.measured("many", commands, required=commands, check=unchecked)
    report.measurements = results
    rows = [[name, *cost_cells(several)] for name, several in results.items()]
    report.tables.append(Table(("what", *COST_HEADER), rows))
    for name, bound in ((page, 15), (difference, 60)):
        seconds = Spread.of(map(cpu, results[name])).median
        report.verdicts.append(at_most(f"{name}: at most {bound} s CPU", seconds, bound, " s", judge=session.judges))
    return report


def _simulated(folder: Path, systems: int, topics: int) -> list[Path]:
    """Judgments and runs, written by the package's own simulation."""
    command = [sys.executable, "-m", "cranfield", "simulate", "runs", "-o", str(folder)]
    asked = [*command, "--systems", str(systems), "--topics", str(topics)]
    done = subprocess.run(asked, check=False, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise BenchmarkError(f"FAILED: {' '.join(asked)}: {done.stderr.strip()}")
    return [folder / "qrels.txt", *sorted((folder / "runs").glob("*.run"))]
