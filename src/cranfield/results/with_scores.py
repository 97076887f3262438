"""Results one of whose tables are scores that other analyses read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.results.result import Result
from cranfield.results.sheet import Sheet
from cranfield.scores.dataset import make_table
from cranfield.scores.rows import HEADER, as_text, list_rows

if TYPE_CHECKING:
    import xarray as xr


class ResultWithScores(Result):
    """A result whose table ``scores`` is written as a file of scores, but for people."""

    scores: xr.DataArray

    def own_text(self, format: str, table: str, *, plain: bool) -> str | None:
        """Write the scores as the file of scores that other analyses read."""
        if table != "scores" or format == "table":
            return None
        return as_text(make_table(self.scores), format, by_topic=True)

    def sheet(
        self, table: str | None = None, format: str = "table", limit: int | None = None, *, pairs: str = ""
    ) -> Sheet:
        """One table with its words; for programs the scores are rows of a file of scores."""
        if table != "scores" or format == "table":
            return super().sheet(table, format, limit, pairs=pairs)
        rows = list_rows(make_table(self.scores), by_topic=True, summary=format not in ("tsv", "csv"))
        return Sheet(HEADER, list(rows), "", self.signature)
