"""Processes that begin where imports have ended: each is forked from one that has imported what takes long.

What a process does alone is tested with processes of its own; here only their imports are shared, which cost more than
all the rest of a short call. What one has imported, if it is of the packages given, the next ones find imported.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

THIRD_PARTIES = ("numpy", "scipy", "pandas", "xarray", "click", "rich", "narwhals")
PROGRAM = "import runpy, sys; sys.argv[0] = 'cranfield'; runpy.run_module('cranfield', run_name='__main__')"


class Ended(NamedTuple):
    """What a process left."""

    status: int
    out: str
    err: str


class Warm:
    """A process that has imported some packages, and forks for each script.

    Args:
        packages: a script finds them imported, and those of their modules that an earlier one imported.
        options: of the interpreter.
        environment: what the process has besides ours, for what is read once, when it begins.
    """

    def __init__(
        self, packages: Sequence[str], options: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        command = [sys.executable, *options, __file__, *packages]
        theirs = {**os.environ, **(environment or {})}
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=theirs)
        self.seconds = 0.0
        """Of processor time that the last script took."""

    def run(
        self,
        script: str,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str | None] | None = None,
        streams: Mapping[int, str] | None = None,
        meanwhile: Callable[[int], None] = lambda process: None,
    ) -> Ended:
        """Run a script in the folder of the caller.

        Args:
            script: of Python.
            arguments: ``sys.argv[1:]``.
            environment: what is other than the server's; None where a variable is not to be there.
            streams: descriptor -> file that is opened for it, such as a terminal; other outputs are returned.
            meanwhile: is called with the number of the process, which has begun.
        """
        with tempfile.TemporaryDirectory() as folder:
            places = {1: f"{folder}/out", 2: f"{folder}/err", **(streams or {})}
            asked = {"script": script, "arguments": [*arguments], "folder": str(Path.cwd()), "streams": places}
            assert self._server.stdin is not None
            assert self._server.stdout is not None
            self._server.stdin.write(json.dumps(asked | {"environment": environment or {}}).encode() + b"\n")
            self._server.stdin.flush()
            process = int(self._server.stdout.readline())
            try:
                meanwhile(process)
            except BaseException:
                os.kill(process, signal.SIGKILL)
                raise
            finally:
                status, seconds = self._server.stdout.readline().split()
            kept = (Path(folder, name) for name in ("out", "err"))
            self.seconds = float(seconds)
            return Ended(int(status), *(path.read_text(encoding="utf-8") if path.exists() else "" for path in kept))

    def close(self) -> None:
        """End the server."""
        with self._server as server:
            assert server.stdin is not None
            server.stdin.close()


def import_all(packages: Sequence[str]) -> None:
    """Import what every child is to find."""
    for name in packages:
        importlib.import_module(name)


def import_more(names: Sequence[str], packages: Sequence[str]) -> None:
    """Import those modules of the packages that a child has imported."""
    for name in names:
        if name.startswith(tuple(f"{package}." for package in packages)) and name not in sys.modules:
            importlib.import_module(name)


def _serve(packages: Sequence[str]) -> None:
    import_all(packages)
    for line in sys.stdin.buffer:
        reading, writing = os.pipe()
        # A child that looked for garbage among the imports would copy all their pages.
        gc.freeze()
        child = os.fork()
        if not child:
            os.close(reading)
            _become(json.loads(line), writing)
        os.close(writing)
        print(child, flush=True)
        with os.fdopen(reading) as names:
            imported = names.read().split()
        _, status, used = os.wait4(child, 0)
        import_more(imported, packages)
        print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, flush=True)


def _become(asked: dict[str, object], imported: int) -> None:
    streams, environment = asked["streams"], asked["environment"]
    assert isinstance(streams, dict)
    assert isinstance(environment, dict)
    for number, path in {"0": os.devnull, **streams}.items():
        # No terminal becomes the one that controls the server.
        opened = os.open(path, (os.O_RDONLY if number == "0" else os.O_RDWR | os.O_CREAT) | os.O_NOCTTY, 0o600)
        os.dup2(opened, int(number))
        os.close(opened)
    for name, value in environment.items():
        os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)
    arguments = asked["arguments"]
    assert isinstance(arguments, list)
    become(str(asked["script"]), arguments, Path(str(asked["folder"])), imported)


def become(script: str, arguments: Sequence[str], folder: Path, imported: int) -> None:
    """Run a script in this process, which ends with it, and tell what it has imported."""
    os.chdir(folder)
    sys.argv = ["-c", *arguments]
    status = 0
    try:
        exec(compile(script, "<script>", "exec"), {"__name__": "__main__"})
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        with os.fdopen(imported, "w") as names:
            names.write("\n".join(name for name in sys.modules if name != "cranfield.__main__"))
        os._exit(status)


if __name__ == "__main__":
    _serve(sys.argv[1:])
