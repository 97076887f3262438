"""Corrections of many p by statsmodels."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from statsmodels.stats import multitest


def multipletests(*given: Any, **named: Any) -> Any:
    """As statsmodels has it, whose Holm's method ends with a search for garbage: here among all that tests made."""
    with patch("gc.collect"):
        return multitest.multipletests(*given, **named)
