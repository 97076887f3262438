"""Scores as people would give them, where they judged a random sample of documents and a model labels the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, Union, Unpack

import numpy as np
from scipy import stats

from cranfield._text import counted, cut, quoted, warn
from cranfield._typing import Floats, Progress
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.collection.sampled_qrels import SampledQrels
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, TopicSample, TopicSampleOption
from cranfield.errors import InputError
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels, named_runs
from cranfield.measures import Measure, values
from cranfield.pooling.pools import POOL_POLICIES
from cranfield.pooling.powered_sample import Estimates, SampledPool, check_measure, estimate_measure
from cranfield.pooling.rescoring import judged_once
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scoring import MeasuresLike, read_measures
from cranfield.statistics.difference_estimator import freedom

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("nDCG@10", "P@10")
LOOKS_AT_SAMPLE = ("infNDCG",)
"""A measure that reads prels, by which runs are read."""
FEW = 4
"""Mean number of sampled documents of a topic below which the best list of a topic is hardly known."""
FEW_IN_ALL = 24
"""Sampled documents below which intervals are too short: those of P@10 on some topics of DL 2019 held .62 to .89 of the
truths with 6 to 21, and .92 to .97 with 24 and more."""
HELD = (
    "the best list of nDCG is estimated too: where 10% to 40% were judged, intervals held the mean of .92 to .97 of "
    "systems on three collections"
)
"""Coverage in the simulations of ``benchmarks/sampled_documents.py``: .937 to .973 by its seeds, .929 by 60 others."""
PredictedLabelsOption: TypeAlias = Annotated[
    Union[str, "QrelsLike", None],
    Option(
        "Labels of a language model for the documents of the pool, on any scale. Without it, people's labels alone "
        "estimate.",
        metavar="QRELS",
        recorded=False,
    ),
]
COLUMNS = (
    Column("mean_reference", "estimate by people's labels alone, with its interval"),
    Column("mean_reference_low"),
    Column("mean_reference_high"),
    Column("estimate", "with the model's labels of the others, with its interval"),
    Column("low"),
    Column("high"),
    Column("width", "length of the second interval over that of the first, below 1 where the model helps"),
)
OF_MODEL = ("estimate", "low", "high", "width", "mean")


@dataclass(frozen=True, eq=False, repr=False)
class PoweredScores(Result):
    """Scores of systems, and their differences, estimated from a sample of documents and a model's labels.

    Args:
        systems: a row for each ``measure`` and ``system``, in the order of the runs.
        pairs: the same of every difference ``system`` - ``other``.
        sampled: how many documents people judged.
        pooled: how many there are.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("measure"),
            Column("system"),
            *COLUMNS,
            Column("mean", "by the model's labels alone"),
        ),
        "pairs": (
            Column("measure"),
            Column("system"),
            Column("other"),
            *COLUMNS,
            Column("excludes_0", "whether the interval by itself does not hold 0"),
        ),
    }
    systems: pd.DataFrame
    pairs: pd.DataFrame
    sampled: int
    pooled: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """A table, without what a model's labels tell where there are none."""
        rows = self.to_frame(table)
        return rows if self.signature["predicted"] is not None else rows.drop(columns=list(OF_MODEL), errors="ignore")

    def caption(self, table: str) -> str:
        """Who judged what, and what the intervals are about."""
        whose = "these topics" if self.settings["topic_sample"] == "fixed" else "topics like these"
        lines = [
            f"people judged {self.sampled:,} of {counted(self.pooled, 'document')}, drawn at random in each stratum; "
            f"intervals {self.settings['level']:g}, for {whose}"
        ]
        if self.sampled < min(FEW_IN_ALL, self.pooled):
            lines.append(_describe_few(self.sampled))
        if self.signature["predicted"] is not None:
            lines.append(
                "mean_reference: by people's labels alone; estimate: with the model's labels, corrected by where "
                "people differ from them; width: of its interval relative to the first, below 1 where the model helps"
            )
        if any(measure.startswith("nDCG") for measure in self.systems["measure"]):
            lines.append(HELD)
        return "; ".join(lines)


@analysis(
    "pool estimate",
    "Estimate scores from a judged sample and a model's labels.",
    FromRuns(MEASURES, policies=POOL_POLICIES),
    views=(
        View("systems", "estimates of systems."),
        View("pairs", "of their differences.", pairs="in the order of the runs"),
    ),
    groups=Groups(refused="how people differ from the model is learnt from all topics"),
    formats=("latex", "markdown"),
    guide="Estimate what runs would score if people judged the whole pool, from a random sample that they judged and "
    "a language model's labels of the other documents.\n\nQRELS are prels, as `cranfield pool sample --show prels` "
    "writes them. However wrong the model is, intervals of P, DCG and RBP hold; a good one makes them shorter. nDCG "
    "is divided by an estimate too, so that its intervals rest on a model of how topics differ.",
    examples=("sampled.prels runs/*.run --predicted model.txt", "sampled.prels runs/*.run -m P@10 --show pairs"),
)
def estimate_powered_scores(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    predicted: PredictedLabelsOption = None,
    level: LevelOption = 0.95,
    topic_sample: TopicSampleOption = "fixed",
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[ReadingOptions],
) -> PoweredScores:
    """Estimate the scores by people's labels of a whole pool, of which they judged a stratified random sample.

    What a document adds to a score is predicted by the mean gain that people gave to documents of its stratum with its
    label of the model; the sum of predictions is corrected by what the sampled documents differ from theirs, each for
    as many as it stands for: the difference estimator, which is prediction-powered inference over documents. P, DCG
    and RBP are estimated without bias, but for what the fit of a few shares costs, and the intervals hold however wrong
    the model is. nDCG is divided by an estimate of the best DCG of each topic, whose number of documents of each gain
    is taken for Gamma distributed around what was predicted: with fewer than four sampled documents a topic that is an
    assumption. ``mean_reference`` is the same without the model, which predicts from the strata alone.

    Args:
        runs: as in ``evaluate``; all of their first documents, down to the cutoff of the measures, are in the pool.
        qrels: prels, as ``sample_pool`` gives them by ``to_qrels``.
        measures: sums over documents, such as P, DCG and RBP, or nDCG.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called with how much is done, of how much: of the runs that are read.

    Raises:
        InputError: a file is refused, nothing was sampled of a stratum, or a run has documents outside the pool.
        MeasureError: a measure of another kind.
        UsageError: a level outside its range, or a word that contradicts the object given.

    References:
        Oosterhuis, Jagerman, Qin, Wang & Bendersky 2024, Reliable confidence intervals for information retrieval
        evaluation using generative A.I. doi:10.1145/3637528.3671883
        Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-powered inference. doi:10.1126/science.adi6000
        Särndal, Swensson & Wretman 1992, Model assisted survey sampling. doi:10.1007/978-1-4612-4378-6
    """
    import pandas as pd

    reading = InputOptions.of(reading, options)
    wanted = read_measures(measures, reading.rel)
    inputs, words = named_runs(runs, reading.names, reading.columns), reading.judgment_options
    judgments, model = convert_qrels(qrels, **words), None if predicted is None else convert_qrels(predicted, **words)
    scores, rankings = judged_once(inputs, judgments, LOOKS_AT_SAMPLE, reading, progress, unsaid=("nothing-to-find",))
    pool = SampledPool(rankings)
    for measure in wanted:
        check_measure(measure, pool)
    _check_sample(pool, wanted, judgments)
    guess = None if model is None else _align_labels(pool, judgments, model)
    tables = [_Tabulated(measure, pool, guess, level, topic_sample) for measure in wanted]
    settings = record_options(estimate_powered_scores, locals())
    inputs_of_model = None if model is None else {"name": model.name, "sha256": model.sha256 or model.digest}
    return PoweredScores(
        pd.concat([table.systems() for table in tables], ignore_index=True),
        pd.concat([table.pairs() for table in tables], ignore_index=True),
        len(pool.rows),
        len(rankings.pool.grade),
        settings,
        scores.signature()
        | signed("powered scores", settings, measures=[str(measure) for measure in wanted], predicted=inputs_of_model),
    )


def _describe_few(sampled: int) -> str:
    """Say that so few documents leave intervals too short."""
    return (
        f"{counted(sampled, 'sampled document')}: with fewer than {FEW_IN_ALL} intervals are too short, as the spread "
        "within strata is hardly known"
    )


