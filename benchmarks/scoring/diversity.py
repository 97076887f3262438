"""The nine measures of ndeval: ours beside pyndeval after reading, and the growth of ours with depth."""

import json
import math
import statistics
import sys
from pathlib import Path

from harness.agreement import DisagreementError
from harness.measure import Measurement, Spread
from harness.report import Report, Table, at_least, at_most, spread_text
from harness.session import Session

PROBE = Path(__file__).resolve().parent / "probe_diversity.py"
DEPTHS = (20, 100, 300, 1000)
TOLERANCE = 1e-9


def diversity(session: Session) -> Report:
    """CPU inside the process, so that start-up, reading and drawing are left out."""
    runs = max(1, round(100 * session.scale))
    commands = {
        f"{tool}, depth {depth}": [sys.executable, str(PROBE), tool, "--runs", str(runs), "--depth", str(depth)]
        for tool, depths in (("pyndeval", DEPTHS[:1]), ("ours", DEPTHS))
        for depth in depths
    }
    means: dict[str, list[float]] = {}

    def same_values(name: str, measurement: Measurement) -> None:
        measured = json.loads(measurement.output)["means"]
        for other, expected in means.items():
            if other.endswith("depth 20") and name.endswith("depth 20"):
                worst = max(abs(one - two) for one, two in zip(measured, expected, strict=True))
                if not worst <= TOLERANCE:
                    raise DisagreementError(f"DISAGREEMENT between {name} and {other}: means differ by {worst:g}")
        means[name] = measured

    required = [name for name in commands if name.startswith("ours")]
    results, failures = session.measured("diversity", commands, required=required, check=same_values)
    parts = {name: [json.loads(one.output) for one in several] for name, several in results.items()}
    first = f"ours, depth {DEPTHS[0]}"
    rows = [
        [name, *(spread_text(Spread.of(one[part] for one in several)) for part in ("prepare", "look up", "evaluate"))]
        for name, several in parts.items()
    ]
    peer = parts.get(f"pyndeval, depth {DEPTHS[0]}")
    faster = None
    if peer is not None:
        faster = statistics.median(b["evaluate"] / a["evaluate"] for a, b in zip(parts[first], peer, strict=True))
    deep, shallow = (statistics.median(one["evaluate"] for one in parts[f"ours, depth {d}"]) for d in (1000, 100))
    return Report(
        name="diversity",
        title=f"nine measures of ndeval, {runs} runs x 50 topics",
        tables=[Table(("tool", "CPU s to prepare", "to look up", "to evaluate"), rows)],
        verdicts=[
            at_least("at least 5 times less CPU than pyndeval to evaluate", faster, 5, "x", judge=session.judges),
            at_most("from depth 100 to 1,000 at most 10 times the CPU", deep / shallow, 10, "x", judge=session.judges),
        ],
        notes=[
            "CPU inside the process. Preparing makes judgments and ideal lists from Python objects. We order documents "
            "and look them up once for all measures, while reading where runs are files; pyndeval does it to evaluate.",
            f"The means of all measures agree to {TOLERANCE:g}.",
            f"CPU grows with the power {math.log10(deep / shallow):.2f} of depth between 100 and 1,000.",
            *failures,
        ],
        measurements=results,
    )
