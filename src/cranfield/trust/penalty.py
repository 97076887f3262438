"""Penalties of a harmful label at which two systems reverse their order, or stop differing significantly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Unpack

import numpy as np

from cranfield._message import setting
from cranfield._text import condensed, counted, warn
from cranfield._typing import Floats
from cranfield.collection.policy import REWRITING
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions, JudgedOptions
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption
from cranfield.errors import InputError, UsageError
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels
from cranfield.measures.discounted_gain import DCG
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scoring import Progress, score

if TYPE_CHECKING:
    import pandas as pd

ScoreAs = Literal["org", "min"]
STEPS = 256
"""Parts of the range of penalties in which significance is looked for where no quadratic gives it."""
POINTS = 41
"""Steps of the curves."""
CLOSE = 1e-10
"""Penalties nearer than this are one."""
ROUNDED_OFF = 1e-14
"""Differences of a topic's scores up to this are rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class PenaltyChanges(Result):
    """Penalties at which conclusions about systems change, as a harmful label is penalised more.

    Args:
        changes: a row a change, by rising ``penalty``.
        systems: a row a ``system``, best first by the penalty that the label itself says.
        curves: a row a ``system`` and ``penalty``, at equal steps, and at the label's own.
        settings: the label, the measure, the cutoff, alpha, the largest penalty, and the label's own.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "changes": (
            Column("penalty", "p, at which the harmful label has the gain -p", shown="first"),
            Column("system", "the system that leads below it"),
            Column("other"),
            Column(
                "change",
                "order: it reverses; significant: their difference becomes so; not significant: it no longer is",
            ),
            Column("difference", "of their means there"),
        ),
        "systems": (
            Column("mean", "at the label's own penalty, or at 1 where the label is above 0", shown="first"),
            Column("unpenalised", "mean at penalty 0"),
            Column("rank", "of this mean", integer=True),
            Column("best_rank", "at any penalty looked at", integer=True),
            Column("worst_rank", "at any penalty looked at", integer=True),
        ),
        "curves": (Column("penalty"), Column("mean")),
    }
    changes: pd.DataFrame
    systems: pd.DataFrame
    curves: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def answer(self, table: str) -> str:
        """Between which penalties the order of systems is that of the label's own."""
        order = self.changes[self.changes["change"] == "order"]["penalty"]
        own, largest = self.settings["own_penalty"], self.settings["largest"]
        low, high = max([0.0, *order[order <= own]]), min([largest, *order[order > own]])
        return (
            f"The order of {counted(len(self.systems), 'system')} is the same for every penalty from {low:.4g} to "
            f"{high:.4g}, {own:g} among them; it changes "
            f"{counted(len(order), 'time')} from 0 to {largest:g}."
        )

    def caption(self, table: str) -> str:
        """The measure, what other labels count, and the test."""
        settings = self.settings
        empty = "a gain" if settings["score_as"] == "org" else "a gain and the label"
        return (
            f"NDCG_{settings['score_as']}@{settings['cutoff']}, label {settings['harmful']:g} with the gain -p; other "
            f"labels below 0, and topics without {empty}, count 0; ranks are those at penalty "
            f"{settings['own_penalty']:g}; paired t-tests of pairs, alpha {settings['alpha']:g}, not corrected"
        )


