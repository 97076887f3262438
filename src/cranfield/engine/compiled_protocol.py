"""The compiled engine's methods beyond the contract of both engines."""

from __future__ import annotations

from typing import Any, Protocol

from cranfield._typing import Bytes, Floats, Ints, Mask
from cranfield.engine.protocol import Engine, Rows


class Compiled(Engine, Protocol):
    """What ``cranfield._engine`` provides beyond that: a fast path for rows in plain Python objects.

    Each method returns None where an object is not plain, or not right. ``Run`` and ``Qrels`` then take the slow path,
    which knows every object and says what is wrong. The reference engine always takes it, as the witness of this one.
    """

    def ask_for_numpy(self) -> None:
        """Look up what is needed of NumPy, which is imported where it is not yet; then arrays can be made."""
        ...

    def nested_rows(self, nested: object, pools: bool) -> Rows | None:
        """Columns of topic -> document -> number, in order; with ``pools`` documents of a topic in id byte order.

        Topics without documents are left out; with ``pools`` they are not right.
        """
        ...

    def packed_ids(self, values: list[Any]) -> tuple[Bytes, Ints] | None:
        """Ids as data and offsets."""
        ...

    def grouped_rows(
        self, topics: tuple[Bytes, Ints], documents: tuple[Bytes, Ints], score: Floats, rank: Ints | None
    ) -> tuple[list[str], Ints, Bytes, Ints, Floats, Ints | None] | None:
        """Rows by topic in order of first appearance; ``rank`` as it was given, in the new order."""
        ...

    def grouped_pools(self, topics: tuple[Bytes, Ints], documents: tuple[Bytes, Ints], label: Floats) -> Rows | None:
        """Judgments by topic, the documents of each in id byte order; a document that occurs twice is not plain."""
        ...

    def written_ids(self, numbers: Ints) -> tuple[Bytes, Ints] | None:
        """Whole numbers as ids."""
        ...

    def gathered_ids(self, data: Bytes, offsets: Ints, rows: Ints) -> tuple[Bytes, Ints] | None:
        """Ids of these rows, in that order."""
        ...

    def viewed_ids(self, views: Bytes, buffers: list[Bytes]) -> tuple[Bytes, Ints] | None:
        """Ids of Arrow's string views, 16 bytes each, into these buffers."""
        ...

    def run_lines(
        self, topics: list[str], starts: Ints, data: Bytes, offsets: Ints, score: Floats, rank: Ints | None, tag: str
    ) -> list[bytes] | None:
        """A run as TREC text, in blocks of whole lines; one with a word that cannot stand there is not right."""
        ...

    def list_sums(self, values: Floats, starts: Ints) -> Floats:
        """Sum over each list of rows; lists begin at ``starts``, which ends with the end of the last one."""
        ...

    def exact_sums(self, values: Floats, starts: Ints) -> Floats | None:
        """Sum over each list, rounded once and without NaN; none where one is infinite, or becomes so on the way."""
        ...

    def running_values(self, values: Floats, starts: Ints, combine: str, upward: bool) -> Floats | None:
        """The rows of each list down to each row combined, or those from it on; not plain where not finite."""
        ...

    def products_before(self, values: Floats, starts: Ints) -> Floats | None:
        """The product over the rows of the list above each row; not plain where not finite."""
        ...

    def first_chances(self, chances: Floats, starts: Ints) -> Floats | None:
        """The chance of each row times that of all above it in its list not to happen; not plain where not finite."""
        ...

    def list_counts(self, marked: Mask, starts: Ints) -> Floats:
        """The number of marked rows of each list."""
        ...

    def kept_rows(
        self, marked: Mask, starts: Ints, rank: Ints, document: Ints, grade: Floats
    ) -> tuple[Ints, Ints, Ints, Floats, Ints]:
        """Starts of the lists of marked rows alone, their ranks, documents and grades, and indices among all rows."""
        ...

    def level_precisions(self, starts: Ints, rank: Ints, value: Floats, levels: Floats) -> Floats | None:
        """Sum over each list of the precisions by each level that its documents reach, times the step up to it.

        ``levels`` ascend from above 0. None where a sum is not finite.
        """
        ...

    def list_places(self, starts: Ints) -> Ints:
        """The position of each row among those of its list, from 1."""
        ...

    def read_down(
        self, starts: Ints, rank: Ints, gain: Floats, goes_on: Floats, enough: float | None = None
    ) -> list[Floats]:
        """What a user reads who goes on from each rank with its chance, less what is met, or until that is ``enough``.

        Ranks seen, gain met and the chance of going on from the last rank, of each list.
        """
        ...

    def weighed_sums(self, starts: Ints, rank: Ints, weights: Floats, values: Floats | None = None) -> Floats | None:
        """Sum over each list of the weights of its ranks, times values; ``weights`` begin with that of rank 0.

        None where a sum is not finite.
        """
        ...

    def preferred_sums(self, starts: Ints, rank: Ints, most: Floats, limit: Floats) -> Floats:
        """Sum over each list of 1 - min(n, most) / limit, n being the documents above each row that are not rows."""
        ...

    def preferred_so_far(self, starts: Ints, rank: Ints) -> Floats:
        """See ``preferred_sums``, with ``rank`` - 1 for a limit; a row of rank 1 counts 0."""
        ...

    def kept_sums(
        self, starts: Ints, rank: Ints, value: Floats, penalty: Floats, limit: Floats | None = None, above: int = 0
    ) -> Floats:
        """Sum over each list of value * (1 - penalty / limit) below the first ranks; see ``graded_preference``."""
        ...

    def inferred_sums(
        self, starts: Ints, rank: Ints, position: Ints, weight: Floats, hit: float, margin: float
    ) -> Floats:
        """Sum over each list of (1 + n (a + hit) / (n + margin)) / rank, times the list's weight.

        Above each row stand n judged documents, its ``position`` less 1, a of which are rows.
        """
        ...

    def best_down(self, starts: Ints, rank: Ints, before: Ints, length: Ints, sums: Floats) -> Floats:
        """The sums of the best list of each topic, read at the ranks of lists; see ``RunningIdeal``."""
        ...

    def shares_told(
        self, starts: Ints, right: Floats, wrong: Floats, pairs: Floats, begins: Ints, position: Ints, signed: bool
    ) -> list[Floats]:
        """What pairs tell down to the rows at these positions of their lists, which begin at ``begins`` among them.

        The share put right of those not left open; it and what it lacks to 1, as logarithms can be taken of them; and
        the share of all that are not left open, with the sign of the majority where ``signed``.
        """
        ...

    def expected_bits(
        self, starts: Ints, rank: Ints, arrives: Floats, share: Floats, some: Floats, rest: Floats, told: Floats
    ) -> Floats:
        """What a reader who comes to each rank with the chance ``arrives`` expects of what is told there.

        The other arrays are those of ``shares_told``, with the logarithms of the second and third.
        """
        ...

    def rows_down_to(self, starts: Ints, rank: Ints, depth: Ints) -> Ints:
        """One past the last row of each list down to the rank ``depth`` of it."""
        ...

    def overlap_sums(
        self, starts: Ints, rank: Ints, value: Floats, levels: Floats, better: Ints, whole: Floats, weights: Floats
    ) -> Floats:
        """Sum over the documents of each list of its weight ``whole`` less that of the depths that do not hold them.

        These are those above its rank, or above its rank in the list that has documents of higher levels first, and
        equal ones as they are. ``better`` are the documents of higher levels for each topic and level; a document of no
        level has the rank 0.
        """
        ...

    def penalties(self, starts: Ints, rank: Ints, value: Floats, levels: Floats) -> Floats:
        """The sum of (g - g') / g over the documents above each of gain g, g' < g being their gain."""
        ...

    def running_counts(self, marked: Mask, starts: Ints) -> Ints:
        """The number of marked rows of the list down to each row."""
        ...

    def pairs_down(
        self, starts: Ints, document: Ints, labels: int, label_index: Ints, lower: Floats, higher: Floats
    ) -> tuple[Floats, Floats]:
        """Pairs of documents with different labels that lists put right, and wrong, down to each row.

        Of each document of the pool, ``label_index`` is the number of ``labels`` that are smaller than its own,
        ``lower`` and ``higher`` how many documents have smaller and larger ones.
        """
        ...

    def read_in_hope(self, starts: Ints, rank: Ints, gain: Floats, depth: int, hope: float) -> list[Floats]:
        """Ranks seen, gain met, chance of going on and all gain of each list, for a user who hopes for half of that."""
        ...

    def score_rows(
        self,
        data: Bytes,
        offsets: Ints,
        cells: Floats,
        lead: bytes,
        measures: list[bytes],
        ends: list[bytes],
        missing: bytes,
    ) -> bytes | None:
        """Rows of scores, ``cells`` [topics, measures, numbers of a row]; infinite numbers are not right.

        A row is the lead, the topic, the measure, and each number with what ends it.
        """
        ...
