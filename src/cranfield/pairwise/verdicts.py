"""``PairVerdicts``: which of two systems, or answers, a judge preferred on a topic."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield._message import name_value, setting
from cranfield._text import counted, cut, quoted, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import is_missing, is_series
from cranfield.collection.frames import is_frame, read_table
from cranfield.collection.preferences import Preferences
from cranfield.errors import InputError, UsageError, refusal
from cranfield.findings.location import Location
from cranfield.io.system_names import TELLING, warn_of_copies, warn_of_lookalikes
from cranfield.pairwise.records import (
    FLAGS,
    NAMES,
    OUTCOMES,
    SINGLE,
    STRONG,
    VerdictLine,
    check_columns,
    find_roles,
    read_row,
)

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoFrame

WORDS = {1: "left", -1: "right", 0: "tie", STRONG: "A>>B", -STRONG: "B>>A"}
"""Outcome of a row -> the word that is written for it; ``records.WORDS`` are those that are read."""
POOLED = "pooled"
"""The judge of all verdicts together."""


@dataclass(frozen=True, eq=False)
class PairVerdicts:
    """Verdicts on pairs of systems, or of answers, in the order in which they were read.

    Args:
        topics: their names, in order of first appearance.
        systems: names of systems or answers, sorted.
        judges: their names, in order of first appearance.
        topic: the number of each verdict's topic, [verdicts].
        left: the number of what was shown first, [verdicts].
        right: the number of what was shown second, [verdicts].
        outcome: 1 (left), 0 (a tie) or -1 (right), [verdicts].
        judge: the number of each verdict's judge, [verdicts].
        omitted: rows without a verdict.
        name: what messages call them.
        strong: whether a verdict is strong, such as ``A>>B``, [verdicts]; None where none is.
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    topic: Ints
    left: Ints
    right: Ints
    outcome: Ints
    judge: Ints
    omitted: int = 0
    name: str = "the verdicts"
    strong: Mask | None = None

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        parts = (len(self), "verdict"), (len(self.topics), "topic"), (len(self.systems), "system")
        return f"PairVerdicts({', '.join(counted(*part) for part in (*parts, (len(self.judges), 'judge')))})"

    @classmethod
    def of(cls, rows: Any, *, name: str = "the verdicts", columns: Mapping[str, str] | None = None) -> PairVerdicts:
        """Make verdicts from rows or a data frame.

        Args:
            rows: (topic, left, right, verdict), or these and the judge; or a frame with columns as in files of
                ``read_verdicts``. ``verdict`` is ``left``, ``right`` or ``tie``, or one of five steps, ``A>>B`` to
                ``B>>A``, or in a frame any word of files; None and NaN are left out and counted.
            name: for messages.
            columns: role -> column of a frame, as in ``read_verdicts``.

        Raises:
            InputError: a row of another length, an unknown verdict, a system beside itself, or no verdict.

        >>> PairVerdicts.of([("q1", "bm25", "neural", "right"), ("q1", "neural", "bm25", "tie")])
        PairVerdicts(2 verdicts, 1 topic, 2 systems, 1 judge)
        """
        named = check_columns(columns)
        if is_frame(rows):
            return assemble(_read_frame(rows, named), name)
        if named:
            raise UsageError("columns names the columns of a data frame: leave it out for rows")
        if not is_series(rows):
            raise UsageError(f"{name_value(rows)} is not rows (topic, left, right, verdict), or a data frame")
        lines = []
        for number, row in enumerate(rows, 1):
            where = Location(name=name).within(f"row {number}")
            if isinstance(row, (str, bytes)) or not is_series(row) or len(given := tuple(row)) not in (4, 5):
                raise InputError(
                    f"{name_value(row)} is not (topic, left, right, verdict) or these and the judge",
                    where,
                    code="fields",
                )
            topic, left, right, verdict, *judge = given
            if any(is_missing(own) or isinstance(own, bytes) for own in (topic, left, right)):
                text = f"{name_value(row)} should begin with the names of a topic and of two systems"
                raise InputError(text, where, code="fields")
            word = None if is_missing(verdict) else str(verdict)
            if word is not None and word not in OUTCOMES:
                text = f"{quoted(cut(word))} is not a verdict: write left, right or tie, or a step such as A>>B"
                raise InputError(text, where, code="verdict", value=cut(word))
            outcome = None if word is None else OUTCOMES[word]
            lines.append(
                (
                    where,
                    str(topic),
                    str(left),
                    str(right),
                    outcome,
                    SINGLE if not judge or is_missing(judge[0]) else str(judge[0]),
                )
            )
        return assemble(lines, name)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the verdicts, whatever file they stood in."""
        hashed = hashlib.sha256(repr((self.topics, self.systems, self.judges)).encode())
        for values in (self.topic, self.left, self.right, self.outcome, self.judge):
            hashed.update(np.ascontiguousarray(values, dtype=np.int64).tobytes())
        if self.strong is not None:
            hashed.update(self.strong.tobytes())
        return hashed.hexdigest()

    def to_frame(self) -> pd.DataFrame:
        """One row a verdict: ``topic``, ``left``, ``right``, ``verdict``, ``judge``."""
        import pandas as pd

        names = (self.topics, self.topic), (self.systems, self.left), (self.systems, self.right)
        columns = [[own[number] for number in numbers] for own, numbers in names]
        words = self.outcome if self.strong is None else self.outcome * np.where(self.strong, STRONG, 1)
        columns += [[WORDS[int(own)] for own in words], [self.judges[own] for own in self.judge]]
        return pd.DataFrame(dict(zip(("topic", "left", "right", "verdict", "judge"), columns, strict=True)))

    def select_judge(self, judge: str) -> PairVerdicts:
        """The verdicts of one judge.

        Raises:
            UsageError: there is no such judge.
        """
        if judge not in self.judges:
            judges = ", ".join(map(quoted, sorted(self.judges)[:5])) + ", ..." * (len(self.judges) > 5)
            raise UsageError(f"{setting('judge', judge)}: there is no such judge; the verdicts are by {judges}")
        return self.select_rows(self.judge == self.judges.index(judge), (judge,))

    def pool_judges(self) -> PairVerdicts:
        """All verdicts, as if they were by one judge."""
        return replace(self, judges=(POOLED,), judge=np.zeros(len(self), dtype=np.int64))

    def by_judge(self) -> Iterator[tuple[str, PairVerdicts]]:
        """Each judge with its own verdicts; numbers of topics and systems are those of all."""
        for number, name in enumerate(self.judges):
            yield name, self.select_rows(self.judge == number, (name,))

    def select_rows(self, rows: Mask, judges: tuple[str, ...]) -> PairVerdicts:
        """The verdicts of these rows, all by one judge; numbers of topics and systems stay.

        Args:
            rows: which, [verdicts].
            judges: the name of that judge, alone in a tuple.
        """
        topic, left, right, outcome = (own[rows] for own in (self.topic, self.left, self.right, self.outcome))
        judge = np.zeros(len(topic), dtype=np.int64)
        own = replace(self, judges=judges, topic=topic, left=left, right=right, outcome=outcome, judge=judge)
        return own if self.strong is None else replace(own, strong=self.strong[rows])

    def agree_orders(self) -> PairVerdicts:
        """One verdict a pair, topic and judge: who won in both orders, or else a tie.

        Several verdicts in one order count by the sign of their sum. Pairs that were judged in one order only are left
        out, with a warning.

        Raises:
            InputError: no pair was judged in both orders.
        """
        systems, low, high = len(self.systems), np.minimum(self.left, self.right), np.maximum(self.left, self.right)
        key = ((self.judge * len(self.topics) + self.topic) * systems + low) * systems + high
        _, first, pair = np.unique(key, return_index=True, return_inverse=True)
        is_second = self.left != low
        total, count = np.zeros((2, len(first), 2), dtype=np.int64)
        np.add.at(total, (pair, is_second.astype(int)), np.where(is_second, -self.outcome, self.outcome))
        np.add.at(count, (pair, is_second.astype(int)), 1)
        kept = np.flatnonzero(count.all(axis=1))
        if not len(kept):
            text = f"no pair was judged in both orders, which {setting('repeats', 'both')} needs"
            raise InputError(text, self.name, code="too-few")
        if len(kept) < len(first):
            text = f"{counted(len(first) - len(kept), 'pair')} judged in one order only left out"
            warn(f"{self.name}: {text}")
        kept = kept[np.argsort(first[kept])]
        signs, rows = np.sign(total[kept]), first[kept]
        outcome = np.where(signs[:, 0] == signs[:, 1], signs[:, 0], 0)
        strong = self.strong
        if strong is not None:
            strong = (np.bincount(pair, ~strong)[kept] == 0) & (outcome != 0)  # all of its verdicts are strong
        topic, judge = self.topic[rows], self.judge[rows]
        return replace(self, topic=topic, left=low[rows], right=high[rows], outcome=outcome, judge=judge, strong=strong)

    def swap_rows(self, rows: Mask) -> PairVerdicts:
        """The same verdicts with left and right exchanged in these rows, [verdicts]."""
        left, right = np.where(rows, self.right, self.left), np.where(rows, self.left, self.right)
        return replace(self, left=left, right=right, outcome=np.where(rows, -self.outcome, self.outcome))

    def name_systems(self, systems: Mapping[str, str]) -> PairVerdicts:
        """The same verdicts on systems, where these are on answers.

        Args:
            systems: answer -> system.

        Raises:
            InputError: an answer without a system, or a pair of answers of the same system.
        """
        missing = [answer for answer in self.systems if answer not in systems]
        if missing:
            text = f"{counted(len(missing), 'answer')} without a system (first: {quoted(missing[0])})"
            raise InputError(text, "the systems of answers", code="no-system", value=cut(missing[0]))
        names = sorted({systems[answer] for answer in self.systems})
        number = {name: at for at, name in enumerate(names)}
        code = np.array([number[systems[answer]] for answer in self.systems], dtype=np.int64)
        left, right = code[self.left], code[self.right]
        if (left == right).any():
            first = int(np.flatnonzero(left == right)[0])
            pair = f"{quoted(self.systems[self.left[first]])} and {quoted(self.systems[self.right[first]])}"
            raise InputError(f"{pair} are answers of the same system, {quoted(names[left[first]])}", self.name)
        return replace(self, systems=tuple(names), left=left, right=right)

    def preferences(self) -> Preferences:
        """Preference judgments, where left and right are documents: pairs by the sign of their verdicts, ties dropped.

        Raises:
            InputError: every pair is a tie.
        """
        pairs = pair_outcomes(self)
        decided = np.flatnonzero(pairs.total)
        better = np.where(pairs.total > 0, pairs.low, pairs.high)
        worse = np.where(pairs.total > 0, pairs.high, pairs.low)
        rows = ((self.topics[pairs.topic[at]], self.systems[better[at]], self.systems[worse[at]]) for at in decided)
        return Preferences.of(rows, name=self.name)


@dataclass(frozen=True)
class PairOutcomes:
    """Verdicts by topic and pair of systems, in order of topics, [pairs].

    Args:
        topic: number of the topic.
        low: the system with the smaller number.
        high: the other one.
        total: sum of the outcomes for ``low``.
        count: how many verdicts.
        pair: the number of each verdict's pair, [verdicts].
        weight: how often each verdict counts in ``total`` and ``count``, [verdicts].
    """

    topic: Ints
    low: Ints
    high: Ints
    total: Ints | Floats
    count: Ints | Floats
    pair: Ints
    weight: Ints | Floats

    @property
    def sign(self) -> Ints:
        """Outcome of each pair for ``low``: 1, 0 or -1."""
        return np.sign(self.total).astype(np.int64)

    @property
    def mean(self) -> Floats:
        """Mean outcome for ``low``."""
        return np.asarray(self.total / self.count)


VerdictsLike: TypeAlias = "PairVerdicts | Sequence[Sequence[Any]] | IntoFrame"


def as_verdicts(verdicts: VerdictsLike) -> PairVerdicts:
    """Verdicts in any of their forms, see ``PairVerdicts.of``.

    Raises:
        UsageError: something else, such as a path.
    """
    if isinstance(verdicts, PairVerdicts):
        return verdicts
    if is_frame(verdicts) or isinstance(verdicts, (list, tuple)):
        return PairVerdicts.of(verdicts)
    raise UsageError(
        f"{type(verdicts).__name__} is not PairVerdicts: give what read_verdicts returns, rows, or a data frame"
    )


def pair_outcomes(verdicts: PairVerdicts, strong_weight: float = 1.0) -> PairOutcomes:
    """Sum up the verdicts on each pair of a topic; a strong one counts as several."""
    systems = len(verdicts.systems)
    low, high = np.minimum(verdicts.left, verdicts.right), np.maximum(verdicts.left, verdicts.right)
    own = np.where(verdicts.left == low, verdicts.outcome, -verdicts.outcome)
    keys, pair = np.unique((verdicts.topic * systems + low) * systems + high, return_inverse=True)
    weight: Ints | Floats = np.ones(len(own), dtype=np.int64)
    if strong_weight != 1 and verdicts.strong is not None:
        weight = np.where(verdicts.strong, strong_weight, 1.0)
    total: Any = np.zeros(len(keys), dtype=weight.dtype)
    count: Any = np.zeros(len(keys), dtype=weight.dtype)
    np.add.at(total, pair, weight * own)
    np.add.at(count, pair, weight)
    within = keys // systems
    return PairOutcomes(within // systems, within % systems, keys % systems, total, count, pair, weight)


def choose_verdicts(
    verdicts: PairVerdicts, strong_weight: float, repeats: str, *, order_effect: bool = False
) -> PairVerdicts:
    """The verdicts that count: all, or one a pair, which wins in both orders, or ties.

    Raises:
        InputError: both orders count, and no pair was judged in both.
        UsageError: strong verdicts are to weigh more, and there is none; or pairs without an order are to have an
            effect of order.
    """
    if strong_weight != 1 and verdicts.strong is None:
        text = f"{setting('strong_weight', strong_weight)}: {verdicts.name} has no strong verdict, such as A>>B"
        raise UsageError(f"{text}: leave it out")
    if repeats == "both" and order_effect:
        text = f"{setting('repeats', repeats)} leaves one verdict a pair, without an order: leave out "
        raise UsageError(text + setting("order_effect"))
    return verdicts.agree_orders() if repeats == "both" else verdicts


def assemble(lines: Iterable[VerdictLine], name: str) -> PairVerdicts:
    """Number the names of verdicts.

    Raises:
        InputError: an empty name, a system beside itself, or no verdict.
    """
    topics: dict[str, int] = {}
    systems: dict[str, int] = {}
    judges: dict[str, int] = {}
    rows: list[tuple[int, ...]] = []
    omitted = 0
    for where, topic, left, right, outcome, judge in lines:
        for kind, text in (("topic", topic), ("system", left), ("system", right), ("judge", judge)):
            if not text:
                raise refusal(f"the name of the {kind} is empty", where, code="empty-name")
        if left == right:
            text = f"{quoted(cut(left))} is compared with itself"
            raise refusal(text, where, code="same-system", value=cut(left))
        if outcome is None:
            omitted += 1
            continue
        numbers = (own.setdefault(text, len(own)) for own, text in ((topics, topic), (systems, left), (systems, right)))
        rows.append((*numbers, outcome, judges.setdefault(judge, len(judges))))
    if not rows:
        raise InputError("there is no verdict", name, code="empty")
    warn_of_lookalikes(systems, "system", name)
    warn_of_lookalikes(judges, "judge", name)
    _warn_of_copies(rows, judges, name)
    names = sorted(systems)
    order = np.empty(len(names), dtype=np.int64)
    order[[systems[text] for text in names]] = np.arange(len(names))
    topic_, left_, right_, outcome_, judge_ = np.array(rows, dtype=np.int64).T
    strong = np.abs(outcome_) == STRONG
    return PairVerdicts(
        tuple(topics),
        tuple(names),
        tuple(judges),
        topic_,
        order[left_],
        order[right_],
        np.sign(outcome_),
        judge_,
        omitted,
        name,
        strong if strong.any() else None,
    )


def _warn_of_copies(rows: Sequence[tuple[int, ...]], judges: Mapping[str, int], name: str) -> None:
    """Warn of verdicts that would count twice: of a file that was joined to itself, or a judge under two names.

    Args:
        rows: topic, systems, outcome and judge of each.
        judges: name -> number.
        name: what messages call them.
    """
    half = len(rows) // 2
    first: dict[tuple[int, ...], int] = {}
    same = [first.setdefault((*sides, judge), outcome) == outcome for *sides, outcome, judge in rows]
    copies = half if rows[:half] == rows[half:] else len(rows) - len(first) if all(same) else 0
    if copies >= TELLING:
        text = (
            f"{copies:,} verdicts repeat earlier ones by the same judge on the same topic and sides, and none differs"
        )
        warn(f"{name}: {text}: are they here twice?")
    of_judge: dict[int, list[tuple[int, ...]]] = {number: [] for number in judges.values()}
    for *verdict, judge in rows:
        of_judge[judge].append(tuple(verdict))
    warn_of_copies(
        (judge, str(hash(tuple(sorted(of_judge[number])))), len(of_judge[number])) for judge, number in judges.items()
    )


def _read_frame(frame: Any, columns: Mapping[str, str]) -> Iterator[VerdictLine]:
    """The rows of a frame, by its columns.

    Raises:
        InputError: a column is missing, or a word is not a verdict.
        UsageError: a column that is named is not there.
    """
    table, where = read_table(frame), Location(name="the data frame")
    expected = ["topic", "left", "right", "verdict"]
    lacking = [role for role in expected if role not in columns and not set(NAMES[role]) & {*table.names}]
    if lacking == ["verdict"] and set(table.names) >= FLAGS.keys():
        lacking = []
    roles = None if lacking else find_roles(table.names, columns, None, where)
    if roles is None:
        raise InputError(f"the data frame has no column {', '.join(map(quoted, lacking))}", where)
    used = [*roles.topics, roles.left, roles.right, *filter(None, [roles.judge])]
    used += [roles.verdict] if roles.verdict is not None else FLAGS
    values = {column: table[column].tolist() for column in dict.fromkeys(used)}
    if roles.verdict is not None:
        roles = roles.with_numbers((value for value in values[roles.verdict] if not is_missing(value)), where)
    for number, row in enumerate(zip(*values.values(), strict=True), 1):
        record = {column: None if is_missing(value) else value for column, value in zip(values, row, strict=True)}
        yield read_row(where.within(f"row {number}"), record, roles)
