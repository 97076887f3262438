"""What cranfield costs by itself: start-up, real runs, lines out of order, and growth with size."""

import math
import shlex
import shutil
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from analyses.real_collections import COVID
from drawn.catalogue import DEPTHS, TOPIC_COUNTS
from harness.agreement import COMPARED, DisagreementError, printed_values
from harness.measure import Measurement, Spread, cpu, ratio, wall
from harness.report import COST_HEADER, Report, Table, at_most, cost_cells, significant, spread_text
from harness.session import ROOT, Session, read_once, unchecked
from harness.tools import MEASURES, OURS, READ, TOOLS, evaluate_command, every_measure

UNPACKING = "only unpacking, a half of the files on each of two cores"
XZ = "`xz -dc`, likewise"
RUN_COUNTS = (1, 3, 10, 30, 100)


def covid(session: Session) -> Report:
    """All runs of TREC-COVID round 5 as they were submitted, packed, with the default measures."""
    report = Report("covid", "the runs of TREC-COVID round 5, packed with xz, default measures")
    folder = ROOT / COVID
    qrels, runs = folder / "qrels.covid-round5.txt.gz", sorted((folder / "runs").glob("*.xz"))
    if not qrels.is_file() or not runs:
        report.notes.append(f"SKIPPED: there are no qrels and runs in `{COVID.as_posix()}`, seen from the project root")
        return report
    runs = runs[: max(1, round(len(runs) * session.scale))]
    read_once([qrels, *runs])
    command, options = evaluate_command(measures=())
    commands = {
        OURS: [sys.executable, *command, str(qrels), *map(str, runs), *options],
        UNPACKING: _halves(TOOLS[READ].command_line, runs),
    }
    if shutil.which("xz"):
        commands[XZ] = _halves(lambda files: ["xz", "-dc", *map(str, files)], runs)

    def complete(name: str, measurement: Measurement) -> None:
        if name == OURS:
            check_complete(measurement, len(runs))

    results, _ = session.measured("covid", commands, required=commands, check=complete)
    report.title = f"{len(runs)} runs of TREC-COVID round 5, packed with xz, default measures"
    report.measurements = results
    labels = {OURS: TOOLS[OURS].label}
    report.tables.append(_cost_table("what", {labels.get(name, name): each for name, each in results.items()}))
    above = ratio(results[OURS], results[UNPACKING], cpu)
    report.verdicts.append(
        at_most("CPU at most 1.15 times that of unpacking alone", above.median, 1.15, "x", judge=session.judges)
    )
    return report


def _halves(command: Callable[[list[Path]], list[str]], files: list[Path]) -> list[str]:
    """A command on a half of the files on each of two cores, its output thrown away."""
    both = " & ".join(shlex.join(command(files[first::2])) + " > /dev/null" for first in (0, 1))
    return ["sh", "-c", f"{both} & wait"]


def help_text(session: Session) -> Report:
    """How long a person waits for the help, beside the bare interpreter."""
    script = Path(sys.executable).with_name("cranfield")
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import cranfield": [sys.executable, "-c", "import cranfield"],
        "python -m cranfield --help": [sys.executable, "-m", "cranfield", "--help"],
    }
    asked = "python -m cranfield --help"
    if script.is_file():
        asked = "cranfield --help"
        commands[asked] = [str(script), "--help"]
    results, _ = session.measured("help", commands, required=commands, check=unchecked)
    seconds, importing = (Spread.of(map(wall, results[name])).median for name in (asked, "import cranfield"))
    return Report(
        name="help",
        title="start-up",
        tables=[_cost_table("command", results)],
        verdicts=[
            at_most(f"`{asked}` under 0.07 s wall", seconds, 0.07, " s", judge=True),
            at_most("`import cranfield` under 0.03 s wall", importing, 0.03, " s", judge=True),
        ],
        measurements=results,
    )


def every(session: Session) -> Report:
    """Collection S by all measures of the package, beside the six of the other experiments."""
    (files,) = session.collections("S")
    read_once(files.files)
    declared = every_measure()
    asked = {"six measures": MEASURES, f"those and all {len(declared)} declared": (*MEASURES, *declared)}
    six, those = asked
    commands = {}
    for name, measures in asked.items():
        command, options = evaluate_command(measures)
        commands[name] = [sys.executable, *command, *map(str, files.files), *options]
    expected: list[dict[tuple[str, str], float]] = []

    def same_values(name: str, measurement: Measurement) -> None:
        values = {key: value for key, value in printed_values(measurement.output).items() if key[1] in MEASURES}
        expected.append(values)
        if values != expected[0] or len(values) != len(MEASURES) * len(files.runs):
            raise DisagreementError(f"{name}: the values of the six measures are not those of the first call")

    results, _ = session.measured("every", commands, required=commands, check=same_values)
    above = ratio(results[those], results[six], cpu)
    return Report(
        name="every",
        title=f"all measures of the package, {len(files.runs)} runs, {files.lines:,} lines, cranfield alone",
        tables=[_cost_table("measures", results)],
        verdicts=[
            at_most("all measures at most 1.5 times the CPU of six", above.median, 1.5, "x", judge=session.judges),
        ],
        notes=["The values of the six are equal to the last bit."],
        measurements=results,
    )


