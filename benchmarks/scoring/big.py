"""What big files cost: two runs fused, one topic, a million topics, one packed run; and how the cost grows."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from drawn.catalogue import JUDGMENTS, LINES, MANY_RUNS, MANY_TOPICS, ONE_TOPIC, Collection, collection
from harness.agreement import DisagreementError
from harness.measure import Measurement, Spread, cpu, peak, ratio, wall
from harness.report import COST_HEADER, MEGABYTE, Report, Table, Verdict, at_most, cost_cells, spread_text
from harness.session import HERE, BenchmarkError, Session, read_once
from harness.tools import OURS, READ, TOOLS, evaluate_command
from scoring.alone import check_complete, growth_table, straight_line

SPARED = 5_000_000_000
FUSE, ONE, MANY = "fuse, two runs, rrf", "one topic", "a million topics, by topic"
BOUNDS = {FUSE: (10.0, 1000.0), ONE: (2.0, 600.0), MANY: (6.0, 1000.0)}
ENDINGS = (".gz", ".xz")
HELD = 110  # bytes of memory for each judgment, which are held whole


def big(session: Session) -> Report:
    """One call each on files of seven to ten million lines."""
    names = ("fused", "one-topic", f"many-topics-{MANY_TOPICS[-1]}", "M")
    report = Report("big", "single calls on big files, cranfield alone")
    if not _has_room(session, names, report, more=200_000_000):
        return report
    fused, one, many, whole = session.collections(*names)
    packed = [_packed(whole.runs[0], ending) for ending in ENDINGS]
    read_once([*fused.runs, *one.files, *many.files, whole.qrels, *packed])
    output = whole.folder / "output.partial"
    evaluate, options = evaluate_command()
    ours = [sys.executable, *evaluate]
    commands = {
        FUSE: [sys.executable, "-m", "cranfield", "fuse", *map(str, fused.runs), "-o", str(output)],
        ONE: [*ours, *map(str, one.files), *options],
        MANY: [*ours, *map(str, many.files), *options, "--by-topic", "-o", str(output)],
    }
    for path in packed:
        commands[f"M{path.suffix}"] = [*ours, str(whole.qrels), str(path), *options]
        commands[f"M{path.suffix}, only unpacking"] = TOOLS[READ].command_line([path])
    written: dict[str, str] = {}

    def same_output(name: str, measurement: Measurement) -> None:
        found = _hash(output) if name in (FUSE, MANY) else measurement.output
        if written.setdefault(name, found) != found:
            raise DisagreementError(f"{name}: two calls wrote different bytes")

    try:
        results, _ = session.measured("big", commands, required=commands, check=same_output)
    finally:
        output.unlink(missing_ok=True)
    report.measurements = results
    report.tables.append(Table(("what", *COST_HEADER), [[name, *cost_cells(some)] for name, some in results.items()]))
    for name, (seconds, megabytes) in BOUNDS.items():
        report.verdicts += [
            at_most(f"{name}: CPU", Spread.of(map(cpu, results[name])).median, seconds, " s", judge=session.judges),
            _of_memory(name, results[name], megabytes, judge=session.judges),
        ]
    for name in (f"M{ending}" for ending in ENDINGS):
        above = ratio(results[name], results[f"{name}, only unpacking"], wall)
        said = f"{name}: wall beside only unpacking"
        report.verdicts.append(at_most(said, above.median, 1.1, "x", judge=session.judges))
        report.verdicts.append(_of_memory(name, results[name], 150, judge=session.judges))
        report.notes.append(f"{said}: {spread_text(above)}")
    return report


def growth(session: Session) -> Report:
    """Lines, topics, runs and judgments, ever more until they do not fit the disk or the memory, or to the end."""
    report = Report("growth", "the growth of our cost to 10^8 lines, start-up included, cranfield alone")
    rows: dict[str, list[tuple[str, int, list[Path]]]] = {}
    for title, names in (
        ("1 run, 1,000 documents a topic", [f"lines-{count}" for count in LINES]),
        ("1 run, 1 topic", [*(f"one-topic-{count}" for count in ONE_TOPIC), "one-topic"]),
        ("1 run, 10 documents a topic", [f"many-topics-{count}" for count in MANY_TOPICS]),
        ("1 run of 10, 1,000 judgments a topic", [f"judgments-{count}" for count in JUDGMENTS]),
        ("50 topics x 100, deep pools", ["many-runs"]),
    ):
        there = [name for name in names if _has_memory(session, name, report) and _has_room(session, (name,), report)]
        found = session.collections(*there)
        rows[title] = [_labelled(each) for each in found if each.recipe.runs == 1]
        for each in (each for each in found if each.recipe.runs > 1):
            lines = each.recipe.topics * each.recipe.depth
            counts = [count for count in MANY_RUNS if count <= len(each.runs)]
            rows[title] += [(f"{count:,} runs", count * lines, [each.qrels, *each.runs[:count]]) for count in counts]
    commands = {
        f"{title}: {label}": ["sh", "-c", 'ulimit -n 500; exec "$@"', "sh", *TOOLS[OURS].command_line(files)]
        for title, some in rows.items()
        for label, _, files in some
    }
    for _, _, files in (each for some in rows.values() for each in some):
        read_once(files)
    runs = {f"{title}: {label}": len(files) - 1 for title, some in rows.items() for label, _, files in some}
    results, _ = session.measured(
        "growth", commands, required=commands, check=lambda name, one: check_complete(one, runs[name])
    )
    report.measurements = results
    for title, some in rows.items():
        measured = [(label, size, results[f"{title}: {label}"]) for label, size, _ in some]
        if measured:
            report.tables.append(growth_table(title, measured))
            report.notes.append(f"{title}: {straight_line(measured)}")
    report.notes.append("Each call may have 500 files open.")
    return report


def _labelled(each: Collection) -> tuple[str, int, list[Path]]:
    """A collection, by the lines of its larger file."""
    recipe = each.recipe
    judged = recipe.shape == "judged"
    label = f"{each.judgments:,} judgments" if judged else f"{recipe.topics:,} topics x {recipe.depth:,}"
    return label, each.judgments if judged else each.lines, each.files


def _has_memory(session: Session, name: str, report: Report) -> bool:
    """Whether half of the machine's memory holds the judgments; a line where it does not."""
    needed = HELD * collection(name, session.scale).judgments
    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2
    if needed > half:
        report.notes.append(
            f"SKIPPED: {name}: {needed / 1e9:.1f} GB of memory, half of the machine has {half / 1e9:.1f}"
        )
    return needed <= half


