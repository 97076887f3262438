"""Standardization of very many topics: a block of them is read, put on its scale and written before the next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.scores.opening import StoredSet
from cranfield.scores.parquet import description
from cranfield.scores.parquet_blocks import write_blocks
from cranfield.scores.parquet_reading import scale_in
from cranfield.scores.scale import Scale
from cranfield.scores.signature import package_version
from cranfield.standardization.factors import bounded_measure, columns_of, learn_reference
from cranfield.standardization.named_schemes import SchemeLike, scheme_of
from cranfield.standardization.scheme import Scheme


def standardize_stored(
    scores: StoredSet,
    measures: Sequence[str],
    path: str,
    scheme: SchemeLike = "E",
    *,
    reference: Sequence[str] | None = None,
) -> None:
    """Standardize scores that are not in memory, into a folder of Parquet or an address; see ``standardize``.

    What a topic's scores become depends on no other topic, so that the bits are those of ``standardize``.

    Args:
        scores: of many topics.
        measures: which of them.
        path: of the folder, which appears when all is written.
        scheme: as in ``standardize``.
        reference: names of the systems to learn from; all of them where None.

    Raises:
        InputError: see ``standardize``; or the folder cannot be written.
        UsageError: an unknown scheme.
    """
    chosen, systems = scheme_of(scheme), tuple(scores.spans)
    columns = columns_of(systems, reference)
    signature = {
        "cranfield": package_version(),
        "standardization": str(chosen),
        "reference_systems": [systems[column] for column in columns],
        "reference_scores": scores.source,
        "scores": scores.source,
    }
    scales = tuple(_scaled(scale_in(scores.files[0], name), chosen) for name in measures)
    write_blocks(
        path, description(scales, signature), scores.blocks_of_topics, _batches(scores, scales, chosen, columns)
    )


def _scaled(scale: Scale, scheme: Scheme) -> Scale:
    """How to read the scores of a measure once they are standardized."""
    kept = {key: value for key, value in scale.attributes.items() if not key.startswith("peer_summary")}
    return Scale(scale.name, {**kept, "summary": "mean", "standardization": str(scheme)})


def _batches(
    scores: StoredSet, scales: Sequence[Scale], scheme: Scheme, columns: list[int]
) -> Iterator[list[list[Any]]]:
    """Of each block of topics the columns of each system: its name, the topics, and their scores by each measure."""
    systems, names = tuple(scores.spans), tuple(scale.name for scale in scales)
    readers = [scores.by(name).blocks() for name in names]
    for topics, *values in zip(scores.topic_blocks(), *readers, strict=True):
        raw = dict(zip(names, (np.ascontiguousarray(block.T) for block in values), strict=True))
        scaled = [_standardized(name, tuple(topics), raw, scheme, columns) for name in names]
        yield [
            [[system] * len(topics), topics, *(block[:, at].copy() for block in scaled)]
            for at, system in enumerate(systems)
        ]


def _standardized(
    name: str, topics: tuple[str, ...], raw: dict[str, Floats], scheme: Scheme, columns: list[int]
) -> Floats:
    """The scores of some topics by a measure, [topics, systems]; bounds are put on the scale of their measure."""
    base = bounded_measure(name)
    of = base if base in raw else name
    return scheme.apply(raw[name], learn_reference(of, topics, raw[of][:, columns], scheme))
