"""Standardization of very many topics: a block of them is read, put on its scale and written before the next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryFile
from typing import Any, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield._version import package_version
from cranfield.scores.matrix_text import matrix_header, matrix_lines, refuse_several
from cranfield.scores.parquet_read import scale_in
from cranfield.scores.parquet_write import description, write_blocks
from cranfield.scores.rows import ALL, as_csv, as_tsv, csv_lines, refuse_all, tsv_lines
from cranfield.scores.scale import Scale
from cranfield.standardization.factors import bounded_measure, find_columns, learn_reference
from cranfield.standardization.schemes import Scheme, SchemeLike, parse_scheme
from cranfield.statistics.exact_sums import Moments
from cranfield.streaming.parquet import StoredSet

TextFormat = Literal["tsv", "csv", "matrix"]
CHUNK = 1 << 20
"""Bytes of a temporary file that are read at a time."""


def standardize_stored(
    scores: StoredSet,
    measures: Sequence[str],
    path: str,
    scheme: SchemeLike = "E",
    *,
    reference_systems: Sequence[str] | None = None,
) -> None:
    """Standardize scores that are not in memory, into a folder of Parquet or an address; see ``standardize``.

    What a topic's scores become depends on no other topic, so that the bits are those of ``standardize``.

    Args:
        scores: of many topics.
        measures: which of them.
        path: of the folder, which appears when all is written.
        scheme: as in ``standardize``.
        reference_systems: names of the systems to learn from; all of them where None.

    Raises:
        InputError: see ``standardize``; or the folder cannot be written.
        UsageError: an unknown scheme.
    """
    standardized = _Standardized.from_scores(scores, measures, scheme, reference_systems)
    systems = tuple(scores.spans)
    signature = {
        "cranfield": package_version(),
        "standardization": str(standardized.scheme),
        "reference_systems": [systems[column] for column in standardized.columns],
        "reference_scores": scores.source,
        "scores": scores.source,
    }
    write_blocks(path, description(standardized.scales, signature), scores.block_count, standardized.batches())


def standardized_text(
    scores: StoredSet,
    measures: Sequence[str],
    format: TextFormat,
    scheme: SchemeLike = "E",
    *,
    reference_systems: Sequence[str] | None = None,
    by_topic: bool = True,
) -> Iterator[bytes]:
    """Standardized scores as text, in pieces; rows by system wait in temporary files until all are there.

    Args:
        scores, measures, scheme, reference_systems: as in ``standardize_stored``.
        format: ``tsv`` or ``csv``, rows of systems and topics, or ``matrix``.
        by_topic: whether rows of topics are in it; a matrix has them always.

    Raises:
        InputError: see ``standardize``; or a name that the format cannot hold.
        UsageError: an unknown scheme, or several measures for a matrix.
    """
    if format == "matrix":
        refuse_several(measures)
    standardized = _Standardized.from_scores(scores, measures, scheme, reference_systems)
    return standardized.matrix() if format == "matrix" else standardized.rows(format, by_topic=by_topic)


@dataclass(frozen=True)
class _Standardized:
    """Scores that are put on a scale when they are asked for.

    Args:
        scores: of many topics.
        scales: how those of each measure are to be read.
        scheme: that puts them there.
        columns: numbers of the systems to learn from.
    """

    scores: StoredSet
    scales: tuple[Scale, ...]
    scheme: Scheme
    columns: list[int]

    @classmethod
    def from_scores(
        cls, scores: StoredSet, measures: Sequence[str], scheme: SchemeLike, reference_systems: Sequence[str] | None
    ) -> _Standardized:
        chosen = parse_scheme(scheme)
        scales = tuple(_scaled(scale_in(scores.files[0], name), chosen) for name in measures)
        return cls(scores, scales, chosen, find_columns(tuple(scores.spans), reference_systems))

    def blocks(self) -> Iterator[tuple[list[str], list[Floats]]]:
        """The names of each block of topics and, by each measure, their scores [topics, systems]."""
        names = tuple(scale.name for scale in self.scales)
        readers = [self.scores.blocks(name) for name in names]
        for topics, *values in zip(self.scores.topic_blocks(), *readers, strict=True):
            raw = dict(zip(names, (np.ascontiguousarray(block.T) for block in values), strict=True))
            yield topics, [_standardized(name, tuple(topics), raw, self.scheme, self.columns) for name in names]

    def batches(self) -> Iterator[list[list[Any]]]:
        """The columns of each system in each block of topics: its name, the topics, and their scores."""
        for topics, scaled in self.blocks():
            yield [
                [[system] * len(topics), topics, *(block[:, at].copy() for block in scaled)]
                for at, system in enumerate(self.scores.spans)
            ]

    def matrix(self) -> Iterator[bytes]:
        """Topics in rows."""
        yield encoded(matrix_header(tuple(self.scores.spans)))
        for topics, (values,) in self.blocks():
            yield encoded(matrix_lines(topics, values))

    def rows(self, format: TextFormat, *, by_topic: bool) -> Iterator[bytes]:
        """Systems in their order; of each its topics, or ``all``, by every measure."""
        lines, header = (tsv_lines, as_tsv([])) if format == "tsv" else (csv_lines, as_csv([]))
        systems, names = tuple(self.scores.spans), [scale.name for scale in self.scales]
        sums = [[Moments()] * len(names) for _ in systems]
        with ExitStack() as stack:
            files = [stack.enter_context(TemporaryFile()) for _ in systems]
            for topics, scaled in self.blocks():
                refuse_all(topics if by_topic else ())
                for at, (system, file) in enumerate(zip(systems, files, strict=True)):
                    columns = [np.ascontiguousarray(block[:, at]) for block in scaled]
                    sums[at] = [
                        total + Moments.from_values(column) for total, column in zip(sums[at], columns, strict=True)
                    ]
                    if by_topic:
                        cells = zip(topics, np.stack(columns, axis=1).tolist(), strict=True)
                        rows = ((system, topic, *cell) for topic, row in cells for cell in zip(names, row, strict=True))
                        file.write(encoded(lines(rows)))
            yield encoded(header)
            for system, file, totals in zip(systems, files, sums, strict=True):
                file.seek(0)
                yield from iter(partial(file.read, CHUNK), b"")
                if by_topic:
                    continue
                means = [total.mean if total.count else math.nan for total in totals]
                yield encoded(lines((system, ALL, name, mean) for name, mean in zip(names, means, strict=True)))


def encoded(text: str) -> bytes:
    """Bytes of text, as in every file that is written."""
    return text.encode("utf-8", "surrogateescape")


def _scaled(scale: Scale, scheme: Scheme) -> Scale:
    """Return the scale of a measure's scores once they are standardized: a mean, without summaries of peers."""
    attributes = {key: value for key, value in scale.attributes.items() if not key.startswith("peer_summary")}
    return Scale(scale.name, {**attributes, "summary": "mean", "standardization": str(scheme)})


def _standardized(
    name: str, topics: tuple[str, ...], raw: dict[str, Floats], scheme: Scheme, columns: list[int]
) -> Floats:
    """The scores of a block of topics by a measure, [topics, systems]; bounds are put on the scale of their measure."""
    base = bounded_measure(name)
    of = base if base in raw else name
    return scheme.apply(raw[name], learn_reference(of, topics, raw[of][:, columns], scheme))