def _has_room(session: Session, names: Sequence[str], report: Report, more: int = 0) -> bool:
    """Whether these are there, or the disk has room for them; a line where it has not."""
    absent = [each for each in (collection(name, session.scale) for name in names) if not each.is_present()]
    needed, free = sum(each.bytes for each in absent) + more, shutil.disk_usage(HERE).free
    if absent and free < needed + SPARED:
        room = f"{needed / 1e9:.1f} GB of data and {SPARED / 1e9:.0f} GB to spare, {free / 1e9:.1f} GB free"
        report.notes.append(f"SKIPPED: {', '.join(names)}: {room}")
        return False
    return True


def _packed(path: Path, ending: str) -> Path:
    """A packed copy of a file, made by a process of its own where it is absent."""
    target = path.with_name(path.name + ending)
    if not target.is_file() or target.stat().st_mtime < path.stat().st_mtime:
        command = [sys.executable, str(HERE / "scoring" / "pack.py"), str(target)]
        if subprocess.run(command, check=False).returncode != 0:
            raise BenchmarkError(f"{target} could not be packed: see the message above")
    return target


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _of_memory(name: str, several: Sequence[Measurement], megabytes: float, *, judge: bool) -> Verdict:
    return at_most(f"{name}: peak memory", max(map(peak, several)) / MEGABYTE, megabytes, " MB", judge=judge)
