"""The contract of both engines: their arguments and their results.

An engine turns bytes into arrays: it unpacks, splits lines, reads numbers, orders documents and looks them up in the
judgments. It also compares the lists of many runs document by document, where arrays would have a cell for every pair,
counts samples, and fits very many t tests. It knows no measure. ``cranfield._engine`` (Rust) and
``cranfield.reference_engine`` (Python) both keep the contract.

Readers count and note what is odd by the codes of findings. Judgments and lists can also be flat columns with their ids
as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypedDict

import numpy as np

from cranfield._typing import Bytes, Floats, Ints, NDArray, Singles


class Reached(TypedDict):
    """Counts of samples that reach what was observed of each pair, int64 [pairs] each."""

    alone: Ints
    """By the pair itself."""
    together: Ints
    """By the largest value of the pair and those before it."""
    largest: Floats
    """The largest value of each sample, float64 [samples]."""


class Sampling(Protocol):
    """Functions of an engine over samples; see ``cranfield.engine.protocol.Engine``."""

    def count_reached(
        self,
        sums: Floats,
        left: Ints,
        right: Ints,
        signed: bool,
        scale: Floats,
        squares: Floats | None,
        across: Floats | None,
        levels: Floats,
        largest: Floats,
    ) -> Reached:
        """Count the samples in which (sums[left] - sums[right])^2 scale / squares reaches the level of a pair.

        ``sums`` is [columns, samples], ``squares`` [pairs, samples], of ones where None. Where ``across`` is there,
        [columns, samples], ``squares`` are not: the scaled square q is divided by q + e, e = 1 - scale (sums[left] -
        sums[right]) (across[left] - across[right]), 0 where that is at most 1e-14. Where ``signed``, the value has the
        sign of the difference. Pairs are gone through as they come; ``largest`` has the largest value of each sample
        before them.
        """
        ...

    def count_decisions(
        self, columns: Floats, left: Ints, right: Ints, fuzziness: float, slack: float
    ) -> tuple[Ints, Ints]:
        """Decide every pair by its means over each subset: twice the decisions of a minority, and ties, [subsets] each.

        ``columns`` has the means, [columns, subsets]. Two are tied where they differ by no more than fuzziness times
        the larger one, plus slack. Where both sides of a pair win equally often, each decision is half a minority's.
        """
        ...

    def largest_statistics(
        self,
        sums: Floats,
        left: Ints,
        right: Ints,
        squares: Floats,
        limit: Floats,
        floor: Floats,
        cap: float,
        begins: Ints,
        ends: Ints,
        kth: Ints,
    ) -> tuple[Ints, Floats]:
        """Count the resamples that reach what was observed, [pairs], and find their largest moments, [parts, pairs].

        A moment is sums[left] - sums[right]; ``sums`` is [columns, resamples], ``squares`` [resamples, pairs], without
        NaN. A resample reaches what was observed where its squared moment is at least squares * limit + floor. How
        large it is says the ratio of squared moment and squares, at most ``cap`` and 0 where squares are not above
        ``floor``: found is the moment of the first resample of the k-th largest ratio of each part. A part is the
        resamples from its begin up to its end.
        """
        ...

    def count_apart(self, mean: Floats, products: Floats, items: float, factor: float, least: float) -> int:
        """Count the pairs of columns whose squared difference of means is above factor * error, and above ``least``.

        ``products`` are sums of products of each two columns without their means, [columns, columns], of that many
        items: error = max(0, products[i, i] + products[j, j] - 2 products[i, j]) / (items - 1) / items.
        """
        ...


StatisticRank = tuple[Ints, Ints]
"""Significant tests of each row at each level, int64 [rows, levels], and all tests of each row, int64 [rows]."""


class CountsTests(Protocol):
    """It counts significant tests by t^2 and critical values."""

    def count_welch_tests(
        self,
        means: Floats,
        errors: Floats,
        other_means: Floats,
        other_errors: Floats,
        low: Floats,
        high: Floats,
        curves: Floats,
    ) -> tuple[StatisticRank, StatisticRank]:
        """Count in each row the squares of Welch's t that reach each level: of different columns, and of the same.

        Every column of ``means`` is tested against every one of ``other_means``, with ``errors`` the squares of their
        standard errors, all [rows, columns]; where both are 0 there is no test. A square reaches a level for sure from
        its ``high`` on, and not below its ``low``, which both ascend. Between them decides the Chebyshev series of the
        level, of ``curves`` [levels, terms], of at least two terms, at (e^2 + f^2) / (e + f)^2 on [1/2, 1].
        """
        ...


InputSource = str | bytes
"""A path, or the bytes themselves."""

CODES = 256
"""The number of values of a byte; 3^5 = 243 of them are the outcomes of five systems."""

PositionTable = NDArray[np.signedinteger]
"""Positions or ranks, int16 or int32, C-contiguous; the largest number of the type is a document not retrieved."""


class RunColumns(TypedDict):
    """A run: rows grouped by topic in order of first appearance, in file order within a topic."""

    topics: list[str]
    starts: Ints
    data: Bytes
    offsets: Ints
    score: Floats
    rank: Ints | None
    facts: Facts
    sha256: str
    """Hash of the bytes that were read, before they were unpacked."""


class QrelsColumns(TypedDict):
    """Judgments: topics in order of first appearance, documents of a topic in id byte order."""

    topics: list[str]
    starts: Ints
    data: Bytes
    offsets: Ints
    grade: Floats
    """Largest label of each pool row over field 2."""
    document: Ints
    """Pool row of each judgment."""
    iteration: Ints
    """Index of each judgment in ``iterations``."""
    label: Floats
    iterations: list[str]
    facts: Facts
    sha256: str
    """Hash of the bytes that were read, before they were unpacked."""


class Judged(TypedDict):
    """One run seen through the qrels: T lists in the order of the qrels' topics."""

    length: Ints
    """Retrieved documents of each topic, int64 [T]."""
    starts: Ints
    """Rows of topic t: ``starts[t]:starts[t + 1]``, int64 [T + 1]."""
    rank: Ints
    """Rank of each judged document, from 1."""
    document: Ints
    """Pool row of each judged document."""
    first: Ints
    """First rank of the documents with the same score; empty unless ties are ``expected`` or ``bounds``."""
    last: Ints
    """Last rank of them."""
    facts: Facts


