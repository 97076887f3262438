"""Kernels whose twin is another way: rows in plain Python objects, Arrow's views and text that is written.

Each returns None where an object is not plain, or not right, and always with the reference engine. The caller then
takes the slow path, which knows every object and says what is wrong; it is the witness of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield._typing import Bytes, Floats, Ints
from cranfield.engine.kernels import kernel

if TYPE_CHECKING:
    from cranfield.engine.protocol import DocumentRows


@kernel
def nested_rows(nested: object, pools: bool) -> DocumentRows | None:
    """Columns of topic -> document -> number, in order; with ``pools`` documents of a topic in id byte order.

    Topics without documents are left out; with ``pools`` they are not right.
    """
    return None


@kernel
def packed_ids(values: list[Any]) -> tuple[Bytes, Ints] | None:
    """Ids as data and offsets."""
    return None


@kernel
def grouped_rows(
    topics: tuple[Bytes, Ints], documents: tuple[Bytes, Ints], score: Floats, rank: Ints | None
) -> tuple[list[str], Ints, Bytes, Ints, Floats, Ints | None] | None:
    """Rows by topic in order of first appearance; ``rank`` as it was given, in the new order."""
    return None


@kernel
def grouped_pools(topics: tuple[Bytes, Ints], documents: tuple[Bytes, Ints], label: Floats) -> DocumentRows | None:
    """Judgments by topic, the documents of each in id byte order; a document that occurs twice is not plain."""
    return None


@kernel
def written_ids(numbers: Ints) -> tuple[Bytes, Ints] | None:
    """Whole numbers as ids."""
    return None


@kernel
def viewed_ids(views: Bytes, buffers: list[Bytes]) -> tuple[Bytes, Ints] | None:
    """Ids of Arrow's string views, 16 bytes each, into these buffers."""
    return None


@kernel
def run_lines(
    topics: list[str], starts: Ints, data: Bytes, offsets: Ints, score: Floats, rank: Ints | None, tag: str
) -> list[bytes] | None:
    """A run as TREC text, in blocks of whole lines; one with a word that cannot stand there is not right."""
    return None


@kernel
def read_with_continuation(
    starts: Ints, rank: Ints, gain: Floats, goes_on: Floats, enough: float | None = None
) -> tuple[Floats, Floats, Floats] | None:
    """Follow a user who goes on from each rank with its chance, less what is met, or until that is ``enough``.

    Ranks seen, gain met and the chance of going on from the last rank, of each list.
    """
    return None


@kernel
def read_inst(
    starts: Ints, rank: Ints, gain: Floats, depth: int, twice_target: float
) -> tuple[Floats, Floats, Floats, Floats] | None:
    """Ranks seen, gain met, chance of going on and all gain of each list, for a user of INST, of twice its T."""
    return None
