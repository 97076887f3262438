"""Altair, which draws charts, and vl-convert, which writes them to files: imported by the first chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt
    import vl_convert
else:
    from cranfield._optional import Deferred

    alt, vl_convert = Deferred("altair"), Deferred("vl_convert")

__all__ = ["alt", "vl_convert"]
