"""The words that options take: those of each policy, as its annotations promise them, and the formats of files."""

from __future__ import annotations

from typing import get_args, get_type_hints

from cranfield.collection import Policy
from cranfield.collection.input_formats import input_formats

__all__ = ["CHOICES", "input_formats"]

CHOICES: dict[str, tuple[str, ...]] = {
    option: get_args(words) for option, words in get_type_hints(Policy).items() if get_args(words)
}
"""Policy -> its words, the default first."""
