"""Documents at the top of runs that one judge did not judge and another did: a reason why conclusions differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield._message import call_setting
from cranfield._text import percent, shown
from cranfield.agreement._answers import describe_remedy
from cranfield.agreement.ranking_agreement import UNJUDGED, Agreement

if TYPE_CHECKING:
    import pandas as pd

DIFFERENT = 0.02
"""Difference of two judges' shares, of one run or of all, above which it is said."""
MANY = 0.2
"""Share that no judge of several knows above which it is said."""
COUNTS = "counts as not relevant"
MOST = 5
"""Judges that a sentence names."""


@dataclass(frozen=True)
class UnjudgedShares:
    """Shares of the first documents of runs that judges did not judge, on the topics of each.

    Args:
        first: how many documents of each list are looked at: the cutoff of the measure, ten at most.
        fate: what becomes of those that are not judged; empty where the measure looks at judged documents alone.
        shares: judge -> run -> share.
    """

    first: int
    fate: str
    shares: Mapping[str, Mapping[str, float]]

    @property
    def any(self) -> bool:
        """Return whether any document is unjudged."""
        return any(share > 0 for shares in self.shares.values() for share in shares.values())

    def average_share(self, name: str) -> float:
        """Return the mean share of all runs."""
        shares = self.shares[name].values()
        return sum(shares) / len(shares) if shares else float("nan")

    def settings(self) -> dict[str, Any]:
        """Describe the shares for a signature."""
        return {"first": self.first, **{name: round(self.average_share(name), 4) for name in self.shares}}

    def join(self, agreed: Agreement) -> Agreement:
        """Add the shares to the table of agreement on systems."""
        table = agreed.table.copy()
        table[UNJUDGED[0]] = [self.average_share(str(name)) for name in table.index]
        table[UNJUDGED[1]] = self.average_share(agreed.reference)
        return replace(agreed, table=table)

    def to_frame(self) -> pd.DataFrame:
        """Make a row for each judge and run."""
        import pandas as pd

        rows = [(judge, run, self.first, share) for judge, by in self.shares.items() for run, share in by.items()]
        return pd.DataFrame(rows, columns=["judge", "system", "first", "unjudged"])

    def sentences(self, *, common: bool) -> Iterator[str]:
        """Say where judges did not judge the same documents, what that does, and what to do.

        Args:
            common: whether only documents that all judged are kept.
        """
        if not self.fate or not self.any:
            return
        means = {name: self.average_share(name) for name in self.shares}
        alone = f"alone ({call_setting('unjudged', 'condense')})" if self.fate == COUNTS else ""
        spread = max((self._spread(run) for shares in self.shares.values() for run in shares), default=0.0)
        first = f"first {self.first} documents" if self.first > 1 else "first document of runs"
        if spread > DIFFERENT:
            ordered = sorted(means, key=lambda name: -means[name])
            named = ", ".join(f"{shown(name)} {percent(means[name])}" for name in ordered[:MOST])
            more = f" and {len(ordered) - MOST:,} more less" if len(ordered) > MOST else ""
            yield (
                f"share of the {first} that is not judged, and {self.fate}: {named}{more}; means and orders differ for "
                f"that reason too: {describe_remedy()}" + (f", and lists of these documents {alone}" if alone else "")
            )
        elif common and max(means.values()) > MANY:
            yield (
                f"{percent(max(means.values()))} of the {first} is not judged by all, and {self.fate} by every judge"
                + (f": keep lists of the others {alone}" if alone else "")
            )

    def _spread(self, run: str) -> float:
        """Return the difference of the largest and the smallest share of a run."""
        shares = [by[run] for by in self.shares.values() if run in by]
        return max(shares) - min(shares)
