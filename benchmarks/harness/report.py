"""What an experiment found, as Markdown and as plain data."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from harness.measure import Measurement, Spread, cpu, peak, wall

MEGABYTE = 1e6
COST_HEADER = ("CPU s", "wall s", "peak MB")


@dataclass(frozen=True)
class Table:
    """Cells of text under a header."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        rule = ["-" * width for width in widths]
        lines = [
            "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
            for row in (self.header, rule, *self.rows)
        ]
        return "\n".join(lines)


@dataclass(frozen=True)
class Verdict:
    """A target beside what was measured; `passed` is None where it cannot be judged."""

    target: str
    measured: str
    passed: bool | None

    @property
    def word(self) -> str:
        return {True: "pass", False: "FAIL", None: "not judged"}[self.passed]


@dataclass
class Report:
    """One experiment: its tables, its verdicts, and every single measurement."""

    name: str
    title: str
    tables: list[Table] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    measurements: Mapping[str, Sequence[Measurement]] = field(default_factory=dict)

    def markdown(self) -> str:
        parts = [f"## {self.name}: {self.title}", *(table.markdown() for table in self.tables)]
        if self.verdicts:
            rows = [(verdict.target, verdict.measured, verdict.word) for verdict in self.verdicts]
            parts.append(Table(("target", "measured", "verdict"), rows).markdown())
        if self.notes:
            parts.append("\n".join(f"- {note}" for note in self.notes))
        return "\n\n".join(parts) + "\n"

    def data(self) -> dict[str, object]:
        """Everything, ready for JSON."""
        costs = {
            name: [{"cpu": one.cpu, "wall": one.wall, "peak": one.peak, "status": one.status} for one in several]
            for name, several in self.measurements.items()
        }
        verdicts = [asdict(verdict) for verdict in self.verdicts]
        tables = [asdict(table) for table in self.tables]
        return {
            **{"name": self.name, "title": self.title, "measurements": costs},
            **{"verdicts": verdicts, "notes": self.notes, "tables": tables},
        }


def cost_cells(measurements: Sequence[Measurement]) -> list[str]:
    """Median and range of CPU seconds, wall seconds and peak memory."""
    return [
        spread_text(Spread.of(map(cpu, measurements))),
        spread_text(Spread.of(map(wall, measurements))),
        f"{Spread.of(map(peak, measurements)).median / MEGABYTE:.0f}",
    ]


def spread_text(spread: Spread, unit: str = "") -> str:
    """Median (lowest..highest), to three digits."""
    return f"{significant(spread.median)}{unit} ({significant(spread.low)}..{significant(spread.high)})"


def significant(value: float) -> str:
    """Three digits, never in exponent notation."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    return f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def at_most(target: str, value: float | None, bound: float, unit: str, *, judge: bool) -> Verdict:
    """A target met by values up to the bound; `value` is None where nothing was measured."""
    if value is None:
        return Verdict(target, "not measured", None)
    return Verdict(target, f"{significant(value)}{unit}", value <= bound if judge else None)


def at_least(target: str, value: float | None, bound: float, unit: str, *, judge: bool) -> Verdict:
    """A target met by values from the bound on; `value` is None where nothing was measured."""
    if value is None:
        return Verdict(target, "not measured", None)
    return Verdict(target, f"{significant(value)}{unit}", value >= bound if judge else None)
