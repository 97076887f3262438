"""A run in many files of Parquet: ours beside reading, Polars and DuckDB, on threads and on Dask."""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from drawn.lake import Lake
from harness.agreement import DisagreementError
from harness.measure import Measurement, Spread, cpu, peak, ratio, wall
from harness.report import COST_HEADER, MEGABYTE, Report, Table, Verdict, at_least, at_most, cost_cells, spread_text
from harness.session import HERE, BenchmarkError, Session

PROBE, PEERS = HERE / "scoring" / "probe_scale.py", HERE / "peers"
TOLERANCE = 1e-12
FULL = 100_000_000
SPARED = 2_000_000_000
Measured = Mapping[str, Sequence[Measurement]]
INTEGERS, TEXT, BROADCAST = ("integers", "qrels"), ("text", "qrels-text"), ("integers", "qrels-scattered")
PERMUTED, SPLIT = ("permuted", "qrels"), ("split", "qrels-scattered")
READ, READ_TEXT = "only reading, integers", "only reading, text"
OURS, OURS_TEXT, OURS_BROADCAST = "integers, 1 thread", "text, 1 thread", "integers, judgments broadcast"
OURS_PERMUTED, OURS_SPLIT, TWO = "permuted in files", "topics split over files", "integers, 2 threads"
SPLIT_DUCKDB, SPLIT_POLARS = (f"topics split over files, sorted by {tool}, then ours" for tool in ("DuckDB", "Polars"))
DASK_1, DASK_2 = "integers, Dask with 1 worker", "integers, Dask with 2 workers"
POLARS, POLARS_TEXT, DUCKDB, DUCKDB_TEXT = "Polars, integers", "Polars, text", "DuckDB, integers", "DuckDB, text"


def scale(session: Session) -> Report:
    """CPU, clock and memory of whole processes, from files to the means of five measures."""
    rows = max(10_000, round(session.rows * session.scale))
    lakes = {shape: Lake(shape, rows) for pair in (INTEGERS, TEXT, BROADCAST, PERMUTED, SPLIT) for shape in pair}
    too_small = _write(list(lakes.values()))
    if too_small:
        return Report("scale", "skipped", notes=[too_small])
    commands = _commands({shape: lake.folder for shape, lake in lakes.items()})
    found: dict[str, dict[str, float]] = {}

    def same_values(name: str, measurement: Measurement) -> None:
        means = json.loads(measurement.output).get("means")
        if means is None:
            return
        for measure, value in found.setdefault("first", means).items():
            if not abs(means[measure] - value) <= TOLERANCE:
                raise DisagreementError(f"DISAGREEMENT: {measure} of {name} is {means[measure]!r}, not {value!r}")

    peers = (POLARS, POLARS_TEXT, DUCKDB, DUCKDB_TEXT, SPLIT_DUCKDB, SPLIT_POLARS)
    ours = [name for name in commands if name not in peers]
    results, failures = session.measured("scale", commands, required=ours, check=same_values)
    table = Table(("what", *COST_HEADER), [[name, *cost_cells(several)] for name, several in results.items()])
    return Report(
        name="scale",
        title=f"{rows:,} rows of Parquet, 100 a topic and 10 judgments, to the means of five measures",
        tables=[table, Table(("ratio", "CPU"), _ratios(results))],
        verdicts=_verdicts(results, rows, judges=session.judges),
        notes=[f"The means of all agree to {TOLERANCE:g}, DuckDB's among them.", *failures],
        measurements=results,
    )


def _write(lakes: Sequence[Lake]) -> str:
    """Write what is absent; a line where the disk has no room for it."""
    absent = [lake for lake in lakes if not lake.is_present()]
    needed, free = sum(lake.bytes for lake in absent), shutil.disk_usage(HERE).free
    if absent and free < needed + SPARED:
        return f"SKIPPED: {needed / 1e9:.1f} GB of data and {SPARED / 1e9:.0f} GB to spare, {free / 1e9:.1f} GB free"
    for lake in absent:
        command = [sys.executable, str(HERE / "generate_lake.py"), lake.shape, "--rows", str(lake.rows)]
        if subprocess.run(command, check=False).returncode != 0:
            raise BenchmarkError("the data sets could not be written: see the message above")
    return ""


