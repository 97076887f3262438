"""A chart as one page that works offline, may fetch nothing, and runs only what is in it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import vl_convert

from cranfield import escaping
from cranfield._html import for_script, policy

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


def page(spec: dict[str, Any]) -> str:
    """HTML with the chart's runtime and data inside; ``spec`` is Vega-Lite.

    The policy in the head names what may run and what styles by their hashes; the data are text.
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
    """Vega, Vega-Lite and Vega-Embed in one script."""
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
