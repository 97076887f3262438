"""Writes charts to files without a browser or the network, also as pages that work offline, and darkens them."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from cranfield import escaping
from cranfield._html import for_script, policy
from cranfield._text import quoted
from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.io.atomic_write import write_bytes
from cranfield.plot._altair import vl_convert
from cranfield.plot._theme import BLACK, FRAME, GRID, INK, NOTE, PAPER, QUIET, SEQUENTIAL, WIDTH, Chart

NO_ADDRESS = ["data:cranfield.invalid/"]
"""The only address that data may be fetched from does not exist."""

Theme = Literal["light", "dark"]


class Drawable(Protocol):
    """A chart of Altair, with the method that files and pages need."""

    def to_dict(self, validate: bool = True) -> dict[str, Any]:
        """Return the chart as Vega-Lite."""
        ...


def save(
    chart: Drawable,
    path: str | os.PathLike[str],
    *,
    width: int | None = None,
    pixel_ratio: float = 2.0,
    theme: Theme = "light",
) -> None:
    """Write a chart to a file, completely or not at all, in the format of the name's ending.

    Args:
        chart: of this package, or any Altair chart with inline data.
        path: ends in ``.html`` (one page that works offline), ``.svg``, ``.png``, ``.pdf`` or ``.json`` (Vega-Lite).
        width: of the plotting area, pixels; the chart's own where None.
        pixel_ratio: pixels of a PNG for each of the chart's.
        theme: ``light``, for print and light pages, or ``dark``, for dark ones.

    Raises:
        UsageError: another ending or theme.
        InputError: the folder is not there or cannot be written to.
    """
    target = Path(path)
    write_bytes(target, render(chart, target.suffix.lower(), width=width, pixel_ratio=pixel_ratio, theme=theme))


def render(
    chart: Drawable, ending: str, *, width: int | None = None, pixel_ratio: float = 2.0, theme: Theme = "light"
) -> bytes:
    """Render a chart in the format of a file's ending, with its dot; see ``save``."""
    endings = (".html", ".svg", ".png", ".pdf", ".json")
    if ending not in endings:
        raise UsageError(f"{quoted(ending)} is not an ending of a chart's file: {', '.join(endings)}")
    word("theme", theme, get_args(Theme))
    spec = _set_width(chart.to_dict(validate=False), width)  # its parts were validated when they were made
    spec = darken_spec(spec) if theme == "dark" else spec
    version = "v" + ".".join(spec["$schema"].rsplit("/v", 1)[1].split(".")[:2])
    options: dict[str, Any] = {"vl_version": version, "allowed_base_urls": NO_ADDRESS}
    match ending:
        case ".html":
            return make_page(spec).encode()
        case ".svg":
            return vl_convert.vegalite_to_svg(spec, **options).encode()
        case ".png":
            return bytes(vl_convert.vegalite_to_png(spec, scale=pixel_ratio, **options))
        case ".pdf":
            return bytes(vl_convert.vegalite_to_pdf(spec, **options))
    return (json.dumps(spec, indent=1, allow_nan=False) + "\n").encode()


def _set_width(spec: dict[str, Any], width: int | None) -> dict[str, Any]:
    """Set the width of every panel in pixels, as a file has no container to fill."""
    if "vconcat" in spec:
        return {**spec, "vconcat": [_set_width(panel, width) for panel in spec["vconcat"]]}
    if width is None and spec.get("width") != "container":
        return spec
    return {**spec, "width": WIDTH if width is None else width}


STYLE = """
body { margin: 1em; font-family: Helvetica, Arial, sans-serif; background: PAPER; }
#tip { position: fixed; background: white; border: 1px solid #b5b5b5; padding: 4px 8px; font-size: 12px; }
#tip span { color: #6b6b6b; margin-right: .6em; }
"""
SCRIPT = """
"use strict";
const tip = document.getElementById("tip");
const tooltip = (_, event, __, value) => {
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const pairs = typeof value === "object" ? Object.entries(value) : [["", value]];
  tip.replaceChildren(...pairs.map(([key, text]) => {
    const line = document.createElement("div"), name = document.createElement("span");
    name.textContent = key;
    line.append(name, String(text));
    return line;
  }));
  tip.style.left = Math.max(4, Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = Math.max(4, Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8)) + "px";
};
const spec = JSON.parse(document.getElementById("data").textContent);
// Vega warns (2) of extents that are empty before data arrive; errors (1) are shown.
const options = { actions: false, renderer: "svg", ast: true, defaultStyle: false, tooltip, hover: false, logLevel: 1 };
vegaEmbed("#chart", spec, options);
"""


def make_page(spec: dict[str, Any]) -> str:
    """Make a page with the runtime and data of a chart inside; ``spec`` is Vega-Lite.

    The policy in the head names the scripts that may run and the style by their hashes; the data are text.
    """
    heading = spec.get("title", {})
    text = heading.get("text", "chart") if isinstance(heading, dict) else heading
    title = escaping.html(" ".join(text) if isinstance(text, list) else str(text), 200)
    ground = str(spec.get("config", {}).get("background"))
    style = STYLE.replace("PAPER", ground if re.fullmatch("#[0-9a-fA-F]{6}", ground) else "white")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy((runtime(), SCRIPT), style)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n"
        f'<body>\n<div id="chart"></div>\n<div id="tip" hidden></div>\n'
        f'<script type="application/json" id="data">{for_script(spec)}</script>\n'
        f"<script>{runtime()}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


@cache
def runtime() -> str:
    """Return Vega, Vega-Lite and Vega-Embed in one script."""
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


DARK = {
    PAPER: "#14181e",
    BLACK: "#f2f4f7",
    INK: "#e6e9ee",
    NOTE: "#b9c1cc",
    QUIET: "#a7b0bd",
    FRAME: "#4a5361",
    GRID: "#343c48",
    **dict(zip(SEQUENTIAL, ("#1e2632", "#204a78", "#468cc8", "#bee0ff"), strict=True)),
}
"""Colour of the theme -> its dark counterpart; the ground is that of the report's dark pages."""
DATA = ("data", "datasets")
"""Parts of a chart in which a string is not a colour."""


def darken(chart: Chart) -> Chart:
    """Return the chart for a dark page: light ink on dark ground; colours of systems and measures do not change.

    Args:
        chart: of this package.
    """
    dark: Chart = type(chart).from_dict(darken_spec(chart.to_dict()))
    return dark


def darken_spec(spec: Any) -> Any:
    """Return Vega-Lite with the colours of a dark page."""
    if isinstance(spec, dict):
        return {key: value if key in DATA else darken_spec(value) for key, value in spec.items()}
    if isinstance(spec, list):
        return [darken_spec(value) for value in spec]
    return DARK.get(spec, spec) if isinstance(spec, str) else spec
