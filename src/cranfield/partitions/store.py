"""The folder of scores that an evaluation part by part leaves: begun, gone on with, and put in its place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.findings.place import Place
from cranfield.io.runs import PathLike
from cranfield.io.source import as_text
from cranfield.io.whole_folder import check_replaceable, put
from cranfield.partitions.stored import StoringWork, begin, digest_of
from cranfield.partitions.work import Work
from cranfield.scores.parquet import description, is_score_part
from cranfield.scores.scale import Scale
from cranfield.wording import counted, warn

GO_ON = "go on with them (resume=True, --resume) once the cause is gone"


@contextlib.contextmanager
def kept_aside(store: Store | None) -> Iterator[None]:
    """Keep the parts that are done, by name, where an evaluation fails."""
    try:
        yield
    except BaseException:
        if store is not None:
            store.leave()
        raise


class Store:
    """Scores of topics, written part by part into ``PATH.unfinished``, which becomes ``PATH`` when all are there.

    Args:
        path: of the folder.
        resume: whether parts that an earlier call wrote are taken over where nothing has changed.
        signature: of the evaluation.

    Raises:
        InputError: it cannot be written, is an address, holds something else, or parts are there that nothing was
            said of.
    """

    def __init__(self, path: PathLike, signature: dict[str, Any], *, resume: bool) -> None:
        if "://" in as_text(path):
            text = (
                "scores of a data set are written part by part to a folder of this machine, not to an address: "
                "name a folder, then copy its files there"
            )
            raise InputError(text, Place(as_text(path)), code="unwritable")
        path = Path(as_text(path))
        self.path = check_replaceable(path, is_score_part)
        self.folder = begin(self.path, resume=resume)
        self._signature = signature
        self._works: list[StoringWork] = []

    def work(self, work: Work, number: int, system: str, scales: Sequence[Scale]) -> StoringWork:
        """What is done with the parts of one run."""
        about = description(tuple(scales), self._signature, {"judgments": digest_of(work.judged)})
        made = StoringWork(work=work, folder=str(self.folder), run=number, system=system, about=about)
        self._works.append(made)
        return made

    def leave(self) -> None:
        """The evaluation has failed: say where parts are kept that are done; a folder without any is removed."""
        parts = [file for file in self.folder.iterdir() if is_score_part(file)]
        if parts:
            warn(f"the scores of {counted(len(parts), 'part')} are in {self.folder}; {GO_ON}")
        else:
            with contextlib.suppress(OSError):
                self.folder.rmdir()

    def finish(self, failed: int) -> None:
        """Put the folder in its place; if parts failed, it is left aside for a later call, with a warning."""
        if failed:
            warn(f"{counted(failed, 'part')} failed: the scores of the others are in {self.folder}; {GO_ON}")
            return
        written = {file for work in self._works for file in work.files}
        for file in self.folder.iterdir():
            if file not in written:
                file.unlink()
        put(self.folder, self.path)
