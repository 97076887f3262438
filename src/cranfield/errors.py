"""Every exception and warning of the package.

    CranfieldError
    ├── InputError            the data is refused (exit status 1)
    │   ├── FormatError       one line of a file, named FILE:LINE
    │   └── TopicError        runs and qrels do not fit together
    └── UsageError            the call is wrong (exit status 2)
        └── MeasureError      an unknown measure, or a parameter it does not take
    CranfieldWarning          something worth knowing about the data; never changes a result in silence

``EngineError`` is internal: the engines raise it with a code, and ``cranfield.io`` words it for people.
"""


class CranfieldError(Exception):
    """Base of every error that cranfield raises on purpose."""


class InputError(CranfieldError, ValueError):
    """The data given cannot be used as it is; the message says what to do about it."""


class FormatError(InputError):
    """A line of a file is not in its format; the message begins with ``FILE:LINE:``."""


class TopicError(InputError):
    """Runs and judgments do not share topics, or a judged topic is missing where that is refused."""


class UsageError(CranfieldError, ValueError):
    """The arguments contradict each other or lie outside their range."""


class MeasureError(UsageError):
    """A measure is unknown, or is given a parameter or a value that it does not take."""


class CranfieldWarning(UserWarning):
    """Something in the data that a careful reader should know; results are not changed by it."""


class EngineError(Exception):
    """What an engine raises: a code from ``cranfield.io.messages`` with the facts its text needs."""

    def __init__(self, code: str, line: int = 0, value: str = "", number: int = 0, more: str = "") -> None:
        super().__init__(code, line, value, number, more)
        self.code = code
        self.line = line
        self.value = value
        self.number = number
        self.more = more