def variants(session: Session) -> Report:
    """Collection M with its lines out of score order within topics, its topics interleaved, and with long scores."""
    names = ["M", "M-shuffled", "M-interleaved", "M-printed-in-full"]
    collections = session.collections(*names)
    expected: list[list[float]] = []

    def same_values(name: str, measurement: Measurement) -> None:
        values = printed_values(measurement.output)
        found = [values.get((name, measure), math.nan) for measure in COMPARED]
        expected.append(found)
        if found != expected[0] or any(map(math.isnan, found)):
            raise DisagreementError(f"DISAGREEMENT: {name} gives {found}, where another file gave {expected[0]}")

    commands = {}
    for each in collections:
        read_once(each.files)
        commands[each.recipe.name] = TOOLS[OURS].command_line(each.files)
    results, _ = session.measured("variants", commands, required=names, check=same_values)
    shuffled, mixed, full = (ratio(results[name], results["M"], cpu) for name in names[1:])
    return Report(
        name="variants",
        title=f"the order of the lines and the digits of scores, {collections[0].lines:,} lines, cranfield alone",
        tables=[_cost_table("collection", results)],
        verdicts=[
            at_most("M-shuffled at most 2 times the CPU of M", shuffled.median, 2, "x", judge=session.judges),
            at_most("M-interleaved at most 3 times the CPU of M", mixed.median, 3, "x", judge=session.judges),
            at_most("M-printed-in-full at most 1.5 times the CPU of M", full.median, 1.5, "x", judge=session.judges),
        ],
        notes=["The values of all four are equal to the last bit."],
        measurements=results,
    )


def scaling(session: Session) -> Report:
    """How our cost grows with documents a topic, with topics, and with runs, all else kept."""
    depths = session.collections(*(f"depth-{depth}" for depth in DEPTHS))
    topics = session.collections(*(f"topics-{count}" for count in TOPIC_COUNTS))
    (pooled,) = session.collections("S")
    sizes: dict[str, tuple[str, int, list[Path]]] = {}
    for each in depths:
        sizes[each.recipe.name] = f"{each.recipe.depth:,} documents", each.lines, each.files
    for each in topics:
        sizes[each.recipe.name] = f"{each.recipe.topics:,} topics", each.lines, each.files
    for count in (count for count in RUN_COUNTS if count <= len(pooled.runs)):
        lines = count * pooled.recipe.topics * pooled.recipe.depth
        sizes[f"runs-{count}"] = f"{count} run{'s' * (count > 1)}", lines, [pooled.qrels, *pooled.runs[:count]]
    for _, _, files in sizes.values():
        read_once(files)
    commands = {name: TOOLS[OURS].command_line(files) for name, (_, _, files) in sizes.items()}

    def complete(name: str, measurement: Measurement) -> None:
        check_complete(measurement, len(sizes[name][2]) - 1)

    results, _ = session.measured("scaling", commands, required=commands, check=complete)
    report = Report("scaling", "the growth of our cost, start-up included, cranfield alone", measurements=results)
    for title, prefix in (
        (f"1 run, {depths[0].recipe.topics:,} topics", "depth-"),
        (f"1 run, {topics[0].recipe.depth:,} documents a topic", "topics-"),
        (f"{pooled.recipe.topics:,} topics, {pooled.recipe.depth:,} documents, deep pools", "runs-"),
    ):
        rows = [(*sizes[name][:2], results[name]) for name in sizes if name.startswith(prefix)]
        report.tables.append(growth_table(title, rows))
        report.notes.append(f"{title}: {straight_line(rows)}")
    return report


def check_complete(measurement: Measurement, runs: int) -> None:
    """That every run was evaluated, since no other tool vouches for it here."""
    found = len({run for run, _ in printed_values(measurement.output)})
    if found != runs:
        raise DisagreementError(f"cranfield printed values for {found} runs of {runs}")


def _cost_table(kind: str, results: Mapping[str, Sequence[Measurement]]) -> Table:
    """Costs, each with its ratio to the first row."""
    first = next(iter(results.values()))
    rows = [[name, *cost_cells(several), spread_text(ratio(several, first, cpu))] for name, several in results.items()]
    return Table((kind, *COST_HEADER, "CPU / first"), rows)


def growth_table(title: str, rows: Sequence[tuple[str, int, Sequence[Measurement]]]) -> Table:
    """Costs by size; the exponent is that of the power by which CPU grew since the row above."""
    cells = []
    before: tuple[int, float] | None = None
    for label, lines, several in rows:
        seconds = Spread.of(map(cpu, several)).median
        exponent = ""
        if before is not None and lines > before[0]:
            exponent = significant(math.log(seconds / before[1]) / math.log(lines / before[0]))
        cells.append([label, f"{lines:,}", *cost_cells(several), exponent])
        before = lines, seconds
    return Table((title, "lines", *COST_HEADER, "exponent"), cells)


def straight_line(rows: Sequence[tuple[str, int, Sequence[Measurement]]]) -> str:
    millions = [lines / 1e6 for _, lines, _ in rows]
    seconds = [Spread.of(map(cpu, several)).median for _, _, several in rows]
    if len(set(millions)) < 2:
        return "too few sizes for a straight line"
    slope, intercept = statistics.linear_regression(millions, seconds)
    return f"about {significant(intercept)} s + {significant(slope)} s for each million lines (CPU, least squares)"