def _commands(folders: Mapping[str, Path]) -> dict[str, list[str]]:
    def probe(tool: str, shapes: tuple[str, str], *options: str) -> list[str]:
        return [sys.executable, str(PROBE), tool, *(str(folders[shape]) for shape in shapes), *options]

    def peer(name: str, shapes: tuple[str, str], *tool: str) -> list[str]:
        return [sys.executable, str(PEERS / f"peer_{name}.py"), *tool, *(str(folders[shape]) for shape in shapes)]

    return {
        READ: probe("reading", INTEGERS),
        OURS: probe("ours", INTEGERS, "--threads", "1"),
        TWO: probe("ours", INTEGERS, "--threads", "2"),
        OURS_BROADCAST: probe("ours", BROADCAST),
        POLARS: peer("polars", INTEGERS),
        DUCKDB: peer("duckdb", INTEGERS),
        READ_TEXT: probe("reading", TEXT),
        OURS_TEXT: probe("ours", TEXT, "--threads", "1"),
        POLARS_TEXT: peer("polars", TEXT),
        DUCKDB_TEXT: peer("duckdb", TEXT),
        OURS_PERMUTED: probe("ours", PERMUTED),
        OURS_SPLIT: probe("ours", SPLIT),
        SPLIT_DUCKDB: peer("sorting", SPLIT, "duckdb"),
        SPLIT_POLARS: peer("sorting", SPLIT, "polars"),
        DASK_1: probe("ours", INTEGERS, "--dask", "1"),
        DASK_2: probe("ours", INTEGERS, "--dask", "2"),
    }


RATIOS = ((OURS, READ, 2.2), (OURS, POLARS, 0.45), (OURS_TEXT, READ_TEXT, 2.5), (OURS_TEXT, POLARS_TEXT, 0.6))


def _ratios(results: Measured) -> list[list[str]]:
    pairs = [*((one, other) for one, other, _ in RATIOS), (OURS, DUCKDB), (OURS_TEXT, DUCKDB_TEXT)]
    return [
        [f"{one} / {other}", spread_text(ratio(results[one], results[other], cpu))]
        for one, other in pairs
        if {one, other} <= results.keys()
    ]


def _verdicts(results: Measured, rows: int, *, judges: bool) -> list[Verdict]:
    """Targets hold for 100 million rows."""
    judge = judges and rows == FULL

    def median(name: str, cost: object = cpu) -> float:
        return Spread.of(map(cost, results[name])).median  # type: ignore[arg-type]

    found = [
        at_most(f"CPU: {one} / {other}", ratio(results[one], results[other], cpu).median, bound, "x", judge=judge)
        for one, other, bound in RATIOS
        if {one, other} <= results.keys()
    ]
    for name, seconds in ((OURS, 6), (OURS_TEXT, 14), (OURS_PERMUTED, 11), (OURS_SPLIT, 18)):
        found.append(at_most(f"CPU seconds: {name}", median(name), seconds, " s", judge=judge))
    broadcast = 200 + 30 * (rows // 10) / MEGABYTE
    for name, megabytes in ((TWO, 300.0), (OURS_BROADCAST, broadcast), (OURS_SPLIT, 600.0)):
        found.append(at_most(f"peak memory: {name}", median(name, peak) / MEGABYTE, megabytes, " MB", judge=judge))
    for one, other, bound in ((OURS, TWO, 1.6), (DASK_1, DASK_2, 1.4)):
        gain = ratio(results[one], results[other], wall).median
        found.append(at_least(f"faster on the clock: {other} than {one}", gain, bound, "x", judge=judge))
    beyond = max(0.0, median(DASK_2) - 1.4 * median(TWO))
    found.append(at_most(f"CPU seconds beyond 1.4 times 2 threads: {DASK_2}", beyond, 3.5, " s", judge=judge))
    return found