@analysis(
    "audit penalty",
    "Find the penalties of a harmful label at which the order of systems changes.",
    FromRuns(measures="none", policies=("ties", "missing", "unjudged", "on_duplicate", *REWRITING), rel=None),
    views=(
        View("changes"),
        View("systems", "Print systems with the range of their ranks.", ("--systems",), unused=("alpha",)),
    ),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --harmful -2 --systems"),
)
def find_penalty_changes(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    harmful: Annotated[
        float | None, Option("The harmful label; any label can be.", default="the lowest label below 0")
    ] = None,
    score_as: Annotated[
        ScoreAs, Option("NDCG_org, whose mean is linear in the penalty, or NDCG_min, in [0, 1].")
    ] = "org",
    cutoff: Annotated[int, Option("Cutoff of the measure.", low=1, flags=("-k",))] = 20,
    largest: Annotated[float, Option("Largest penalty looked at.", low=0, open=True)] = 10.0,
    alpha: AlphaOption = 0.05,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[JudgedOptions],
) -> PenaltyChanges:
    """Find every penalty of a harmful label at which two systems reverse their order or significance changes.

    A label of -2 for spam is a choice: with the gain -p in its place, conclusions hold from one penalty to another. Of
    a list, d is the discounted gain without the harmful label and s the discount of the ranks that show it; of a topic,
    I is the best d, and W the most s. The mean over topics of NDCG_org = (d - p s) / I is linear in p, so that two
    systems meet at p = mean((d - d') / I) / mean((s - s') / I); that of NDCG_min = (d - p s + p W) / (I + p W) is
    a sum of simple fractions, whose zeros are enclosed by bounds on their slopes. A significant difference has
    |mean| > t sd / sqrt(n) over n topics, a quadratic in p for NDCG_org; for NDCG_min it is looked for in 256 parts of
    the range.

    Args:
        runs, qrels: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called after each run.

    Raises:
        InputError: a file is refused, there is one system, or no document has the label.
        UsageError: a number outside its range, or no label below 0 where none is named.

    Source: the measures are those of Gienapp, Fröbe, Hagen & Potthast 2020, doi:10.1145/3340531.3412123; that a
    penalty may be chosen is left open there.

    >>> labels = {"1": {"good": 1, "fair": 1, "spam": -2}, "2": {"good": 1, "spam": -2}}
    >>> runs = {"bold": {"1": {"good": 3, "fair": 2, "spam": 1}, "2": {"good": 2, "spam": 1}},
    ...         "shy": {"1": {"good": 3}, "2": {"good": 2}}}
    >>> find_penalty_changes(runs, labels, cutoff=3).changes.round(4)
       penalty system other change  difference
    0   0.4126   bold   shy  order         0.0
    """
    options_read = InputOptions.of(reading, options)
    judgments = convert_qrels(qrels, **options_read.judgment_options)
    label = _choose_label(judgments, harmful)
    table = _HarmTable.of(runs, judgments, label, cutoff, options_read, progress)
    if len(table.systems) < 2:
        raise InputError("penalties reverse the order of two systems or more, and there is one")
    curves = Curves(table, score_as)
    own = abs(label) if label < 0 else 1.0
    if own > largest:
        raise UsageError(
            f"{setting('largest', largest)} is below the penalty of the label itself, {own:g}: look further"
        )
    rows = sorted(_find_changes(curves, largest, alpha), key=lambda row: (row["penalty"], row["system"], row["other"]))
    import pandas as pd

    columns = ["penalty", "system", "other", "change", "difference"]
    settings = record_options(find_penalty_changes, locals(), harmful=label, own_penalty=own)
    return PenaltyChanges(
        pd.DataFrame(rows, columns=columns),
        _describe_systems(curves, rows, own, largest),
        _tabulate(curves, own, largest),
        settings,
        table.signature | signed("penalty", settings),
    )


def _choose_label(qrels: Qrels, harmful: float | None) -> float:
    labels = np.unique(qrels.grade)
    if harmful is None:
        if labels[0] >= 0:
            named = ", ".join(f"{label:g}" for label in labels)
            raise InputError(
                f"no label is below 0: name the harmful one of {named}, as in {setting('harmful', labels[0].item())}",
                qrels.location,
                code="unknown",
            )
        return float(labels[0])
    if harmful not in labels:
        raise InputError(f"no document has the label {harmful:g}", qrels.location, code="unknown", value=str(harmful))
    return float(harmful)


@dataclass(frozen=True)
class _HarmTable:
    """Discounted gain and harm of runs by topic, and the largest that each topic allows.

    Args:
        systems: their names.
        gain: discounted gain without the harmful label, [topics, systems].
        harm: sum of the discounts of the ranks that show it, [topics, systems].
        best: largest gain of each topic, [topics].
        most: largest harm of each topic, [topics].
        signature: all that changes these numbers.
    """

    systems: tuple[str, ...]
    gain: Floats
    harm: Floats
    best: Floats
    most: Floats
    signature: dict[str, Any]

    @classmethod
    def of(
        cls,
        runs: RunsLike,
        qrels: Qrels,
        label: float,
        cutoff: int,
        reading: InputOptions,
        progress: Progress | None,
    ) -> _HarmTable:
        """Score the runs."""
        labels = np.unique(qrels.grade).tolist()
        plain = {key: max(key, 0.0) for key in labels} | {label: 0.0}
        alone = {key: float(key == label) for key in labels}
        measures = [DCG(gains=gains) @ cutoff for gains in (plain, alone)]
        scored = score(runs, qrels, measures, reading=reading, progress=progress)
        for line in condensed(scored.remarks):
            warn(line)
        gain, harm = np.nan_to_num(scored.values)
        discount = 1 / np.log2(np.arange(2, cutoff + 2))
        rows = [qrels.grade[start:end] for start, end in zip(qrels.starts[:-1], qrels.starts[1:], strict=True)]
        by_topic = dict(zip(qrels.topics, rows, strict=True))
        grades = [by_topic[topic] for topic in scored.topics]
        best = [_best(np.where(own == label, 0.0, np.maximum(own, 0.0)), discount) for own in grades]
        most = [_best((own == label).astype(np.float64), discount) for own in grades]
        return cls(tuple(scored.systems), gain, harm, np.array(best), np.array(most), scored.signature())


