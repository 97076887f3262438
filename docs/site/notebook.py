"""A notebook with its stored outputs as a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def as_markdown(path: Path) -> str:
    """The cells in order; of an output its HTML or its picture where there is one, else its text."""
    cells = json.loads(path.read_text())["cells"]
    return "\n\n".join(part for cell in cells for part in _cell(cell)) + "\n"


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "text/html" in data:
            yield "```{raw} html\n<div class='output'>" + "".join(data["text/html"]) + "</div>\n```"
        elif "image/svg+xml" in data:
            yield "```{raw} html\n<div class='output'>" + "".join(data["image/svg+xml"]) + "</div>\n```"
        else:
            yield "```text\n" + "".join(data.get("text/plain", output.get("text", []))).rstrip() + "\n```"
