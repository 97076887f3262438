"""Charts as files, without a browser and without the network."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import vl_convert

from cranfield._text import quoted
from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.io.atomic_write import write_bytes
from cranfield.plot.darkening import darkened
from cranfield.plot.page import page
from cranfield.plot.theme import WIDTH

NO_ADDRESS = ["data:cranfield.invalid/"]
"""Addresses that data may be fetched from: none that exists."""

Theme = Literal["light", "dark"]


class Drawable(Protocol):
    """A chart of Altair, as far as a file or a page needs it."""

    def to_dict(self, validate: bool = True) -> dict[str, Any]:
        """Vega-Lite."""
        ...


def save(
    chart: Drawable,
    path: str | os.PathLike[str],
    *,
    width: int | None = None,
    scale: float = 2.0,
    theme: Theme = "light",
) -> None:
    """Write a chart to a file, whole or not at all, in the format that the name ends in.

    Args:
        chart: of this package, or any Altair chart with inline data.
        path: ends in ``.html`` (one page that works offline), ``.svg``, ``.png``, ``.pdf`` or ``.json`` (Vega-Lite).
        width: of the plotting area, pixels; the chart's own where None.
        scale: pixels of a PNG for each of the chart's.
        theme: ``light``, for print and light pages, or ``dark``, for dark ones.

    Raises:
        UsageError: another ending or theme.
        InputError: the folder is not there or cannot be written to.
    """
    target = Path(path)
    write_bytes(target, rendered(chart, target.suffix.lower(), width=width, scale=scale, theme=theme))


def rendered(
    chart: Drawable, ending: str, *, width: int | None = None, scale: float = 2.0, theme: Theme = "light"
) -> bytes:
    """A chart in the format of a file's ending, with its dot; see ``save``."""
    endings = (".html", ".svg", ".png", ".pdf", ".json")
    if ending not in endings:
        raise UsageError(f"{quoted(ending)} is no ending of a chart's file: {', '.join(endings)}")
    word("theme", theme, get_args(Theme))
    spec = _sized(chart.to_dict(validate=False), width)  # its parts were validated when they were made
    spec = darkened(spec) if theme == "dark" else spec
    version = "v" + ".".join(spec["$schema"].rsplit("/v", 1)[1].split(".")[:2])
    options: dict[str, Any] = {"vl_version": version, "allowed_base_urls": NO_ADDRESS}
    match ending:
        case ".html":
            return page(spec).encode()
        case ".svg":
            return vl_convert.vegalite_to_svg(spec, **options).encode()
        case ".png":
            return bytes(vl_convert.vegalite_to_png(spec, scale=scale, **options))
        case ".pdf":
            return bytes(vl_convert.vegalite_to_pdf(spec, **options))
    return (json.dumps(spec, indent=1, allow_nan=False) + "\n").encode()


def _sized(spec: dict[str, Any], width: int | None) -> dict[str, Any]:
    """With a width in pixels, in every panel: a file has no container to fill."""
    if "vconcat" in spec:
        return {**spec, "vconcat": [_sized(panel, width) for panel in spec["vconcat"]]}
    if width is None and spec.get("width") != "container":
        return spec
    return {**spec, "width": WIDTH if width is None else width}