class JudgedFile(Judged):
    """Judged lists straight from a file."""

    sha256: str
    """Hash of the bytes that were read, before they were unpacked; empty unless requested."""


class Outcomes(TypedDict):
    """The different joint outcomes of systems over pairs of documents. An outcome and its mirror image are one.

    Each is turned so that the first system that says something puts the first document first. They ascend by what the
    systems say in their turn (the second document first, neither retrieved, the first one first).
    """

    toward: Floats
    """Pairs whose first document is the better one, and all pairs of which nothing is said."""
    against: Floats
    """Pairs of the mirror image."""
    first: Ints
    """The first document of one such pair."""
    second: Ints


class Agreements(TypedDict):
    """Pairs of documents of which every two systems say the same, or the opposite; float64 [systems, systems] each."""

    toward: Floats
    """Both put the better document first; on the diagonal, one system does."""
    against: Floats
    """Both put the worse one first."""
    opposite: Floats
    """The system of the row puts the better document first, that of the column the worse one."""


RunIds = tuple[Bytes, Ints, Ints, Ints]
"""Ids of a run (data and offsets), where its topics begin, and their numbers among the topics of all runs."""


class Documents(TypedDict):
    """All documents of several runs: by topic, in id byte order within one."""

    data: Bytes
    offsets: Ints
    starts: Ints
    """Documents of topic t: ``starts[t]:starts[t + 1]``, int64 [topics + 1]."""
    rows: list[NDArray[np.int32]]
    """Document of every row, for each run."""


DocumentRows = tuple[list[str], Ints, Bytes, Ints, Floats]
"""Topics, where their rows begin, data and offsets of the documents, and a number of each row."""


