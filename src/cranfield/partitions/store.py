"""The folder of scores that an evaluation part by part leaves: begun, gone on with, and put in its place."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.findings.place import Place
from cranfield.io.whole_folder import check_replaceable
from cranfield.partitions.stored import Rows, StoringWork, begin, digest_of
from cranfield.partitions.work import Found, Work
from cranfield.scores.parquet import description, is_score_part
from cranfield.scores.scale import Scale
from cranfield.wording import counted, warn

MISSING = "missing"
"""The part of topics of which nothing was retrieved."""


class Store:
    """Scores of topics, written part by part into ``PATH.unfinished``, which becomes ``PATH`` when all are there.

    Args:
        path: of the folder.
        resume: whether parts that an earlier call wrote are taken over where nothing has changed.
        signature: of the evaluation.

    Raises:
        InputError: it cannot be written, holds something else, or parts are there that nothing was said of.
    """

    def __init__(self, path: Path, signature: dict[str, Any], *, resume: bool) -> None:
        self.path = check_replaceable(path, is_score_part)
        self.folder = begin(self.path, resume=resume)
        self._signature = signature

    def work(self, work: Work, number: int, system: str, scales: Sequence[Scale]) -> StoringWork:
        """What is done with the parts of one run."""
        about = description(tuple(scales), self._signature, {"judgments": digest_of(work.judged)})
        return StoringWork(work=work, folder=str(self.folder), run=number, system=system, about=about)

    def finish(self, written: set[Path], failed: int) -> None:
        """Put the folder in its place; if parts failed, it is left aside for a later call, with a warning."""
        if failed:
            warn(
                f"{counted(failed, 'part')} failed: the scores of the others are in {self.folder}; "
                "go on with them (resume=True, --resume) once the cause is gone"
            )
            return
        for file in self.folder.iterdir():
            if file not in written:
                file.unlink()
        if self.path.is_dir():
            shutil.rmtree(self.path)
        self.folder.rename(self.path)


def written(work: StoringWork, found: Sequence[Found], missing: Rows) -> set[Path]:
    """The files of one run, now that all its parts are done; topics of which nothing was retrieved get one too.

    Raises:
        InputError: a worker wrote somewhere else.
    """
    files = [work.place_of(one.part) for one in found]
    lost = [file for file in files if not file.is_file()]
    if lost:
        text = "a worker wrote its part, and it is not here: name a folder that all workers share"
        raise InputError(text, Place(str(lost[0])), code="unwritable")
    if missing.topics:
        files.append(work.place_of(MISSING))
        work.write(files[-1], missing, {})
    return set(files)