def _best(gains: Floats, discount: Floats) -> float:
    top = np.sort(gains)[::-1][: len(discount)]
    return float(top @ discount[: len(top)])


@dataclass(frozen=True)
class Curves:
    """Means of systems as functions of the penalty.

    Args:
        table: what runs show.
        kind: ``org`` or ``min``.
    """

    table: _HarmTable
    kind: ScoreAs

    def scores(self, penalty: float) -> Floats:
        """Score at a penalty, [topics, systems]; 0 where a topic has no range."""
        table = self.table
        if self.kind == "org":
            return _share(table.gain - penalty * table.harm, table.best[:, None])
        lift = penalty * table.most[:, None]
        return _share(table.gain - penalty * table.harm + lift, table.best[:, None] + lift)

    def differences(self, left: int, right: int) -> Callable[[float], Floats]:
        """Differences of two systems by topic, as a function of the penalty."""
        gain = self.table.gain[:, left] - self.table.gain[:, right]
        harm = self.table.harm[:, left] - self.table.harm[:, right]
        best, most = self.table.best, self.table.most if self.kind == "min" else np.zeros_like(self.table.most)
        return lambda penalty: _share(gain - penalty * harm, best + penalty * most)


def _share(part: Floats, whole: Floats) -> Floats:
    whole = np.broadcast_to(whole, part.shape)
    result: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return result


def _find_changes(curves: Curves, largest: float, alpha: float) -> Iterator[dict[str, Any]]:
    """A row for each change of each pair."""
    from scipy.stats import t

    n = len(curves.table.best)
    critical = float(t.ppf(1 - alpha / 2, n - 1)) if n > 1 else np.inf
    for left, right in combinations(range(len(curves.table.systems)), 2):
        at = curves.differences(left, right)

        def mean(penalty: float, at: Callable[[float], Floats] = at) -> float:
            return float(at(penalty).mean())

        def excess(penalty: float, at: Callable[[float], Floats] = at) -> float:
            differences = at(penalty)
            return float(differences.mean() ** 2 - critical**2 * differences.var(ddof=1) / n)

        for penalty in _find_order_changes(curves, left, right, largest):
            first, second = (left, right) if mean(max(0.0, penalty - _beside(penalty))) > 0 else (right, left)
            yield _row(curves, penalty, first, second, "order", 0.0)
        for penalty in (
            _find_significance_changes(curves, at, excess, critical, largest) if np.isfinite(critical) else ()
        ):
            first, second = (left, right) if mean(penalty) > 0 else (right, left)
            change = "significant" if excess(penalty + _beside(penalty)) > 0 else "not significant"
            yield _row(curves, penalty, first, second, change, abs(mean(penalty)))


def _beside(penalty: float) -> float:
    return 1e-6 * max(1.0, penalty)


def _row(curves: Curves, penalty: float, first: int, second: int, change: str, difference: float) -> dict[str, Any]:
    names = curves.table.systems
    return {
        "penalty": penalty, "system": names[first], "other": names[second], "change": change, "difference": difference,
    }  # fmt: skip


def _find_order_changes(curves: Curves, left: int, right: int, largest: float) -> list[float]:
    """Penalties in (0, largest] at which the means of two systems cross."""
    table = curves.table
    gain, harm = table.gain[:, left] - table.gain[:, right], table.harm[:, left] - table.harm[:, right]
    if curves.kind == "org":
        known = table.best > 0
        level, slope = (gain[known] / table.best[known]).sum(), (harm[known] / table.best[known]).sum()
        if not known.any() or abs(slope) <= CLOSE * np.abs(harm).sum():
            return []
        penalty = float(level / slope)
        return [penalty] if 0 < penalty <= largest else []
    return list(_enclose(Fractions(gain, harm, table.best, table.most), 0.0, largest))


