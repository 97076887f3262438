"""The command line in this process: arguments in, exit status and both streams out."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from click.testing import CliRunner

from cranfield.cli import main


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str


def cranfield(*arguments: str | Path, input: bytes = b"") -> Ended:
    """Run ``cranfield`` with these arguments as the installed program would."""
    status = None
    argv = mock.patch("sys.argv", ["cranfield", *map(str, arguments)])
    with CliRunner().isolation(input=input) as (out, err, _), argv:
        try:
            main()
        except SystemExit as ended:
            status = ended.code
        sys.stderr.flush()
    assert isinstance(status, int), "the program ends with a status"
    return Ended(status, out.getvalue().decode(), err.getvalue().decode())


def printed(*arguments: str | Path, input: bytes = b"") -> str:
    """What a command prints that has nothing to complain of."""
    ended = cranfield(*arguments, input=input)
    assert (ended.status, ended.err) == (0, "")
    return ended.out
