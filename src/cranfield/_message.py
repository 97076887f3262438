"""Messages in two vocabularies: ``missing='empty'`` in Python is ``--missing empty`` in the shell.

A sentence names a parameter by ``setting``. What is shown is made by ``message``, in the words of Python; its parts say
which of them are settings, so that the command line can name them as its options, and touch nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cranfield._sanitize import printable, remove_credentials

OPEN, CLOSE = "\ufdd0", "\ufdd1"
"""What stands around a setting in a sentence that is being made: noncharacters, which are no part of any text."""
LONGEST = 200
"""Characters of a value in a message."""
SETTING = re.compile(f"{OPEN}([a-z_]+=[^{OPEN}{CLOSE}]*){CLOSE}")


def setting(name: str, *values: object) -> str:
    """A parameter in a sentence of a message, with the values that are meant, if any are.

    Args:
        name: of the parameter; or ``name=value`` where the value is not written as Python has it.
        values: one or several.
    """
    text = name if "=" in name else f"{name}={', '.join(map(name_value, values))}"
    return f"{OPEN}{text}{CLOSE}"


def name_value(value: object) -> str:
    """A value as messages write it; Python does not write out an integer of more than some thousand digits."""
    try:
        text = repr(value)
    except ValueError:
        return "a whole number of thousands of digits"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


class Message(str):
    """A line to be shown, in the words of Python.

    Args:
        parts: text and settings by turns, the first a text.
    """

    parts: tuple[str, ...]

    def __new__(cls, parts: Sequence[str]) -> Message:
        self = super().__new__(cls, "".join(parts))
        self.parts = tuple(parts)
        return self

    def __getnewargs__(self) -> tuple[tuple[str, ...]]:  # type: ignore[override]
        return (self.parts,)


def message(text: str) -> Message:
    """A line to be shown: no text of a file in it moves a terminal's cursor, and no address in it opens anything."""
    parts = SETTING.split(remove_credentials(for_sentence(text)))
    return Message(list(map(printable, parts)))


def for_sentence(text: str) -> str:
    """A text as a part of another sentence, in which the settings of a message stay settings."""
    if not isinstance(text, Message):
        return text
    return "".join(f"{OPEN}{part}{CLOSE}" if number % 2 else part for number, part in enumerate(text.parts))
