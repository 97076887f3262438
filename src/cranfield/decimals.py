"""What counts as a decimal number in every text that is read: digits, one point, an exponent; no inf, nan or 1_000."""

from __future__ import annotations

import re

DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
DECIMAL_BYTES = re.compile(DECIMAL.pattern.encode())


def is_decimal(text: str) -> bool:
    """Whether all of a text is one decimal number."""
    return DECIMAL.fullmatch(text) is not None


def is_decimal_bytes(text: bytes) -> bool:
    """The same of bytes."""
    return DECIMAL_BYTES.fullmatch(text) is not None
