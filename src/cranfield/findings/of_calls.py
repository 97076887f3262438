"""Findings that depend on what a call asks for."""

from __future__ import annotations

from cranfield.findings.kind import declared


@declared(
    "left-out",
    "error",
    meaning="The run is refused and was left out, as `--keep-going` asks; the others were evaluated.",
    remedy="Correct what is named, and evaluate again.",
)
def _left_out(reason: str) -> str:
    return f"left out: {reason}"
