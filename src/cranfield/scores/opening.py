"""Scores in Parquet that analyses can go through in blocks: found, and handed out measure by measure."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.findings.location import STDIN
from cranfield.io.source import as_text
from cranfield.scores import stored_scores
from cranfield.scores.files import PathLike, names_of_scores, read_scores
from cranfield.scores.located import parquet_files
from cranfield.scores.parquet_file import File
from cranfield.scores.parquet_reading import described_files, known_of, scale_in
from cranfield.scores.shapes import is_summary
from cranfield.scores.stored_scores import LONG, WIDE, Span, StoredScores, spans_of, topic_blocks, topics_alike

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class StoredSet:
    """Scores of many topics by several measures.

    Args:
        path: as the user named it.
        files: that hold them.
        spans: system -> its rows.
        topics: how many.
        source: their signature.
    """

    path: str
    files: Sequence[File]
    spans: Mapping[str, Sequence[Span]]
    topics: int
    source: Any

    @property
    def measures(self) -> tuple[str, ...]:
        """Their names."""
        return self.files[0].measures

    @property
    def blocks_of_topics(self) -> int:
        """How many blocks all topics make."""
        return -(-self.topics // stored_scores.BLOCK)

    def topic_blocks(self) -> Iterator[list[str]]:
        """Names of all topics, in the blocks in which scores by a measure come."""
        return topic_blocks(next(iter(self.spans.values())))

    def by(self, measure: str) -> StoredScores:
        """The scores by one measure."""
        larger = scale_in(self.files[0], measure).larger_is_better
        load: Any = functools.partial(_loaded, self.path, measure)
        spans = tuple(map(tuple, self.spans.values()))
        return StoredScores(measure, tuple(self.spans), self.topics, larger, self.source, spans, load)


def open_scores(path: PathLike) -> StoredSet | None:
    """Scores of more topics than are held, read as far as to see how they lie.

    Args:
        path: a file or folder of Parquet, or the address of one.

    Returns:
        None where they are better read into memory: other files, few topics, very many systems, or systems whose
        topics differ or come in another order.

    Raises:
        InputError: files are damaged, or of several evaluations; see ``read_scores``.
    """
    name = as_text(path)
    located = [] if name == STDIN else parquet_files(name)
    if not located:
        return None
    files = described_files(name, located)
    if not files[0].said.get("measures"):
        return None
    spans = spans_of(files)
    if not spans or len(spans) > WIDE or sum(one.stop - one.start for one in next(iter(spans.values()))) <= LONG:
        return None
    topics = topics_alike(spans)
    known = known_of(names_of_scores([name])[0], files)
    if "signature" not in known and any(
        is_summary(one) for block in topic_blocks(next(iter(spans.values()))) for one in block
    ):
        return None  # a row of means is left out where scores are read into memory
    return None if topics is None else StoredSet(name, files, spans, topics, {"scores": [known]})


def _loaded(path: str, measure: str) -> xr.DataArray:
    return read_scores(path)[measure]
