"""``PairVerdicts``: which of two systems, or answers, a judge preferred on a topic."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield._message import name_value, setting
from cranfield._text import counted, cut, quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import is_series
from cranfield.collection.frames import is_frame, read_table
from cranfield.collection.preferences import Preferences
from cranfield.errors import InputError, UsageError, refusal
from cranfield.findings.location import Location

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoFrame

OUTCOMES = {"left": 1, "right": -1, "tie": 0}
"""Word of a verdict -> its outcome."""
WORDS = {outcome: word for word, outcome in OUTCOMES.items()}
SINGLE = "judge"
"""The judge of verdicts that name none."""
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

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        parts = (len(self), "verdict"), (len(self.topics), "topic"), (len(self.systems), "system")
        return f"PairVerdicts({', '.join(counted(*part) for part in (*parts, (len(self.judges), 'judge')))})"

    @classmethod
    def of(cls, rows: Any, *, name: str = "the verdicts") -> PairVerdicts:
        """Make verdicts from rows or a data frame.

        Args:
            rows: (topic, left, right, verdict), or these and the judge; or a frame with columns of these names.
                ``verdict`` is ``left``, ``right`` or ``tie``; None and NaN are left out and counted.
            name: for messages.

        Raises:
            InputError: a row of another length, an unknown verdict, a system beside itself, or no verdict.

        >>> PairVerdicts.of([("q1", "bm25", "neural", "right"), ("q1", "neural", "bm25", "tie")])
        PairVerdicts(2 verdicts, 1 topic, 2 systems, 1 judge)
        """
        if is_frame(rows):
            rows = _read_frame(rows)
        elif not is_series(rows):
            raise UsageError(f"{name_value(rows)} is not rows (topic, left, right, verdict), or a data frame")
        lines = []
        for number, row in enumerate(rows, 1):
            where = Location(name=name).within(f"row {number}")
            if isinstance(row, (str, bytes)) or not is_series(row) or len(row := tuple(row)) not in (4, 5):
                raise InputError(
                    f"{name_value(row)} is not (topic, left, right, verdict) or these and the judge",
                    where,
                    code="fields",
                )
            topic, left, right, verdict, *judge = row
            word = None if _is_missing(verdict) else str(verdict)
            if word is not None and word not in OUTCOMES:
                text = f"{quoted(cut(word))} is not a verdict: write left, right or tie"
                raise InputError(text, where, code="verdict", value=cut(word))
            outcome = None if word is None else OUTCOMES[word]
            lines.append((where, str(topic), str(left), str(right), outcome, str(judge[0]) if judge else SINGLE))
        return assemble(lines, name)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the verdicts, whatever file they stood in."""
        hashed = hashlib.sha256(repr((self.topics, self.systems, self.judges)).encode())
        for values in (self.topic, self.left, self.right, self.outcome, self.judge):
            hashed.update(np.ascontiguousarray(values, dtype=np.int64).tobytes())
        return hashed.hexdigest()

    def to_frame(self) -> pd.DataFrame:
        """One row a verdict: ``topic``, ``left``, ``right``, ``verdict``, ``judge``."""
        import pandas as pd

        names = (self.topics, self.topic), (self.systems, self.left), (self.systems, self.right)
        columns = [[own[number] for number in numbers] for own, numbers in names]
        columns += [[WORDS[int(own)] for own in self.outcome], [self.judges[own] for own in self.judge]]
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
            judges: the name of the judge.
        """
        topic, left, right, outcome = (own[rows] for own in (self.topic, self.left, self.right, self.outcome))
        judge = np.zeros(len(topic), dtype=np.int64)
        return replace(self, judges=judges, topic=topic, left=left, right=right, outcome=outcome, judge=judge)

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
        rows = (
            (self.topics[pairs.topic[at]], *((self.systems[better], self.systems[worse])))
            for at in decided
            for better, worse in [(pairs.low[at], pairs.high[at])[:: 1 if pairs.total[at] > 0 else -1]]
        )
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
    """

    topic: Ints
    low: Ints
    high: Ints
    total: Ints
    count: Ints
    pair: Ints

    @property
    def sign(self) -> Ints:
        """Outcome of each pair for ``low``: 1, 0 or -1."""
        return np.sign(self.total)

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


def pair_outcomes(verdicts: PairVerdicts) -> PairOutcomes:
    """Sum up the verdicts on each pair of a topic."""
    systems = len(verdicts.systems)
    low, high = np.minimum(verdicts.left, verdicts.right), np.maximum(verdicts.left, verdicts.right)
    own = np.where(verdicts.left == low, verdicts.outcome, -verdicts.outcome)
    keys, pair = np.unique((verdicts.topic * systems + low) * systems + high, return_inverse=True)
    total = np.zeros(len(keys), dtype=np.int64)
    np.add.at(total, pair, own)
    within = keys // systems
    return PairOutcomes(within // systems, within % systems, keys % systems, total, np.bincount(pair), pair)


Line = tuple[Location, str, str, str, "int | None", str]
"""Where it stands, topic, left, right, outcome (None: there is none) and judge."""


def assemble(lines: Iterable[Line], name: str) -> PairVerdicts:
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
    names = sorted(systems)
    order = np.empty(len(names), dtype=np.int64)
    order[[systems[text] for text in names]] = np.arange(len(names))
    topic_, left_, right_, outcome_, judge_ = np.array(rows, dtype=np.int64).T
    return PairVerdicts(
        tuple(topics),
        tuple(names),
        tuple(judges),
        topic_,
        order[left_],
        order[right_],
        outcome_,
        judge_,
        omitted,
        name,
    )


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _read_frame(frame: Any) -> Iterable[Sequence[Any]]:
    table = read_table(frame)
    expected = ["topic", "left", "right", "verdict"]
    lacking = [name for name in expected if name not in table.names]
    if lacking:
        raise InputError(f"the data frame has no column {', '.join(map(quoted, lacking))}", "the data frame")
    columns = [*expected, *(["judge"] if "judge" in table.names else [])]
    return zip(*(table[column].tolist() for column in columns), strict=True)
