"""Run every reproduction, and say whether the files that they write are as they were.

    make reproduce                        # or: python reproductions/run.py [NAME ...]

A script whose path contains a NAME is run, all of them without any. Each is a process of its own, as many side by side
as there are cores, the longest first, and its CPU time is told; what it prints goes to ``.cache/reproduce``. The exit
status is 1 if a script fails or a file changes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import prose

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent / ".cache" / "reproduce"
SCRIPT = 'if __name__ == "__main__":'
"""What a script has, and a module that scripts import has not."""
LONG = (
    "urbano_2019/reference_systems.py",
    "urbano_2019/reproduce.py",
    "stopping_depth/reproduce.py",
    "golbus_2013/reproduce.py",
    "scores_under_holes/reproduce.py",
)
"""Begun before the others, so that no core waits for one of them at the end."""


def main(names: Sequence[str]) -> int:
    """Run them."""
    scripts = [path for path in all_scripts() if not names or any(name in path.as_posix() for name in names)]
    if not scripts:
        print(f"no reproduction is called {', '.join(names)}: {', '.join(map(called, all_scripts()))}", file=sys.stderr)
        return 2
    LOGS.mkdir(parents=True, exist_ok=True)
    before = written()
    console, failed = Console(), []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("reproductions", total=len(scripts))
        for path, status, seconds in side_by_side(scripts):
            said = "done" if status == 0 else f"failed ({status}), see {log_of(path)}"
            console.print(f"{seconds:7.1f} s of CPU  {called(path)}: {said}", highlight=False, soft_wrap=True)
            failed += [path] * (status != 0)
            progress.advance(task)
    prose.main()
    changed = different(before, written())
    for name in changed:
        console.print(f"differs from what was there: {name}", highlight=False, soft_wrap=True)
    print(f"{len(scripts) - len(failed)} of {len(scripts)} ran, {len(changed)} files differ")
    return 1 if failed or changed else 0


def all_scripts() -> list[Path]:
    """Every script of every reproduction."""
    return sorted(path for path in HERE.glob("*/*.py") if SCRIPT in path.read_text(encoding="utf-8"))


def side_by_side(scripts: Sequence[Path]) -> Iterator[tuple[Path, int, float]]:
    """(script, exit status, seconds of CPU), each as soon as it ends; nothing else is begun after an interruption."""
    ordered = sorted(scripts, key=lambda path: LONG.index(called(path)) if called(path) in LONG else len(LONG))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        begun = {pool.submit(run, path): path for path in ordered}
        try:
            for future in as_completed(begun):
                yield begun[future], *future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def called(path: Path) -> str:
    """Its folder and name."""
    return path.relative_to(HERE).as_posix()


def log_of(path: Path) -> Path:
    """Where what it prints goes."""
    return LOGS / f"{path.parent.name}-{path.stem}.log"


def run(path: Path) -> tuple[int, float]:
    """(exit status, seconds of CPU) of one script, on one thread of its linear algebra."""
    start = time.monotonic()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    with log_of(path).open("wb") as log:
        process = subprocess.Popen([sys.executable, str(path)], stdout=log, stderr=subprocess.STDOUT, env=environment)
        if not hasattr(os, "wait4"):
            return process.wait(), time.monotonic() - start
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def written() -> dict[str, str]:
    """Path -> SHA-256 of everything that the reproductions write."""
    every = [*HERE.glob("*.md"), *HERE.glob("*/*")]
    files = (path for path in every if path.is_file() and path.suffix not in (".py", ".template"))
    return {called(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}


def different(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Files that are new, gone or other than before."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
