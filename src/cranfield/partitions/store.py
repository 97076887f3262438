"""The folder of scores that an evaluation part by part leaves: begun, gone on with, and put in its place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cranfield._text import counted, warn
from cranfield.io.filesystem import is_address
from cranfield.io.inputs import PathLike
from cranfield.io.source import as_text
from cranfield.partitions.putting import AddressTarget, FolderTarget
from cranfield.partitions.stored import StoringWork, digest_of
from cranfield.partitions.work import Work
from cranfield.scores.parquet_write import description
from cranfield.scores.scale import Scale

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
        path: of the folder, or its address.
        resume: whether parts that an earlier call wrote are taken over where nothing has changed.
        signature: of the evaluation.
        options: what fsspec is told of an address.

    Raises:
        InputError: it cannot be written, holds something else, or parts are there that nothing was said of.
    """

    def __init__(
        self, path: PathLike, signature: dict[str, Any], *, resume: bool, options: Mapping[str, Any] | None = None
    ) -> None:
        name, self._options = as_text(path), dict(options or {})
        self._target = AddressTarget(name, self._options) if is_address(name) else FolderTarget(name)
        self.shelf = self._target.begin(resume=resume)
        self._signature = signature
        self._works: list[StoringWork] = []

    def work(self, work: Work, number: int, system: str, scales: Sequence[Scale]) -> StoringWork:
        """What is done with the parts of one run."""
        more = {"judgments": digest_of(work.judged), **self._target.said}
        about = description(tuple(scales), self._signature, more)
        made = StoringWork(
            work=work, folder=self.shelf.name, run=number, system=system, about=about, options=self._options
        )
        self._works.append(made)
        return made

    def leave(self) -> None:
        """The evaluation has failed: say where parts are kept that are done; a folder without any is removed."""
        parts = self.shelf.parts()
        if parts:
            warn(f"the scores of {counted(len(parts), 'part')} are in {self.shelf.name}; {GO_ON}")
        else:
            self._target.abandon()

    def finish(self, failed: int) -> None:
        """Put the folder in its place; if parts failed, it is left aside for a later call, with a warning."""
        if failed:
            warn(f"{counted(failed, 'part')} failed: the scores of the others are in {self.shelf.name}; {GO_ON}")
            return
        written = {file for work in self._works for file in work.files}
        for file in self.shelf.files():
            if file not in written:
                self.shelf.remove(file)
        try:
            self._target.put(sorted(written))
        except BaseException:
            self.leave()
            raise
