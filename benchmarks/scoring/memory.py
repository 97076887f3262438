"""Runs and judgments that are in memory already: dicts and frames, ours beside pytrec_eval and ir_measures."""

import json
import statistics
import sys
from pathlib import Path

from harness.agreement import DisagreementError
from harness.measure import Measurement, Spread
from harness.report import Report, Table, at_most, spread_text
from harness.session import Session

PROBE = Path(__file__).resolve().parent / "probe_memory.py"
TOPICS = (200, 6980)
SHAPES = ("dict", "pandas", "objects", "polars", "pyarrow")
PEERS = (("pytrec_eval", "dict"), ("ir_measures", "dict"), ("ir_measures", "pandas"))
PARTS = ("whole", "prepared", "small", "small, prepared")
TOLERANCE = 1e-9


def memory(session: Session) -> Report:
    """CPU inside the process, from the object to the means."""
    sizes = [max(2, round(count * session.scale)) for count in TOPICS]
    asked = [*(("ours", shape) for shape in SHAPES), *PEERS]
    commands = {
        f"{tool}, {shape}, {topics:,} topics": [sys.executable, str(PROBE), tool, shape, "--topics", str(topics)]
        for topics in sizes
        for tool, shape in asked
    }
    means: dict[str, list[float]] = {}

    def same_values(name: str, measurement: Measurement) -> None:
        size, found = name.rpartition(", ")[2], json.loads(measurement.output)["means"]
        worst = max(abs(one - two) for one, two in zip(found, means.setdefault(size, found), strict=True))
        if not worst <= TOLERANCE:
            raise DisagreementError(f"DISAGREEMENT of {name} with the first tool: means differ by {worst:g}")

    required = [name for name in commands if name.startswith("ours")]
    results, failures = session.measured("memory", commands, required=required, check=same_values)
    parts = {name: [json.loads(one.output) for one in several] for name, several in results.items()}
    rows = [
        [name, *(spread_text(Spread.of(one[part] for one in several)) for part in PARTS)]
        for name, several in parts.items()
    ]
    verdicts = []
    for size in sizes:
        peer = parts.get(f"pytrec_eval, dict, {size:,} topics")
        for shape, part, bound in (("dict", "whole", 0.5), ("objects", "prepared", 1.0), ("pyarrow", "prepared", 0.2)):
            mine = parts[f"ours, {shape}, {size:,} topics"]
            found = peer and statistics.median(a[part] / b[part] for a, b in zip(mine, peer, strict=True))
            target = f"{shape}, {size:,} topics, {part}: CPU of pytrec_eval from dicts"
            verdicts.append(at_most(target, found, bound, "x", judge=session.judges))
    return Report(
        name="memory",
        title="objects in memory to the means of nDCG@10 and AP, 1,000 documents a topic",
        tables=[Table(("tool", "CPU s", "judgments prepared", "1 topic x 10", "and prepared"), rows)],
        verdicts=verdicts,
        notes=[f"CPU inside the process. The means of all agree to {TOLERANCE:g}.", *failures],
        measurements=results,
    )
