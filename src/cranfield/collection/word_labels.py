"""Labels in words, and the numbers that they stand for: ``{"relevant": 2, "partial": 1, "not relevant": 0}``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from cranfield._message import name_value, setting
from cranfield._text import cut, quoted
from cranfield._validation import is_decimal, is_number
from cranfield.collection.column_names import holds
from cranfield.errors import UsageError

WordLabels: TypeAlias = Mapping[str, float] | None
"""Word -> the number that it stands for."""
EXAMPLE = {"relevant": 2, "partial": 1, "not relevant": 0}
BEFORE = {"trec": 3, "msmarco": 3, "beir": 2}
"""Layout of judgments -> the fields before the label, which is the remainder of the line."""


def check_word_labels(labels: WordLabels) -> dict[str, float]:
    """The numbers of words, as they are given.

    Raises:
        UsageError: not a mapping of words to numbers, a word that is a number already, or one with two numbers.
    """
    if not isinstance(labels, Mapping):
        raise UsageError(f"labels={name_value(labels)} should be a dict such as {EXAMPLE}")
    said = setting("labels", dict(labels))
    for text, number in labels.items():
        if not isinstance(text, str) or not text.strip():
            raise UsageError(f"{said}: {name_value(text)} should be a word that stands for a label")
        if is_decimal(text.strip()):
            raise UsageError(
                f"{said}: {quoted(cut(text))} is a number already, and stays it; words alone are given one"
            )
        if not is_number(number):
            raise UsageError(f"{said}: {quoted(cut(text))} is given {name_value(number)}: give a number")
    words: dict[str, float] = {}
    for text, number in labels.items():
        if words.setdefault(text.strip(), float(number)) != number:
            raise UsageError(f"{said}: {quoted(cut(text.strip()))} is there twice, with two numbers")
    return words


def read_word(value: Any, labels: WordLabels) -> Any:
    """The number of a label in words; any other label as it is."""
    return labels.get(value.strip(), value) if labels and isinstance(value, str) else value


def advise(value: Any) -> str:
    """Advise on reading a label that is not a number, as the end of a sentence; empty where it is not a word either."""
    text = value.strip() if isinstance(value, str) else ""
    if not re.match(r"[^\W\d_]", text) or text.lower() in ("nan", "inf", "infinity", "none", "null"):
        return ""
    return f"; if this word is a label, say for which number it stands, as in {setting('labels', {cut(text): 1})}"


def with_numbers(text: bytes, layout: str, labels: Mapping[str, float]) -> bytes:
    """Lines of judgments with numbers in the place of words; any other line as it is.

    Args:
        text: of a file.
        layout: of its lines.
        labels: the numbers of words.
    """
    numbers = {word.encode(): repr(number).encode() for word, number in labels.items()}
    lines = re.compile(rb"(?m)^([ \t]*(?:[^ \t\r\n]+[ \t]+){%d})([^\r\n]*)(?=\r*$)" % BEFORE[layout])
    first = lines.search(text)
    header = first.end() if first is not None and _names_columns(first[1].decode(errors="replace").split()) else 0
    return text[:header] + lines.sub(lambda line: line[1] + numbers.get(line[2].rstrip(), line[2]), text[header:])


def _names_columns(fields: Sequence[str]) -> bool:
    """Return whether the fields before a label are names of columns: then it is one too, and no judgment."""
    return holds(fields, "topic") and holds(fields, "document")
