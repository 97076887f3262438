"""Rows of a chart as data inside it: no file is fetched, and every value is valid JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
from altair.utils.schemapi import debug_mode


def inline(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Records as the data of a chart; a number that is not finite becomes null, which is not drawn."""
    values = [{field: _plain(value) for field, value in row.items()} for row in rows]
    # Altair would validate every row against the schema of all charts: ten seconds for 500 systems on 250 topics.
    with debug_mode(False):
        return alt.InlineData(values=values)


def _plain(value: object) -> object:
    """Python's own number, string or boolean."""
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain
