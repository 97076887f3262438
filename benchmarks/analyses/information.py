"""What the information framework costs after reading, and how that grows."""

import json
import math
import sys
from collections.abc import Sequence

from harness.measure import Measurement, Spread
from harness.report import Report, Table, at_most, significant, spread_text
from harness.session import HERE, Session

PROBE = str(HERE / "analyses" / "probe_information.py")


def information(session: Session) -> Report:
    """The calls that have a target, and the growth of each with systems, topics and pool depth."""
    rounds: dict[str, list[object]] = {"kernels": [], "growth": []}

    def keep(name: str, one: Measurement) -> None:
        rounds[name].append(json.loads(one.output))

    commands = {name: [sys.executable, PROBE, name, repr(session.scale)] for name in rounds}
    results, _ = session.measured("information", commands, required=commands, check=keep)
    report = Report("information", "RIC, joint RIC, information difference and tau, after reading")
    report.measurements = results
    _kernels(report, rounds["kernels"], session)  # type: ignore[arg-type]
    _growth(report, rounds["growth"])  # type: ignore[arg-type]
    return report


def _kernels(report: Report, rounds: Sequence[dict[str, float]], session: Session) -> None:
    size = {name: int(rounds[0][name]) for name in ("systems", "topics", "pairs")}
    spread = {name: Spread.of(found[name] for found in rounds) for name in rounds[0]}
    of_all = f"{size['systems'] * (size['systems'] - 1) // 2:,} pairs of systems"
    labels = {
        "RIC": f"RIC of {size['systems']} systems x {size['topics']} topics, {size['pairs']:,} pairs",
        "joint": "joint RIC of ten systems",
        "joint with null": "the same with 20 permutations and every contribution",
        "difference": f"information difference of {of_all}",
        "taus": f"information tau of all triples of ten measures, {size['topics']} topics",
    }
    rows = [[label, spread_text(spread[name])] for name, label in labels.items()]
    report.tables.append(Table(["inside a process", "CPU s"], rows))
    judge = session.judges
    report.verdicts += [
        at_most("RIC at most 0.15 s CPU", spread["RIC"].median, 0.15, " s", judge=judge),
        at_most("joint RIC of ten systems at most 0.1 s CPU", spread["joint"].median, 0.1, " s", judge=judge),
        at_most("all differences at most 2 s CPU", spread["difference"].median, 2, " s", judge=judge),
        at_most("their memory at most 200 MB", spread["memory"].median / 1e6, 200, " MB", judge=judge),
        at_most("all triples under 1 s CPU", spread["taus"].median, 1, " s", judge=judge),
    ]


def _growth(report: Report, rounds: Sequence[Sequence[dict[str, float]]]) -> None:
    """One table; the exponent is that of the power by which CPU grew since the row above."""
    costs = ("RIC", "joint", "difference")
    sizes = ("systems", "topics", "judged")
    rows, before = [], None
    for number, size in enumerate(rounds[0]):
        seconds = {name: Spread.of(found[number][name] for found in rounds).median for name in costs}
        cells = [f"{int(size[name]):,}" for name in sizes]
        grown = (
            None if before is None else [size[name] / before[0][name] for name in sizes if size[name] > before[0][name]]
        )
        for name in costs:
            power = ""
            if grown and before is not None and number % 3:
                power = f" (^{significant(math.log(seconds[name] / before[1][name]) / math.log(grown[0]))})"
            cells.append(significant(seconds[name]) + power)
        rows.append(cells)
        before = size, seconds
    header = ["systems", "topics", "judged documents", "RIC", "joint RIC of ten", "all differences"]
    report.tables.append(Table([*header[:3], *(f"{name}, CPU s" for name in header[3:])], rows))
