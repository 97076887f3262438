"""What an evaluation part by part gives: sums over all topics, and no score of a single one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.findings.finding import Finding
from cranfield.results.result import Result, Tables
from cranfield.scoring.partial import Totals

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class PartitionedScores(Result):
    """Means of runs that were scored part by part, with what a mean over so many topics is worth.

    The means are those of ``evaluate_means``: sums without rounding, rounded once, whatever the parts and their order.

    Args:
        totals: system -> what its topics come to.
        failed: parts that could not be scored, and why; the totals are without them.
        settings: what was asked for, defaults included.
        signature: version, engine, measures, policies, and what the data sets are.
        remarks: what a careful reader should know of the data.
    """

    totals: dict[str, Totals]
    failed: tuple[tuple[str, str], ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    signature: dict[str, Any] = field(default_factory=dict)
    remarks: tuple[Finding, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Names, in the order given."""
        return tuple(self.totals)

    @property
    def means(self) -> dict[str, dict[str, float]]:
        """System -> measure -> mean over topics, or what else the measure declares as its summary."""
        return {system: total.means for system, total in self.totals.items()}

    def _tables(self) -> Tables:
        tables = {"means": self._means}
        return {**tables, "failed": self._failures} if self.failed else tables

    def _means(self) -> pd.DataFrame:
        import pandas as pd

        rows = [
            {
                "system": system,
                "measure": name,
                "mean": mean,
                "standard_error": math.sqrt(total.variances[name] / max(total.counts[name], 1)),
                "topics": total.counts[name],
                "missing": total.missing,
            }
            for system, total in self.totals.items()
            for name, mean in total.means.items()
        ]
        return pd.DataFrame(rows)

    def _failures(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self.failed, columns=["part", "error"])
