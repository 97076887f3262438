"""A chart as one page that works offline and may fetch nothing."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import vl_convert

from cranfield import escaping

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data: blob:">
"""


def page(spec: dict[str, Any]) -> str:
    """HTML with the chart's runtime and data inside; ``spec`` is Vega-Lite."""
    words = spec.get("title", {})
    text = words.get("text", "chart") if isinstance(words, dict) else words
    title = escaping.html(" ".join(text) if isinstance(text, list) else str(text), 200)
    options = json.dumps({"actions": False, "renderer": "svg", "ast": True})
    return (
        f"{HEAD}<title>{title}</title>\n<style>body {{ margin: 1em; }}</style>\n</head>\n"
        f'<body>\n<div id="chart"></div>\n<script>{_runtime()}</script>\n'
        f'<script>vegaEmbed("#chart", {for_script(spec)}, {options});</script>\n</body>\n</html>\n'
    )


def for_script(value: Any) -> str:
    """JSON that may stand inside a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _runtime() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script."""
    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script")
