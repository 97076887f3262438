"""Messages in two vocabularies: ``missing='empty'`` in Python is ``--missing empty`` in the shell.

Untrusted text in them is made safe to print: invisible characters are written out, credentials in addresses removed.

A sentence names a parameter by ``setting``. What is shown is made by ``message``, in the words of Python; its parts say
which of them are settings, so that the command line can name them as its options, and touch nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextvars import ContextVar

REMOVED = "..."
"""The text that replaces a credential."""
ADDRESS = r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+:/{1,2})"
"""The beginning of an address; one that was read as a path has lost a slash."""
USER = r"[^\s/?#]*@"
"""User and password, in front of the last ``@`` of a host."""
UNQUOTED = r"""(?![^\s/:@]*:\d*/)[^\s/:@'"]+:[^\s@'",]*@"""
"""A secret that holds a slash, which should be written ``%2F``; no port and no path behind it."""
CREDENTIALS = re.compile(f"{ADDRESS}(?:{USER}|{UNQUOTED})")
CONTAINER = re.compile(r"(abfs|wasb)s?:/{1,2}[^\s/:@]+@", re.IGNORECASE)
"""The name of a container that Azure writes in front of ``@``, which is not a secret."""
QUERY = re.compile(ADDRESS + r"[^\s'\"<>]*[?#][^\s'\"<>]*")
VALUE = re.compile(r"(?<=[?#&;])([^\s=&;?#]+)=(?P<value>[^\s&;#'\"<>]*[^\s&;#'\"<>:,.)])")


def printable(text: str, keep: str = "") -> str:
    """The text with control and invisible characters written out, but for those to ``keep``.

    >>> printable("a\\x1b[1mb\\u202ec")
    'a\\\\x1b[1mb\\\\u202ec'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode() for char in text
    )


def remove_credentials(text: str) -> str:
    """The text without what addresses in it hold to open them: users, passwords, and all values behind ``?``.

    >>> remove_credentials("s3://KEY:SECRET@lake/runs?region=eu: cannot be read")
    's3://lake/runs?region=...: cannot be read'
    """
    if ":/" not in text:
        return text
    text = CREDENTIALS.sub(lambda match: match[0] if CONTAINER.fullmatch(match[0]) else match["scheme"], text)
    return QUERY.sub(lambda match: VALUE.sub(rf"\1={REMOVED}", match[0]), text)


def secrets_in(address: str) -> list[str]:
    """List what ``remove_credentials`` takes out of an address, each by itself, as a library may repeat it."""
    from urllib.parse import unquote  # here: few calls name an address

    secrets = []
    for user in CREDENTIALS.finditer(address):
        secrets += [] if CONTAINER.fullmatch(user[0]) else user[0].removeprefix(user["scheme"])[:-1].split(":", 1)
    for query in QUERY.finditer(address):
        secrets += [value["value"] for value in VALUE.finditer(query[0])]
    return [form for secret in secrets for form in dict.fromkeys((secret, unquote(secret))) if form]


OPEN, CLOSE = "\ufdd0", "\ufdd1"
"""Marks around a setting in a sentence that is being made: noncharacters, which are not part of any text."""
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
    """A value as messages write it, of 200 characters at most; a table or an array by its kind and shape alone.

    Python does not write out an integer of more than some thousand digits. A relation of a database would be computed
    to be written.
    """
    if isinstance(value, (list, tuple)) and any(map(_is_table, value)):
        text = ", ".join(map(name_value, value[:MEMBERS])) + ", ..." * (len(value) > MEMBERS)
        text = f"[{text}]"
    elif _is_table(value):
        # That of a relation of a database would be computed.
        kind, shape = type(value), getattr(value, "shape", None) if hasattr(type(value), "__array__") else None
        size = " of " + " x ".join(map(str, shape)) if isinstance(shape, tuple) else ""
        text = f"a {kind.__name__} of {kind.__module__.partition('.')[0].lstrip('_')}{size}"
    else:
        try:
            text = repr(value)
        except ValueError:
            return "a whole number of thousands of digits"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


MEMBERS = 3
"""Members of a list of tables that a message names."""
TABLES = ("columns", "dims", "__arrow_c_stream__", "__arrow_c_array__", "__narwhals_dataframe__", "__array__")
"""Attributes of the types of tables and arrays; a number of NumPy has one of them, too, and no dims."""


def _is_table(value: object) -> bool:
    return any(hasattr(type(value), name) for name in TABLES) and getattr(value, "shape", None) != ()


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


naming: ContextVar[Callable[[str], str]] = ContextVar("naming", default=str)
"""Names the settings in captions: as in Python, or, while a command runs, as its options."""


def call_setting(name: str, *values: object) -> str:
    """A parameter in a caption, in the words of whoever reads it; see ``setting`` for those in messages."""
    return naming.get()(message(setting(name, *values)))


def join_lines(lines: Sequence[str]) -> Message:
    """Several messages, each in a line of its own, as one."""
    parts = [""]
    for line in lines:
        first, *further = line.parts if isinstance(line, Message) else (line,)
        parts = [*parts[:-1], parts[-1] + first, *further]
        parts[-1] += "\n"
    return Message(parts)


def for_sentence(text: str) -> str:
    """A text as a part of another sentence, in which the settings of a message stay settings."""
    if not isinstance(text, Message):
        return text
    return "".join(f"{OPEN}{part}{CLOSE}" if number % 2 else part for number, part in enumerate(text.parts))
