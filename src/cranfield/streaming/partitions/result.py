"""The result of an evaluation part by part: sums over all topics, without the scores of single ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.findings.finding import Finding
from cranfield.results.frames import sort_by_size
from cranfield.results.result import PAIRS_FOR_PEOPLE, PAPER, Result, Tables
from cranfield.results.sheet import Sheet, shorten_signature
from cranfield.scoring.paired_differences import PairedTest
from cranfield.scoring.partial_sums import PartTotals

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class PartitionedScores(Result):
    """Means of runs that were scored part by part, with the uncertainty of a mean over that many topics.

    The means are those of ``evaluate_means``: sums without rounding, rounded once, whatever the parts and their order.
    The table ``means`` has a row for each ``system`` and ``measure``: its ``mean``, the ``standard_error`` of that, its
    interval over topics like these, ``low`` to ``high`` (Student's t; missing for what is not a mean, and of one
    topic), the ``topics`` that have a score, and judged topics of which nothing was retrieved (``missing``).

    The table ``differences`` has a row for every two systems and ``measure``, the better one first: the mean
    ``difference`` and its interval, ``low`` to ``high``, of the pair by itself; the ``statistic`` and ``p`` of the
    paired t-test; ``p_adjusted`` by Holm for the pairs of all systems by that measure; and the ``topics`` of both. The
    table ``slices`` has a row for each ``slice``, ``system`` and ``measure``, as ``means`` has it. The table ``failed``
    has a row for each ``part`` that could not be scored, with its ``error``.

    Args:
        totals: system -> what its topics come to.
        failed: parts that could not be scored and runs that could not be read, and why; the totals are without them.
        settings: what was asked for, defaults included.
        signature: version, engine, measures, policies, and what the data sets are.
        remarks: what a careful reader should know of the data.
        tests: of every two systems by each measure; none of one system.
        slices: slice -> system -> what its topics come to.
    """

    totals: dict[str, PartTotals]
    failed: tuple[tuple[str, str], ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    signature: dict[str, Any] = field(default_factory=dict)
    remarks: tuple[Finding, ...] = ()
    tests: tuple[PairedTest, ...] = ()
    slices: dict[str, dict[str, PartTotals]] = field(default_factory=dict)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names, in their order."""
        return tuple(self.totals)

    @property
    def means(self) -> dict[str, dict[str, float]]:
        """System -> measure -> mean over topics, or what else the measure declares as its summary."""
        return {system: total.means for system, total in self.totals.items()}

    def _tables(self) -> Tables:
        optional: dict[str, tuple[bool, Callable[[], pd.DataFrame]]] = {
            "differences": (bool(self.tests), self._differences),
            "slices": (bool(self.slices), self._slices),
            "failed": (bool(self.failed), self._failures),
        }
        return {"means": self._means, **{name: make for name, (is_there, make) in optional.items() if is_there}}

    @property
    def failures(self) -> list[str]:
        """The parts and runs that are left out, with the reason."""
        return [error if name in error else f"{name}: {error}" for name, error in self.failed]

    def caption(self, table: str) -> str:
        """Explain the intervals and tests of a table."""
        level = f"{self.level:.0%}"
        if table == "differences":
            return (
                f"paired t-tests; interval: {level} interval of each pair by itself; p_adjusted: Holm's correction "
                "over the pairs of a measure"
            )
        over = ", over topics like these" if table == "means" else ""
        return f"interval: {level} t interval of each mean by itself{over}" if table in ("means", "slices") else ""

    def own_text(self, format: str, table: str, *, plain: bool) -> str:
        """Write means, differences and slices below each other; a format for programs holds one table of them."""
        if format == "json":
            return self.to_json()
        frames = {name: frame for name, frame in self.frames().items() if self.caption(name)}
        if format in ("tsv", "csv"):
            frame = frames.get("slices", frames["means"])
            return Sheet.from_frame(frame, "", self.signature).text(format, plain=plain)
        for_people = format not in PAPER
        marked = "" if for_people else f"; {shorten_signature(self.signature)}"
        texts = []
        for name, frame in frames.items():
            rows, left_out = _select_largest(frame) if for_people and name == "differences" else (frame, "")
            caption = "\n".join(filter(None, [left_out, self.caption(name) + marked, *self._unsaid("")]))
            texts.append(
                Sheet.from_frame(rows, caption, self.signature).text("table" if for_people else format, plain=plain)
            )
        return "\n".join(texts)

    @property
    def level(self) -> float:
        """Level of the intervals."""
        return float(self.settings.get("level", 0.95))

    def _means(self) -> pd.DataFrame:
        import pandas as pd

        rows = [
            row | {"missing": total.missing}
            for name, total in self.totals.items()
            for row in self._make_rows(name, total)
        ]
        return pd.DataFrame(rows)

    def _make_rows(self, system: str, total: PartTotals) -> Iterator[dict[str, Any]]:
        """A row for each measure."""
        errors, intervals = total.standard_errors, total.intervals(self.level)
        for name, mean in total.means.items():
            low, high = intervals[name]
            row = {"system": system, "measure": name, "mean": mean, "standard_error": errors[name]}
            yield row | {"low": low, "high": high, "topics": total.counts[name]}

    def _differences(self) -> pd.DataFrame:
        import pandas as pd

        rows = []
        for test in self.tests:
            difference = test.difference
            low, high = difference.interval(self.level)
            row = {"system": test.system, "other": test.other, "measure": test.measure, "difference": difference.mean}
            row |= {
                "low": low,
                "high": high,
                "statistic": difference.statistic,
                "p": difference.p,
                "p_adjusted": test.p_adjusted,
            }
            rows.append(row | {"topics": difference.topics})
        return pd.DataFrame(rows)

    def _slices(self) -> pd.DataFrame:
        import pandas as pd

        every = [(name, system, total) for name, totals in self.slices.items() for system, total in totals.items()]
        return pd.DataFrame(
            [{"slice": name} | row for name, system, total in every for row in self._make_rows(system, total)]
        )

    def _failures(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self.failed, columns=["part", "error"])


def _select_largest(pairs: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Select the largest differences of each measure, as many as other commands print, with a note on the others."""
    largest = sort_by_size(pairs).groupby("measure", sort=False).head(PAIRS_FOR_PEOPLE)
    if len(largest) == len(pairs):
        return pairs, ""
    largest = largest.sort_values(
        "measure", key=lambda names: names.map(list(pairs["measure"].unique()).index), kind="stable"
    )
    note = f"{len(largest):,} of {len(pairs):,} pairs, the largest differences of each measure first"
    return largest, f"{note}; -f json holds all"