class Engine(Sampling, CountsTests, Protocol):
    """Functions that ``cranfield._engine`` and ``cranfield.reference_engine`` provide. All raise ``EngineError``."""

    NAME: str

    def read_run(self, source: InputSource, layout: str, max_unpacked: int, on_duplicate: str) -> RunColumns:
        """Read a whole run; ``on_duplicate="first"`` keeps the line of largest score of a document."""
        ...

    def read_qrels(self, source: InputSource, layout: str, max_unpacked: int) -> QrelsColumns:
        """Read judgments."""
        ...

    def index(self, topics: list[str], starts: Ints, data: Bytes, offsets: Ints) -> Any:
        """Tables to look topics and documents up in; opaque, immutable, used by many threads at once."""
        ...

    def judge_file(
        self,
        source: InputSource,
        layout: str,
        max_unpacked: int,
        index: Any,
        ties: str,
        on_duplicate: str,
        threads: int,
        sign: bool,
    ) -> JudgedFile:
        """From file bytes straight to judged ranks, without building a run; hashed while read where ``sign`` is set."""
        ...

    def judge_run(
        self,
        topics: list[str],
        starts: Ints,
        data: Bytes,
        offsets: Ints,
        score: Floats,
        rank: Ints | None,
        index: Any,
        ties: Sequence[str],
        on_duplicate: str,
    ) -> list[Judged]:
        """The same from a run in memory, under each of some tie policies; gives the same bits."""
        ...

    def count_outcomes(self, ranks: PositionTable, order: Ints, cuts: Ints) -> Outcomes:
        """Count what systems together say of all pairs of documents with different labels.

        ``ranks`` is [systems, documents], of one system or more; ``order`` has the documents by label descending, a
        label begins at each of ``cuts``, and the last of these is how many there are.
        """
        ...

    def count_agreements(self, ranks: PositionTable, order: Ints, cuts: Ints) -> Agreements:
        """Count of what pairs of documents with different labels every two systems say the same, or the opposite.

        See ``count_outcomes`` for the arguments. No two documents have the same rank in the list of a system.
        """
        ...

    def pack_outcomes(self, ranks: PositionTable, first: Ints, second: Ints) -> Bytes:
        """Pack the orders in which systems have pairs of documents, five systems a byte, [pairs, systems / 5].

        In base 3, first system first: 2 where the first document is first, 0 where the second one is, 1 where neither
        is retrieved, and after the last system. ``ranks`` is [systems, documents].
        """
        ...

    def fit_signs(
        self, codes: Bytes, share: Floats, sign: Floats, start: Floats, beyond: bool
    ) -> tuple[Floats, Singles, bool]:
        """Weights b of the least cross entropy of P(+ | x) = 1 / (1 + exp(-b x)), by steps that begin at ``start``.

        ``codes`` has the signs x of each cell as of ``pack_outcomes``, ``share`` how often the cell occurs and ``sign``
        how often the sign to be predicted is + there, of all; both [cells]. Given back are the weights, their sums over
        the signs of each cell, and whether these have the sign of every cell that says something, and none has both
        signs. There steps end, as no weights are best then, unless they are to go ``beyond``.
        """
        ...

    def majority_order(self, rank: PositionTable, starts: Ints) -> Ints:
        """Sort documents so that of two the majority of runs puts the first one first: merge sort from the top down.

        ``rank`` is [documents, runs]; list l begins with the documents ``starts[l]:starts[l + 1]`` as they are, halves
        are of n // 2 documents and the rest, and where as many runs say either, the document on the left stays there.
        """
        ...

    def order_by_votes(self, rank: PositionTable, starts: Ints, label: Floats, need: int) -> Ints:
        """The same where of two documents the first stays if ``need`` runs or more put it first and fewer the second.

        If it is neither so nor the other way round, it stays unless its label, [documents], is the smaller one.
        """
        ...

    def count_leads(self, table: PositionTable, left: Ints, right: Ints) -> Ints:
        """Count columns in which the left row of each pair is smaller, less those where the right one is, [pairs]."""
        ...

    def count_ties(self, starts: Ints, score: Floats, depth: int) -> tuple[int, int, bool]:
        """Lists with equal scores near the top: list l has the rows ``starts[l]:starts[l + 1]``, in any order.

        Given back are how many lists have equal neighbours among the first ``depth`` and the next in falling order; how
        many have such that are equal as they are or in single precision; and whether any neighbours of a list, wherever
        they stand, are equal in single precision alone.
        """
        ...

    def sum_by_rank(self, row: Ints, starts: Ints, weight: Floats, rows: int) -> Floats:
        """Sum for each of ``rows`` rows what its ranks have, from the smallest value on, one after the other.

        So the order of the lists changes no bit. List l is ``row[starts[l]:starts[l + 1]]``, and ``weight`` has the
        value of each rank, [ranks of the longest list] or more.
        """
        ...

    def unite_documents(self, runs: Sequence[RunIds], topics: int) -> Documents:
        """All documents of several runs over ``topics`` topics, and which each row is."""
        ...

    def order_lists(
        self,
        starts: Ints,
        topics: Ints,
        bounds: Ints,
        document: NDArray[np.int32],
        score: Floats,
        rank: Ints | None,
        ties: str,
        into_document: NDArray[np.int32],
        into_score: Floats,
    ) -> Ints | None:
        """Order the lists of a run of which the documents are known by their numbers, as ``judge_run`` does.

        List l has the rows ``starts[l]:starts[l + 1]`` and is of topic ``topics[l]``, whose documents are
        ``bounds[t]:bounds[t + 1]`` in the order of their ids. Documents and scores are put into two arrays, [rows],
        topic after topic by their numbers; given back are the topics whose ranks contradict their scores, in the order
        of the lists. None where a document occurs twice in a topic, or a topic twice: then the two arrays hold nothing
        of use. ``ties`` is not ``rank``.
        """
        ...

    def gather_pools(self, whole_topics: bool, whole_documents: bool, rows: int) -> PoolBuilder:
        """Judgments to be gathered from columns of whole numbers or of text; about ``rows`` rows are expected."""
        ...

    def topic_edges(self, topics: IdColumn) -> tuple[int, int]:
        """Return the row where the first topic of a column ends, and the row where the last one begins."""
        ...


