"""The signature of an analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.scores.signature import package_version


def signed(analysis: str, settings: Mapping[str, Any], **inputs: Any) -> dict[str, Any]:
    """All that changes the numbers of an analysis.

    Args:
        analysis: what it is called.
        settings: what was asked for.
        inputs: signatures or hashes of what it is made from.
    """
    return {"cranfield": package_version(), "analysis": analysis, "settings": dict(settings), **inputs}
