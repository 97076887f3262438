"""Rows of a chart as data that stand inside it: no file is fetched, and nothing is left that JSON cannot say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt


def inline(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Records as the data of a chart; a number that is not finite becomes null, which is not drawn."""
    return alt.InlineData(values=[{field: _plain(value) for field, value in row.items()} for row in rows])


def _plain(value: Any) -> Any:
    """Python's own number, text or truth value."""
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain
