"""The comparison of an experiment with its reproduction: ``compare_reproduction`` and its result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

import numpy as np

from cranfield._text import condensed, numeral, shown, warn
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.declarations.analysis import FromRoles, Role, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.errors import InputError, UsageError
from cranfield.fusion.lists import UnionLists
from cranfield.io.inputs import QrelsLike, RunLike, named_runs
from cranfield.measures import MeasuresLike
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scoring import Evaluation, score
from cranfield.statistics.reproducibility import effects, list_agreement, nrmse, paired_difference, unpaired_difference

if TYPE_CHECKING:
    import pandas as pd

PAIR = "two runs, the baseline and the advanced one"
ROLES = ("baseline", "advanced")
"""The two runs of an experiment, in the order in which they are given."""
MEASURES = ("nDCG@10", "AP")
ORDER_COLUMNS = (
    Column("role"),
    Column("ktu", "Kendall's tau over the union of both lists"),
    Column("rbo", "rank-biased overlap"),
    Column("overlap"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Reproduction(Result):
    """The distance of a reproduction from the original.

    Args:
        scores: a row a ``measure`` and ``role`` of a run.
        effects: a row a ``measure``.
        order: a row a ``role``, with means over topics; none on another collection.
        topics: a row a ``role`` and ``topic``.
        settings: the options, and ``replicated``: whether the reproduction has judgments of its own.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "scores": (
            Column("measure"),
            Column("role", "of the run: baseline or advanced"),
            Column("system"),
            Column("system_again", "its reproduction"),
            Column("mean"),
            Column("mean_again"),
            Column("rmse", "root mean square of the differences of topics"),
            Column("nrmse", "the same over the largest that it could be"),
            Column(
                "p_paired", "of a two-sided t-test, of which a large one is not evidence that the runs are the same"
            ),
            Column("p_unpaired", "the same, of all topics of either"),
            Column("p_equivalent", "of the hypothesis that means differ by the margin or more"),
            Column("topics"),
        ),
        "effects": (
            Column("measure"),
            Column("effect", "mean difference of the advanced run and the baseline"),
            Column("effect_again", "that of the reproduction"),
            Column("effect_ratio", "1 where they are the same, 0 or less where the effect is not there"),
            Column("delta_ri", "relative improvement minus that of the reproduction"),
        ),
        "order": ORDER_COLUMNS,
        "topics": (ORDER_COLUMNS[0], Column("topic"), *ORDER_COLUMNS[1:]),
    }
    scores: pd.DataFrame
    effects: pd.DataFrame
    order: pd.DataFrame
    topics: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """The columns that hold numbers: those of a margin, and of topics, may not be requested or not exist."""
        needless = ["p_equivalent"] if self.settings["margin"] is None else []
        needless += ["rmse", "nrmse", "p_paired"] if self.settings["replicated"] else []
        return super().for_people(table, rows.drop(columns=needless, errors="ignore"))

    def caption(self, table: str) -> str:
        """The effects, the order of documents, and what the p-values mean."""
        lines = [
            f"{shown(row['measure'])}: effect {numeral(row['effect'], '.4f')}, "
            f"again {numeral(row['effect_again'], '.4f')}; effect ratio {numeral(row['effect_ratio'], '.3f')}, "
            f"delta RI {numeral(row['delta_ri'], '.3f')}"
            for row in self.effects.to_dict("records")
        ]
        depth, p = self.settings["depth"], self.settings["rbo_p"]
        lines += [
            f"order of the {row['role']} run, first {depth:,} documents: KTU {numeral(row['ktu'], '.3f')}, "
            f"RBO {numeral(row['rbo'], '.3f')} (p {p:g}), overlap {numeral(row['overlap'], '.3f')}"
            for row in self.order.to_dict("records")
        ]
        if table == "scores":
            paired = "" if self.settings["replicated"] else "p_paired, "
            lines.append(
                f"{paired}p_unpaired: for the hypothesis that the means are equal; a large p is not evidence for it"
            )
            margin = self.settings["margin"]
            if margin is None:
                lines[-1] += "; --margin tests that"
            else:
                lines.append(f"p_equivalent: for the hypothesis that they differ by {margin:g} or more")
        return "\n".join(lines)


@analysis(
    "reproduce",
    "Compare a baseline and an advanced run with their reproductions.",
    FromRoles(
        (
            Role("original", "RUN", "The original baseline and advanced run.", 2, order=PAIR),
            Role("again", "RUN", "Their reproductions, in the same order.", 2, order=PAIR),
            Role(
                "again_qrels",
                "QRELS",
                "Judgments of the reproductions, if they are on another collection; then only the effect is compared.",
                required=False,
            ),
        ),
        MEASURES,
    ),
    views=(
        View("scores", "of each run and its reproduction."),
        View("effects", "of the advanced run over the baseline.", unused=("margin",)),
        View("order", "agreement in the order of documents.", unused=("margin",)),
        View("topics", "the same by topic.", unused=("margin",)),
    ),
    guide=(
        "Compare an experiment with its reproduction: order of documents, scores by topic, effect, distribution.\n\nAn "
        "effect ratio of 1 and a delta RI of 0 are a perfect reproduction of the effect."
    ),
    examples=(
        "qrels.txt --original a.run b.run --again a2.run b2.run",
        "q.txt --original a.run b.run --again c.run d.run -m AP",
    ),
)
def compare_reproduction(
    original: Sequence[RunLike],
    again: Sequence[RunLike],
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    again_qrels: QrelsLike | None = None,
    depth: Annotated[int, Option("Documents of each list whose order is compared.", low=1)] = 1000,
    rbo_p: Annotated[
        float,
        Option("Persistence of RBO; 0.8 is that of repro_eval.", low=0, high=1, open=True, flags=("-p",)),
    ] = 0.8,
    margin: Annotated[
        float | None,
        Option(
            "Largest difference of means between equivalent runs, in units of the measures.",
            low=0,
            open=True,
            default="none",
        ),
    ] = None,
    reading: InputOptions | None = None,
    **kwargs: Unpack[ReadingOptions],
) -> Reproduction:
    """Compare an experiment, a baseline and an advanced run, with its reproduction, from the strictest question on.

    Same order of documents: KTU, RBO and overlap by topic. Same scores by topic: RMSE. Same effect: ER = mean(a' - b')
    / mean(a - b) and DeltaRI = RI - RI' with RI = (mean a - mean b) / mean b. Same distribution: t-tests, and with a
    margin a test of equivalence.

    Args:
        original: the baseline and the advanced run.
        again: their reproductions, in the same order.
        qrels: as in ``evaluate``.
        measures: as in ``evaluate``.
        again_qrels: judgments of the reproductions where these are on another collection; documents and topics are then
            not compared.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: not two runs each, ties left open, or numbers outside their range.

    References:
        Breuer et al. 2020, How to measure the reproducibility of system-oriented IR experiments.
        doi:10.1145/3397271.3401036
        Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106
    """
    import pandas as pd

    reading = InputOptions.of(reading, kwargs)
    reading.policy.check_order("a reproduction")
    _check_pair("original", original)
    _check_pair("again", again)
    both = [_scored(list(original), qrels, measures, reading)]
    both.append(_scored(list(again), qrels if again_qrels is None else again_qrels, measures, reading))
    replicated = again_qrels is not None
    topics = pd.DataFrame(columns=["role", "topic", "ktu", "rbo", "overlap"])
    if not replicated:
        topics = _order(original, again, both[0].topics, reading, depth, rbo_p)
    settings = record_options(compare_reproduction, locals(), replicated=replicated)
    signature = signed("reproduction", settings, original=both[0].signature(), again=both[1].signature())
    numbers = topics.drop(columns="topic").groupby("role", sort=False).mean().reset_index()
    return Reproduction(
        _score_table(both, margin, replicated=replicated), _effects(both), numbers, topics, settings, signature
    )


def _check_pair(name: str, runs: Sequence[RunLike]) -> None:
    """Raises: UsageError: not two runs."""
    if isinstance(runs, str) or not isinstance(runs, Sequence) or len(runs) != 2:
        raise UsageError(f"{name} should be {PAIR}: {name}=[baseline, advanced]")


def _scored(runs: list[RunLike], qrels: QrelsLike, measures: MeasuresLike, reading: InputOptions) -> Evaluation:
    for run in runs:
        if len(named_runs(run, reading.names, reading.columns)) != 1:
            raise UsageError("each place of an experiment takes one run, and a pattern given here matches several")
    table = score(runs, qrels, measures, reading=reading)
    for line in condensed(table.remarks):
        warn(line)
    for scale in table.scales:
        if not scale.has_topics:
            raise UsageError(f"{shown(scale.name)} has no value of a topic: take what it is the mean of")
    return table


def _order(
    original: Sequence[RunLike],
    again: Sequence[RunLike],
    judged: Sequence[str],
    reading: InputOptions,
    depth: int,
    rbo_p: float,
) -> pd.DataFrame:
    """KTU, RBO and overlap of either run with its reproduction, on every judged topic."""
    import pandas as pd

    runs = {f"original {role}": run for role, run in zip(ROLES, original, strict=True)}
    runs |= {f"{role} again": run for role, run in zip(ROLES, again, strict=True)}
    lists = UnionLists.read(runs, reading)
    number = {topic: index for index, topic in enumerate(lists.topics)}
    rows = []
    for run, role in enumerate(ROLES):
        for topic in judged:
            first, second = (
                _documents(lists, which * len(lists.topics) + number[topic]) if topic in number else []
                for which in (run, run + 2)
            )
            rows.append({"role": role, "topic": topic} | list_agreement(first, second, depth, rbo_p)._asdict())
    return pd.DataFrame(rows)


def _documents(lists: UnionLists, at: int) -> list[int]:
    documents: list[int] = lists.document[int(lists.starts[at]) : int(lists.starts[at + 1])].tolist()
    return documents


def _score_table(both: list[Evaluation], margin: float | None, *, replicated: bool) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for number, scale in enumerate(both[0].scales):
        for run, role in enumerate(ROLES):
            original, again = (table.values[number, :, run] for table in both)
            row: dict[str, Any] = {"measure": scale.name, "role": role}
            row |= {"system": both[0].systems[run], "system_again": both[1].systems[run]}
            row |= {"mean": _mean(original), "mean_again": _mean(again)}
            unpaired = unpaired_difference(_known(original), _known(again))
            rmse = relative = p_paired = math.nan
            topics = int((~np.isnan(again)).sum())
            tested = unpaired
            if not replicated:
                known = ~np.isnan(original) & ~np.isnan(again)
                first, second = original[known], again[known]
                tested = paired_difference(first, second)
                rmse = float(np.sqrt(((first - second) ** 2).mean())) if known.any() else math.nan
                relative, p_paired, topics = _relative(scale.name, first, second), tested.p, int(known.sum())
            row |= {"rmse": rmse, "nrmse": relative, "p_paired": p_paired, "p_unpaired": unpaired.p}
            row |= {"p_equivalent": math.nan if margin is None else tested.p_equivalent(margin), "topics": topics}
            rows.append(row)
    return pd.DataFrame(rows)


def _relative(measure: str, first: Any, second: Any) -> float:
    """nRMSE; NaN, with a warning, of a measure that leaves [0, 1]."""
    try:
        return nrmse(first, second)
    except InputError as error:
        warn(f"{shown(measure)}: {error}")
        return math.nan


def _effects(both: list[Evaluation]) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for number, scale in enumerate(both[0].scales):
        pairs = []
        for table in both:
            baseline, advanced = table.values[number].T
            known = ~np.isnan(baseline) & ~np.isnan(advanced)
            pairs.append((baseline[known], advanced[known]))
        replicated = effects(pairs[0], pairs[1])
        differences = [_mean(advanced - baseline) for baseline, advanced in pairs]
        rows.append(
            {"measure": scale.name, "effect": differences[0], "effect_again": differences[1]}
            | {"effect_ratio": replicated.ratio, "delta_ri": replicated.delta_ri}
        )
    return pd.DataFrame(rows)


def _known(scores: Any) -> Any:
    return scores[~np.isnan(scores)]


def _mean(scores: Any) -> float:
    known = _known(scores)
    return float(known.mean()) if len(known) else math.nan