def _check_sample(pool: SampledPool, measures: Sequence[Measure], judgments: Qrels) -> None:
    """Warn of samples that say little.

    Raises:
        InputError: nothing was sampled of a stratum, or a run has documents outside the pool.
    """
    rankings, draw = pool.rankings, pool.draw
    empty = np.flatnonzero(draw.sampled == 0)
    if len(empty):
        topic = rankings.pool.topics[pool.topic_of_stratum[empty[0]]]
        text = (
            f"nothing was sampled of {len(empty):,} of {len(draw.size):,} strata, the first of topic {quoted(topic)} "
            f"with {counted(int(draw.size[empty[0]]), 'document')}: judge 2 or more documents of each, as `cranfield "
            "pool sample` draws them"
        )
        raise InputError(text, judgments.location, code="too-few", value=cut(topic))
    _check_outside(rankings, measures, judgments)
    alone = int(((draw.sampled == 1) & (draw.size > 1)).sum())
    if alone:
        warn(
            f"one document was sampled of {alone:,} of {len(draw.size):,} strata, whose part of the error is unknown "
            "and counts 0: sample 2 or more of each"
        )
    topics = int((rankings.pool.size > 0).sum())
    left = len(rankings.pool.grade) - len(pool.rows)
    if left and len(pool.rows) < FEW_IN_ALL:
        warn(f"{_describe_few(len(pool.rows))}; judge more")
    if left and len(pool.rows) < FEW * topics and any(measure.name == "nDCG" for measure in measures):
        warn(
            f"{counted(len(pool.rows), 'sampled document')} of {counted(topics, 'topic')}: with fewer than {FEW} a "
            "topic the best list, by which nDCG divides, is mostly assumed; P, DCG and RBP need no such list"
        )


