"""A shell whose ``cranfield`` begins where imports have ended: each command is forked from one warm process.

The command of the shell is a script of three lines. Its arguments, folder, environment and streams are taken from
``/proc``, so that pipes and redirections are those of the shell. Only imports of other packages are shared.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import warm

COMMAND = """#!/bin/sh
mkfifo "$0.$$" && echo $$ > "$0.asked" && read status < "$0.$$" && rm "$0.$$" && exit $status
"""


class WarmShell:
    """A folder with a program that is put before others in ``PATH``.

    Args:
        folder: empty.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        program = folder / "cranfield"
        program.write_text(COMMAND, encoding="utf-8")
        program.chmod(0o755)
        os.mkfifo(f"{program}.asked")
        command = [sys.executable, __file__, str(program), *warm.THIRD_PARTIES]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE)

    def close(self) -> None:
        """End the server, as the end of this process would."""
        with self._server as server:
            assert server.stdin is not None
            server.stdin.close()


def _serve(program: Path, packages: list[str]) -> None:
    warm.import_all(packages)
    # Opened for writing too, so that the end of one command is no end of the file.
    with os.fdopen(os.open(f"{program}.asked", os.O_RDWR), "rb", buffering=0) as asked:
        while sys.stdin not in select.select([asked, sys.stdin], [], [])[0]:
            shell = int(asked.readline())
            for done in program.parent.glob("*.imported"):
                warm.import_more(done.read_text(encoding="utf-8").split(), packages)
                done.unlink()
            _fork(shell, program)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _fork(shell: int, program: Path) -> None:
    """Have a child run what a process of the shell asks for, and a parent of it tell that process how it ended."""
    # A child that looked for garbage among the imports would copy all their pages.
    warm.gc.freeze()
    if os.fork():
        return
    names = f"{program}.{shell}.names"
    writing = os.open(names, os.O_WRONLY | os.O_CREAT, 0o600)
    child = os.fork()
    if not child:
        _become(shell, writing)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    Path(names).rename(names.removesuffix("names") + "imported")
    Path(f"{program}.{shell}").write_text(f"{status if status >= 0 else 128 - status}\n", encoding="ascii")
    os._exit(0)


def _become(shell: int, writing: int) -> None:
    place = Path(f"/proc/{shell}")
    for number in (0, 1, 2):
        # A file that the shell has opened is written at its end; what it may not open again is no terminal of ours.
        opened = os.open(place / "fd" / str(number), os.O_WRONLY | os.O_APPEND if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    variables = (place / "environ").read_bytes().rstrip(b"\0").split(b"\0")
    os.environ.clear()
    os.environb.update(dict(variable.split(b"=", 1) for variable in variables))
    _, _, *arguments = (place / "cmdline").read_bytes().removesuffix(b"\0").split(b"\0")
    warm.become(warm.PROGRAM, [os.fsdecode(one) for one in arguments], (place / "cwd").readlink(), writing)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]), sys.argv[2:])
