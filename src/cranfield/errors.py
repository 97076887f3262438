"""Every exception and warning of the package.

    CranfieldError
    ├── InputError            the data is refused (exit status 1)
    │   ├── FormatError       one line of a file, named FILE:LINE
    │   ├── TopicError        runs and qrels do not fit together
    │   └── MissingPackageError   a package that is needed is not installed; an ImportError, too
    └── UsageError            the call is wrong (exit status 2)
        └── MeasureError      an unknown measure, or a parameter it does not take
    CranfieldWarning          something worth knowing about the data; never changes a result in silence

``InputError`` and its kinds carry what their message says as attributes, for programs: see the class. ``EngineError``
is internal: the engines raise it with a code, and ``cranfield.io`` words it for people.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Protocol

from cranfield._message import for_sentence, message, printable, remove_credentials

__all__ = [
    "CranfieldError",
    "CranfieldWarning",
    "FormatError",
    "InputError",
    "MeasureError",
    "MissingPackageError",
    "TopicError",
    "UsageError",
]

TRACEBACK = "CRANFIELD_TRACEBACK"
"""The environment variable that turns tracebacks on."""


class Located(Protocol):
    """A place in the data (``findings.location.Location``); prints itself as ``FILE:LINE`` or ``FILE``."""

    @property
    def path(self) -> str:
        """The path of the file."""

    @property
    def line(self) -> int | None:
        """The line, from 1."""


class CranfieldError(Exception):
    """Base of every error that cranfield raises on purpose.

    Args:
        text: the message; whatever text of a file is in it is safe to print.

    >>> import cranfield
    >>> try:
    ...     cranfield.read_run("missing.run")
    ... except cranfield.CranfieldError as error:
    ...     print(error)
    missing.run: no such file
    """

    def __init__(self, text: str = "") -> None:
        super().__init__(message(text))


class InputError(CranfieldError, ValueError):
    """The data given cannot be used as it is; the message says what to do about it.

    Args:
        text: what is wrong and what to do; the message is the location, a colon and this text.
        location: of the error; for data in memory, what messages call it.
        code: in one word, the same in every version; those of files stand in the documentation of ``check``.
        value: what was read there, or the id that it is about.

    Attributes:
        text: the message without its location.
        path: of the file as it was named, without credentials, ``-`` for standard input; empty for data in memory.
        line: from 1, in the unpacked file; None where the error concerns no single line.
        code: what is wrong, in one word; empty where none is documented.
        value: as in the file, not escaped, of a long one the first 80 characters; empty where it is about no single
            value.

    >>> import cranfield
    >>> try:
    ...     cranfield.evaluate({"q1": {"d1": float("nan")}}, {"q1": {"d1": 1}})
    ... except cranfield.InputError as error:
    ...     print(error.code)
    score
    """

    def __init__(self, text: str, location: Located | str | None = None, *, code: str = "", value: str = "") -> None:
        super().__init__(text if location is None else f"{location}: {for_sentence(text)}")
        self.text = message(text)
        self.path = "" if location is None or isinstance(location, str) else remove_credentials(location.path)
        self.line = None if location is None or isinstance(location, str) else location.line
        self.code = code
        self.value = value


class FormatError(InputError):
    """A line of a file is not in its format; the message begins with ``FILE:LINE:``."""


def refusal(text: str, location: Located | str, *, code: str, value: str = "") -> InputError:
    """A ``FormatError`` where the location is a line of a file, otherwise an ``InputError``."""
    error = InputError(text, location, code=code, value=value)
    return error if error.line is None else FormatError(text, location, code=code, value=value)


class TopicError(InputError):
    """Runs and judgments do not share topics, or a judged topic is missing where that is refused."""


class MissingPackageError(InputError, ModuleNotFoundError):
    """A package that a request needs is not installed; the message says how to install it.

    Args:
        text: what needs it, and how to install it.
        location: of the file that needs it.
        package: the name that is imported.

    >>> import cranfield
    >>> issubclass(cranfield.errors.MissingPackageError, ImportError)
    True
    """

    path: str

    def __init__(self, text: str, location: Located | str | None = None, package: str = "") -> None:
        super().__init__(text, location, code="package", value=package)
        self.name = package


class UsageError(CranfieldError, ValueError):
    """The arguments contradict each other or lie outside their range.

    >>> import cranfield
    >>> try:
    ...     cranfield.evaluate({"q1": {"d1": 1.0}}, {"q1": {"d1": 1}}, "AP", ties="random")
    ... except cranfield.UsageError as error:
    ...     print(error)
    ties='random' is not one of trec, trec9, docid, rank, file, expected, bounds
    """


class MeasureError(UsageError):
    """A measure is unknown, or is given a parameter or a value that it does not take."""


class CranfieldWarning(UserWarning):
    """Something in the data that a careful reader should know; results are not changed by it.

    >>> import warnings, cranfield
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    ...     scores = cranfield.evaluate({"q1": {"d1": 1.0}}, {"q1": {"d1": 1}, "q2": {"d2": 1}}, "AP")
    >>> scores["AP"].values.ravel().tolist()
    [1.0, 0.0]
    """


class EngineError(Exception):
    """An error of an engine: a code of ``cranfield.findings.error_codes`` with the facts its text needs."""

    def __init__(self, code: str, line: int = 0, value: str = "", number: int = 0, more: str = "") -> None:
        super().__init__(code, line, value, number, more)
        self.code = code
        self.line = line
        self.value = value
        self.number = number
        self.more = more


def print_traceback(error: BaseException) -> bool:
    """Print the traceback of an internal error on standard error, if the environment requests it; whether it does."""
    if os.environ.get(TRACEBACK, "") in ("", "0") or sys.stderr is None:
        return False
    import traceback

    text = printable(remove_credentials("".join(traceback.format_exception(error))), keep="\n\t")
    with contextlib.suppress(OSError):
        print(text, end="", file=sys.stderr, flush=True)
    return True


def __dir__() -> list[str]:
    return __all__