def _check_outside(rankings: Rankings, measures: Sequence[Measure], judgments: Qrels) -> None:
    """Raises: InputError: documents that a measure looks at are not in the pool, so that none of them was sampled."""
    cutoffs = [int(measure.parameters.get("cutoff") or 0) for measure in measures]
    depth = int(rankings.length.max(initial=0)) if 0 in cutoffs else max(cutoffs)
    looked_at = np.minimum(rankings.length, depth)
    inside = np.bincount(rankings.segment[rankings.rank <= depth], minlength=len(rankings.length))
    outside = looked_at - inside
    if not outside.any():
        return
    topics = len(rankings.pool.size)
    first = int(np.flatnonzero(outside)[0])
    system, topic = rankings.systems[first // topics], rankings.pool.topics[first % topics]
    down = f"first {depth:,} documents" if 0 not in cutoffs else "lists"
    text = (
        f"{counted(int(outside.sum()), 'document')} of the {down} of runs {'is' if outside.sum() == 1 else 'are'} not "
        f"in the pool that was sampled, the first of run {quoted(system)}, topic {quoted(topic)}: give prels of a pool "
        f"of these runs (`cranfield pool sample --stratum {max(depth, 1)}:0.2`), or a measure with a smaller cutoff"
    )
    raise InputError(text, judgments.location, code="outside-pool", value=cut(system))


def _align_labels(pool: SampledPool, judgments: Qrels, model: Qrels) -> Floats:
    """The model's label of each document of the pool, NaN where it has none, which is warned of.

    Raises:
        InputError: it labels none of them.
    """
    known, documents, topics = model.to_dict(), judgments.documents.tolist(), pool.rankings.pool.topics
    labels = np.array(
        [
            known.get(topics[topic], {}).get(document, np.nan)
            for topic, document in zip(pool.rankings.pool.topic.tolist(), documents, strict=True)
        ]
    )
    if isinstance(model, SampledQrels):  # what was not sampled has a label below 0
        labels[labels < 0] = np.nan
    missing, sampled = np.isnan(labels), pool.rankings.pool.grade >= 0
    if missing.all():
        raise InputError("labels no document of the pool: are these labels of these topics?", model.location)
    known_to_people, others = (float(missing[rows].mean()) if rows.any() else 0.0 for rows in (sampled, ~sampled))
    if known_to_people < others / 2 or others < known_to_people / 2:
        text = (
            f"{1 - known_to_people:.0%} of the documents that people judged have a label of the model, and "
            f"{1 - others:.0%} of the others: what the model says of the first is to hold for the second, so that it "
            "labels both alike, without having seen people's labels"
        )
        raise InputError(text, model.location)
    if missing.any():
        warn(
            f"{model.name} has no label for {int(missing.sum()):,} of {counted(len(labels), 'document')} of the pool: "
            "having none is taken for a label of its own"
        )
    return labels


class _Tabulated:
    """Tables of one measure."""

    def __init__(
        self, measure: Measure, pool: SampledPool, guess: Floats | None, level: float, topic_sample: TopicSample
    ) -> None:
        self.measure, self.pool, self.guess = measure, pool, guess
        self.level, self.topic_sample = level, topic_sample
        codes = np.zeros(len(pool.rankings.pool.grade), dtype=np.int64)
        self.topics = np.flatnonzero(pool.rankings.pool.size > 0)
        self.people = estimate_measure(measure, pool, pool.predict(codes))
        self.powered = self.people
        if guess is not None:
            codes = np.unique(np.nan_to_num(guess, nan=-np.inf), return_inverse=True)[1]
            self.powered = estimate_measure(measure, pool, pool.predict(codes))

    def systems(self) -> pd.DataFrame:
        """A row for each system."""
        import pandas as pd

        rows = [self._row(number, None) for number in range(len(self.pool.rankings.systems))]
        table = pd.DataFrame(rows)
        table.insert(0, "measure", str(self.measure))
        table.insert(1, "system", list(self.pool.rankings.systems))
        return table.assign(mean=self._mean_of_model())

    def pairs(self) -> pd.DataFrame:
        """A row for each difference."""
        import pandas as pd

        names = self.pool.rankings.systems
        numbers = list(combinations(range(len(names)), 2))
        columns = [column.name for column in COLUMNS]
        table = pd.DataFrame([self._row(*pair) for pair in numbers], columns=columns)
        table.insert(0, "measure", str(self.measure))
        table.insert(1, "system", [names[first] for first, _ in numbers])
        table.insert(2, "other", [names[second] for _, second in numbers])
        return table.assign(excludes_0=(table["low"] > 0) | (table["high"] < 0))

    def _row(self, system: int, other: int | None) -> dict[str, float]:
        """Both estimates of a system, or of its difference from another."""
        first, second = (self._interval(estimates, system, other) for estimates in (self.people, self.powered))
        length = first[2] - first[1]
        width = (second[2] - second[1]) / length if length > 0 else float("nan")
        return dict(zip([column.name for column in COLUMNS], [*first, *second, width], strict=True))

    def _interval(self, estimates: Estimates, system: int, other: int | None) -> tuple[float, float, float]:
        """The mean over topics, and the ends of its interval."""
        by_topic, beyond = estimates.value[system], estimates.beyond[system]
        if other is not None:
            by_topic, beyond = by_topic - estimates.value[other], beyond - estimates.beyond[other]
        by_topic, count = by_topic[self.topics], len(self.topics)
        mean = float(by_topic.mean())
        if self.topic_sample == "sampled":
            # Topics and their samples are independent of each other, so that their spread holds both.
            error = float(by_topic.std(ddof=1)) / count**0.5 if count > 1 else float("nan")
            degrees: float = count - 1
        else:
            variances = self.pool.draw.variances(beyond)
            error, degrees = float(variances.sum()) ** 0.5 / count, freedom(variances, self.pool.draw.sampled)
        reach = float(stats.t.ppf(0.5 + self.level / 2, degrees)) * error if error > 0 else error
        return mean, mean - reach, mean + reach

    def _mean_of_model(self) -> Floats:
        """Means by the labels of the model alone, where documents without one count 0, float64 [systems]."""
        if self.guess is None:
            return np.full(len(self.pool.rankings.systems), np.nan)
        rankings = self.pool.labelled(np.maximum(np.nan_to_num(self.guess), 0.0))
        by_topic = np.nan_to_num(values(self.measure, rankings)).reshape(len(rankings.systems), -1)
        means: Floats = by_topic[:, self.topics].mean(axis=1)
        return means