@dataclass(frozen=True)
class Fractions:
    """f(p) = sum over topics of (gain - p harm) / (best + p most); topics without range are left out."""

    gain: Floats
    harm: Floats
    best: Floats
    most: Floats

    def value(self, penalty: float) -> float:
        """f(p)."""
        return float(_share(self.gain - penalty * self.harm, self.best + penalty * self.most).sum())

    def is_zero(self, low: float, high: float) -> bool:
        """Return whether f is 0 everywhere but for rounding, so that no halving would end."""
        noise = ROUNDED_OFF * len(self.gain)
        return all(abs(self.value(penalty)) <= noise for penalty in np.linspace(low, high, POINTS).tolist())

    def slopes(self, low: float, high: float) -> tuple[float, float]:
        """Bounds of f' = sum of -(harm best + gain most) / (best + p most)^2 from low to high."""
        top = -(self.harm * self.best + self.gain * self.most)
        ends = np.sort(
            np.stack([top * _share(np.ones_like(top), (self.best + p * self.most) ** 2) for p in (low, high)]), 0
        )
        return float(ends[0].sum()), float(ends[1].sum())


def _enclose(found: Fractions, low: float, high: float) -> Iterator[float]:
    """The zeros of f in (low, high] at which it changes its sign, by halving until it is monotone or has none."""
    from scipy.optimize import brentq

    if found.is_zero(max(low, CLOSE), high):
        return
    pending = [(max(low, CLOSE), high)]
    while pending:
        low, high = pending.pop()
        values, (least, greatest) = (found.value(low), found.value(high)), found.slopes(low, high)
        width = high - low
        if values[0] + min(least, 0.0) * width > 0 and values[1] - max(greatest, 0.0) * width > 0:
            continue
        if values[0] + max(greatest, 0.0) * width < 0 and values[1] - min(least, 0.0) * width < 0:
            continue
        if least > 0 or greatest < 0 or width < CLOSE:
            if values[0] * values[1] < 0:
                yield float(brentq(found.value, low, high, xtol=1e-13))
            continue
        middle = (low + high) / 2
        pending += [(middle, high), (low, middle)]


def _find_significance_changes(
    curves: Curves, at: Callable[[float], Floats], excess: Callable[[float], float], critical: float, largest: float
) -> list[float]:
    """Penalties at which |t| crosses its critical value."""
    if curves.kind == "org":
        level, slope = at(0.0), at(0.0) - at(1.0)
        n = len(level)
        square = critical**2 / n
        cov = np.cov(level, slope)
        roots = np.roots(
            [
                slope.mean() ** 2 - square * cov[1, 1],
                -2 * (level.mean() * slope.mean() - square * cov[0, 1]),
                level.mean() ** 2 - square * cov[0, 0],
            ]
        )
        real = roots[np.abs(roots.imag) < CLOSE].real
        crossed = [float(root) for root in real if 0 < root <= largest]
        return [root for root in crossed if excess(root - _beside(root)) * excess(root + _beside(root)) < 0]
    from scipy.optimize import brentq

    grid = np.linspace(CLOSE, largest, STEPS + 1)
    values = [excess(penalty) for penalty in grid]
    return [
        float(brentq(excess, grid[step], grid[step + 1], xtol=1e-13))
        for step in range(STEPS)
        if values[step] * values[step + 1] < 0
    ]


def _describe_systems(curves: Curves, changes: list[dict[str, Any]], own: float, largest: float) -> pd.DataFrame:
    """Means and ranks of each system; ranks are looked at between all penalties at which the order changes."""
    import pandas as pd
    from scipy.stats import rankdata

    reversals = sorted({row["penalty"] for row in changes if row["change"] == "order"})
    ends = [0.0, *reversals, largest]
    between = [(low + high) / 2 for low, high in pairwise(ends)]
    means = {penalty: curves.scores(penalty).mean(axis=0) for penalty in {0.0, own, *between}}
    ranks = np.stack([rankdata(-means[penalty].round(12), method="min") for penalty in between])
    rank = rankdata(-means[own].round(12), method="min").astype(int)
    table = pd.DataFrame(
        {
            "system": list(curves.table.systems),
            "mean": means[own],
            "unpenalised": means[0.0],
            "rank": rank,
            "best_rank": ranks.min(axis=0).astype(int),
            "worst_rank": ranks.max(axis=0).astype(int),
        }
    )
    return table.sort_values("rank", kind="stable").reset_index(drop=True)


def _tabulate(curves: Curves, own: float, largest: float) -> pd.DataFrame:
    """Means of each system at equal steps of the penalty, and at the label's own."""
    import pandas as pd

    penalties = np.unique([*np.linspace(0.0, largest, POINTS), own])
    means = np.stack([curves.scores(penalty).mean(axis=0) for penalty in penalties])
    table = pd.DataFrame(means, pd.Index(penalties, name="penalty"), list(curves.table.systems))
    return table.melt(ignore_index=False, var_name="system", value_name="mean").reset_index()[
        ["system", "penalty", "mean"]
    ]