class Noticed(TypedDict, total=False):
    """A fact about the data that a careful user should know; only the parts of its finding's sentence are here."""

    count: int
    """The number of findings of its kind; the other parts are those of the first one."""
    line: int
    """From 1."""
    topic: str
    document: str
    value: str
    """As in the file; of a long one the first 80 characters."""
    first: str
    """The value from which this one differs."""
    names: list[str]
    """The first five names."""
    reason: str
    """The reason why something is wrong."""
    differing: int
    """The number of those that contradict each other."""


class Facts(TypedDict, total=False):
    """The counts and the notices of a reader."""

    rows: int
    tag: str
    """The tag of a run; absent for judgments."""
    skipped: int
    """Blank lines and comments."""
    metadata: str
    """The header of ir_metadata at the head of a run, which ``cranfield.io`` adds; absent where there is none."""
    absent: list[str]
    """Judged topics of a part of a run of which it has no documents: the first five."""
    lacks: Any
    """Gaps in topics of a part of the judgments: ``cranfield.scoring.undefined_topics.Lacks``."""
    noticed: dict[str, Noticed]
    """Code of a finding (``findings.catalogue``) -> the fact; only what was noticed. ``judge_file`` does not say
    that topics are scattered."""


IdColumn = Ints | tuple[Bytes, Ints]
"""Ids of rows: whole numbers, int64 [rows], or data and offsets of text, as in ``TextColumn``."""


class TopicLists(TypedDict):
    """Lists of judged topics out of columns, in the order in which they came."""

    topic: Ints
    """Number of each one's topic, int64 [lists]."""
    row: Ints
    """First row of each list."""
    length: Ints
    starts: Ints
    """Judged documents of list l: ``starts[l]:starts[l + 1]``, int64 [lists + 1]."""
    rank: Ints
    document: Ints
    """Pool rows."""
    first: Ints
    """As in ``Judged``."""
    last: Ints
    facts: Facts
    """Counts and notices; lines are rows, from 1."""


class UnorderedRows(Protocol):
    """Rows of lists in any order, of topics with some numbers."""

    def add(self, pools: Any, topics: IdColumn, documents: IdColumn, score: Floats, first: int) -> None:
        """Rows of a batch, of which the first is row ``first`` of its file, from 0."""
        ...

    def judge(self, pools: Any, ties: str, on_duplicate: str) -> TopicLists:
        """The lists of all rows, in the order of their topics' numbers; once."""
        ...


class ColumnPools(Protocol):
    """Judged documents by topic, to look up those of columns of the same kinds; immutable."""

    def topics(self) -> IdColumn:
        """Ids of the topics, in order of first appearance."""
        ...

    def documents(self) -> IdColumn:
        """Ids of the documents, by topic and in the order of their text."""
        ...

    def find(self, topics: IdColumn) -> Ints:
        """Numbers of topics, -1 where one is not judged."""
        ...

    def judge(self, topics: IdColumn, documents: IdColumn, score: Floats, ties: str, on_duplicate: str) -> TopicLists:
        """Lists whose rows are together; a topic that comes again is another list."""
        ...

    def gather(self, low: int, high: int) -> UnorderedRows:
        """Rows in any order, of topics with the numbers ``low`` to ``high - 1``."""
        ...


class PoolBuilder(Protocol):
    """Judgments in columns, as they come."""

    def add(self, topics: IdColumn, documents: IdColumn, label: Floats) -> None:
        """Some judgments, in any order."""
        ...

    def finish(self) -> tuple[ColumnPools, Ints, Floats]:
        """Pools, where those of each topic begin, int64 [topics + 1], and the label of each document; once."""
        ...
