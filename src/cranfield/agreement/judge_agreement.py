"""Agreement of judges on systems: what an organiser would conclude from the labels of each, favour and certainty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield._message import call_setting, message, name_value, setting
from cranfield._text import counted, hearing, numeral, quoted, shown, warn, warn_condensed
from cranfield._typing import Floats, Ints
from cranfield.agreement._answers import (
    describe_conclusions,
    describe_favour,
    describe_remedy,
    describe_test,
    explain_systems,
)
from cranfield.agreement._judge_intervals import make_intervals, resample_systems
from cranfield.agreement._unjudged import COUNTS, UnjudgedShares
from cranfield.agreement.judges import Judges, list_labels, name_judges
from cranfield.agreement.label_agreement import (
    CombinedOption,
    LabelAgreement,
    choose_judges,
    compare_labels,
)
from cranfield.agreement.ranking_agreement import (
    DRAWS_NOTHING,
    UNJUDGED,
    Agreement,
    PairsCorrectionOption,
    TopOption,
    compare_rankings,
    select_same_model,
)
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions, IntentOptions
from cranfield.declarations.analysis import FromJudges, Groups, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    AlphaOption,
    BootstrapOption,
    CommonOption,
    JudgeLevelsOption,
    MeanOverOption,
    ReferenceOption,
    SameModelOption,
    SeedOption,
    TestOfPairsOption,
    TopicClustersOption,
)
from cranfield.errors import InputError, UsageError
from cranfield.evaluation import to_dataset
from cranfield.findings.catalogue import DEPTH
from cranfield.findings.finding import Finding
from cranfield.io.inputs import RunsLike
from cranfield.measures import Measure, MeasureLike, parse_measures
from cranfield.results.columns import Column
from cranfield.results.frames import stacked, tidy, unrolled
from cranfield.results.result import Result, Tables
from cranfield.scores.scale import comparable
from cranfield.scores.topic_clusters import MeanOver, TopicClusters, read_clusters
from cranfield.scores.topic_groups import TopicGroups
from cranfield.scores.unjudged import looks_at_judged
from cranfield.scoring import Evaluation, score
from cranfield.scoring.unjudged_shares import describe_holes, share_unjudged
from cranfield.statistics.clustered_agreement import systems_on_these_topics
from cranfield.statistics.clustered_tests import cluster_means
from cranfield.statistics.judge_bias import estimate_judge_bias
from cranfield.statistics.rank_correlation import tau_b
from cranfield.statistics.test_names import INTERVAL_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


OF_TESTS = ("test", "top")
UNLIKE = "gains and a level of relevance mean something else on such labels; rel can be set judge by judge"
"""The consequence of unlike scales of judges, for measures of their labels."""


@dataclass(frozen=True, eq=False, repr=False)
class JudgeAgreement(Result):
    """Dependence of the conclusions of an evaluation on who judged.

    Args:
        systems: the order of systems and the significant pairs under each judge, see ``Agreement``.
        labels: the labels themselves, see ``LabelAgreement``.
        favour: one row a judge and system.
        intervals: one row a judge and statistic: ``tau_b``, and the shares ``kept`` and ``lost`` of the pairs that
            t-tests with Holm's correction call significant. Intervals of kappa and alpha are those of ``labels``.
        without: one row a ``judge`` whose model is part of systems (``same_model``): how many ``systems`` these are,
            ``tau_b`` with all systems and ``tau_b_without`` them.
        unjudged: how many documents judges did not judge; as rows their share ``unjudged`` of the ``first`` documents,
            of each ``judge`` and ``system``.
        scores: judge -> scores of every system, dims (``topic``, system); as tidy rows each ``score``.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "intervals": (
            Column("judge"),
            Column("statistic"),
            Column("value", "on the topics that both judged"),
            Column(
                "low",
                "lower end of where its mean over studies with as many topics lies; all or none of the pairs have at "
                "least the exact interval of as many pairs, or topics where these are fewer; none where no resample "
                "changes another statistic",
            ),
            Column("high"),
            Column("among_best", "whether no other judge is significantly ahead"),
        ),
        "favour": (
            Column("judge"),
            Column("system"),
            Column("mean_reference", "mean score by the reference on the topics that both judged"),
            Column("mean", "mean score by the judge"),
            Column("favour", "what the mean exceeds the judge's scale by, with its simultaneous interval"),
            Column("low"),
            Column("high"),
            Column("p_adjusted", "for the number of systems"),
        ),
    }
    systems: Agreement
    labels: LabelAgreement
    favour: pd.DataFrame
    intervals: pd.DataFrame
    without: pd.DataFrame
    unjudged: UnjudgedShares
    scores: dict[str, xr.DataArray]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "intervals": lambda: tidy(self.intervals),
            "favour": lambda: tidy(self.favour),
            "without": lambda: tidy(self.without),
            "unjudged": self.unjudged.to_frame,
            "scores": lambda: stacked(
                {name: unrolled(scores, "score") for name, scores in self.scores.items()}, "judge"
            ),
            **self.systems.nested("systems"),
            **self.labels.nested("labels"),
        }

    def answer(self, table: str) -> str:
        """Whom judges favour, or how far conclusions depend on them."""
        if table == "favour":
            return describe_favour(self.favour, self.systems.settings["alpha"])
        return describe_conclusions(self.systems)

    def caption(self, table: str) -> str:
        """The reference and the test, agreement without circular systems, and how shares are to be read."""
        first = describe_test(self.systems)
        for row in self.without.to_dict("records"):
            first += (
                f"; {shown(row['judge'])}: tau_b {numeral(row['tau_b'], '.4f')} with all systems, "
                f"{numeral(row['tau_b_without'], '.4f')} without the {counted(row['systems'], 'system')} "
                "built with its model"
            )
        of_systems = table.startswith("systems.")
        shares = of_systems and table != "systems.movers"
        explained = explain_systems(self.systems, remedy=describe_remedy(), shares=shares) if of_systems else ()
        unlike = self.labels.unlike_scales()
        scales = [f"{unlike}: {UNLIKE}"] if unlike else []
        return "\n".join([first, *explained, *scales, *self.unjudged.sentences(common=self.settings["common"])])

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The rows of a table; intervals of scores stand above those of labels."""
        import pandas as pd

        if table == "intervals":
            return pd.concat([self.intervals, self.labels.intervals], ignore_index=True)
        rows = self.to_frame(table)
        return rows if self.unjudged.any or table != "systems.table" else rows.drop(columns=[*UNJUDGED])


@analysis(
    "judges",
    "Compare conclusions about runs under several sets of judgments.",
    FromJudges(runs=True, of_labels=("intervals",)),
    given=("runs",),
    tests=True,
    views=(
        View("systems", "order and significant pairs.", table="systems.table", rules=(DRAWS_NOTHING,)),
        View(
            "movers",
            "largest changes of rank.",
            table="systems.movers",
            unused=("top",),
            rules=(DRAWS_NOTHING,),
        ),
        View("intervals", "agreement, over topics.", unused=OF_TESTS),
        View("favour", "how a judge favours systems.", unused=OF_TESTS),
    ),
    groups=Groups(tested=True),
    guide=(
        "Compare the conclusions about the same runs under several judgments, of which the first is the reference. "
        "With --scores, compare measures of the same systems, or sources of scores."
    ),
    words=(
        "agreement",
        "correlation",
        "tau",
        "tau_b",
        "tau_ap",
        "kendall",
        "spearman",
        "rho",
        "rbo",
        "kappa --show labels",
    ),
    examples=("people.txt model.txt -r 'runs/*.run'", "people.txt model.txt --show labels"),
)
def compare_judges(
    runs: RunsLike,
    judges: Judges,
    measure: MeasureLike = "nDCG@10",
    *,
    reference: ReferenceOption = None,
    rel: JudgeLevelsOption = 1,
    common: CommonOption = False,
    combine_by: CombinedOption = (),
    test: TestOfPairsOption = "t",
    correction: PairsCorrectionOption = None,
    alpha: AlphaOption = 0.05,
    top: TopOption = None,
    same_model: SameModelOption = None,
    resamples: BootstrapOption = INTERVAL_RESAMPLES,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
    **options: Unpack[IntentOptions],
) -> JudgeAgreement:
    """Score the same runs under the labels of several judges, human or not, and compare what follows.

    A judge may give everybody more, or spread systems further apart: that is its scale, and favours nobody. Its favour
    for system s is what its mean exceeds that scale by, the residual of a straight line on the reference's means,

        favour_s = mean_t J_ts - (a + b mean_t H_ts),  a and b by least squares over systems,

    over the topics t that judge J and reference H both have. It is tested by flips of the topics' signs, adjusted for
    the number of systems by max-T; a judge that errs without regard to systems is called partial about as often as
    alpha says. All intervals are over topics, because labels of one topic depend on each other.

    Args:
        runs: as ``evaluate`` takes them; two systems or more.
        judges: name -> judgments, or several, called by their names.
        measure: one.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
            The level of relevance is ``rel``.

    Raises:
        InputError: files are refused, judges share no topic or document, fewer than two systems or five clusters, or a
            topic without one.
        UsageError: fewer than two judges, several measures, an unknown name, a reading with a level of relevance, or a
            word that contradicts the object given.

    References:
        Otero, Parapar & Ferro 2023, How discriminative are your qrels? doi:10.1145/3583780.3614916
        Clarke & Dietz 2024, LLM-based relevance assessment still can't replace human relevance assessment.
        arXiv:2412.17156
    """
    requested = one_measure(measure)
    reading = InputOptions.of(reading, options, IntentOptions)
    _refuse_level(reading)
    named = name_judges(judges, **reading.judgment_options)
    qrels_by_judge, chosen, levels = choose_judges(named, reference, rel, combine_by, common=common)
    draws: dict[str, Any] = {"resamples": resamples, "seed": seed}
    clusters = None if topic_clusters is None else TopicGroups.from_source(topic_clusters, "cluster")
    units: dict[str, Any] = {"topic_clusters": clusters, "mean_over": mean_over}
    chosen_judges: dict[str, Any] = {"reference": chosen, "rel": rel, "combine_by": combine_by, "common": common}
    labels = compare_labels(named, **chosen_judges, level=1.0 - alpha, topic_clusters=clusters, **draws)
    scores, unjudged = _score_with_holes(runs, qrels_by_judge, requested, levels, reading)
    tests: dict[str, Any] = {"test": test, "correction": correction, "alpha": alpha, "top": top, "seed": seed}
    systems = unjudged.join(compare_rankings(scores, reference=chosen, **tests, **units))
    circular = select_same_model(same_model or {}, scores, set(scores[chosen]["system"].to_numpy()), chosen)
    shared = {name: _select_shared_topics(scores, chosen, name, **units) for name in scores if name != chosen}
    named_systems = {name: sorted(names) for name, names in circular.items()}
    resolved = {"rel": levels, "same_model": named_systems, "combine_by": labels.settings["combine_by"]}
    settings = record_options(compare_judges, locals(), **(systems.settings | resolved), measure=str(requested))
    favour = _make_favour(shared, resamples, seed, 1.0 - alpha)
    intervals = _make_intervals(shared, alpha=alpha, **draws)
    without = _compute_tau_without(shared, circular)
    signature = systems.signature | {"analysis": "judge agreement", "settings": settings}
    signature["unjudged"] = unjudged.settings()
    return JudgeAgreement(systems, labels, favour, intervals, without, unjudged, scores, settings, signature)


def _refuse_level(reading: InputOptions) -> None:
    """Raises: UsageError: a reading sets a level of relevance, which belongs to each judge."""
    if reading.rel is not None:
        raise UsageError(
            f"reading has rel={reading.rel:g}, and judges have levels of their own: give {setting('rel', reading.rel)}"
        )


def one_measure(measure: MeasureLike, what: str = "agreement of judges") -> Measure:
    """Parse a measure.

    Raises:
        UsageError: there are several.
    """
    requested = parse_measures(measure)
    if len(requested) != 1:
        raise UsageError(f"{what} works on one measure, and {name_value(measure)} is {len(requested)}")
    return requested[0]


def score_by_judge(
    runs: RunsLike, judges: Mapping[str, Qrels], measure: Measure, levels: Mapping[str, float], reading: InputOptions
) -> dict[str, xr.DataArray]:
    """Score the same runs under each judge's labels, dims (topic, system).

    Warns where many of the first documents of a run have no label by one judge, and have one by another: what these
    conclude then differs for that reason too.

    Args:
        runs: as in ``evaluate``.
        judges: name -> judgments.
        measure: of the scores.
        levels: name -> smallest relevant label; 1 leaves a measure the default of its declaration.
        reading: the options by which files and runs are read.
    """
    return _score_with_holes(runs, judges, measure, levels, reading)[0]


def _score_with_holes(
    runs: RunsLike, judges: Mapping[str, Qrels], measure: Measure, levels: Mapping[str, float], reading: InputOptions
) -> tuple[dict[str, xr.DataArray], UnjudgedShares]:
    """Score as ``score_by_judge``, and find the share of the first documents that each judge did not judge."""
    scores, shares = {}, {}
    judged = {name: set(labels) for name, labels in list_labels(judges).items()}
    by_any: set[tuple[str, str]] = set().union(*judged.values())
    topics = {topic for topic, _ in by_any}
    first = min(int(measure.parameters.get("cutoff") or DEPTH), DEPTH)
    for name, qrels in judges.items():
        rel = None if levels[name] == 1 else levels[name]
        own = replace(reading, rel=rel)
        table = score(runs, qrels, measure, reading=own, keep_rankings=True, share_unjudged=False)  # said of all below
        judged_topics = {topic for topic, _ in judged[name]}
        lacks_topics = judged_topics != topics
        warn_condensed([_name_judge(remark, name) if lacks_topics else remark for remark in table.remarks])
        whole = table
        if reading.policy.unjudged != "zero":
            # Lists without their unjudged documents do not say how many there were.
            with hearing():
                zero = replace(reading, unjudged="zero")
                whole = score(runs, qrels, measure, reading=zero, keep_rankings=True)
        shares[name] = share_unjudged(whole, first)
        if any(topic in judged_topics for topic, _ in by_any - judged[name]):
            _warn_of_holes(name, whole, reading)
        dataset = to_dataset(table)
        array = dataset[next(iter(dataset.data_vars))]
        scores[name] = array.assign_attrs(dataset.attrs | array.attrs)
    policy = reading.policy.unjudged
    fate = COUNTS if policy == "zero" else f"is passed over ({call_setting('unjudged', policy)})"
    fate = "" if looks_at_judged(measure) else fate
    return scores, UnjudgedShares(first, fate, shares)


def _name_judge(remark: Finding, name: str) -> Finding:
    """Say of topics that a judge lacks and another may have that this judge's scores leave them out, not all."""
    if remark.code != "extra-topics":
        return remark
    count = int(remark.degree)
    which = f"{counted(count, 'topic')} {'is' if count == 1 else 'are'} not judged by {quoted(name)}"
    return replace(remark, text=message(f"{which}, whose scores leave {'it' if count == 1 else 'them'} out"))


def _warn_of_holes(name: str, table: Evaluation, reading: InputOptions) -> None:
    """Warn where a judge lacks many of the first documents."""
    policy = reading.policy.unjudged
    fate = "count as not relevant" if policy == "zero" else f"{setting('unjudged', policy)} passes over them"
    for line in describe_holes(table, fate):
        warn(
            f"by {quoted(name)}, {line}; other judges labelled documents that it did not: compare what all judged "
            f"({setting('common')})"
        )


@dataclass(frozen=True)
class _SharedTopics:
    """Scores of all systems by the reference and by a judge, on the topics that both have, [topics, systems]."""

    topics: list[str]
    systems: list[str]
    reference: Floats
    judge: Floats
    cluster: Ints | None = None

    @classmethod
    def in_clusters(
        cls, topics: list[str], systems: list[str], reference: Floats, judge: Floats, clusters: TopicClusters
    ) -> _SharedTopics:
        """The topics with their clusters, or the means of clusters where each of these weighs the same."""
        if clusters.mean_over == "topics":
            return cls(topics, systems, reference, judge, clusters.cluster)
        reference, judge = (cluster_means(table, clusters.cluster) for table in (reference, judge))
        return cls(topics, systems, reference, judge)


def _select_shared_topics(
    scores: dict[str, xr.DataArray],
    reference: str,
    name: str,
    topic_clusters: TopicGroups | None,
    mean_over: MeanOver,
) -> _SharedTopics:
    """Select the topics that a judge and the reference both scored.

    Raises:
        InputError: fewer than two, or a system without a score on one.
    """
    expected, judged = scores[reference], scores[name]
    judged_topics = set(judged["topic"].to_numpy())
    topics = [topic for topic in expected["topic"].to_numpy() if topic in judged_topics]
    if len(topics) < 2:
        raise InputError(f"{quoted(name)} and {quoted(reference)} share {counted(len(topics), 'topic')}, of 2 needed")
    systems = expected["system"].to_numpy()
    pair = [
        array.sel(topic=topics, system=systems).transpose("topic", "system").to_numpy() for array in (expected, judged)
    ]
    if np.isnan(pair[0]).any() or np.isnan(pair[1]).any():
        raise InputError(
            f"a system has no score on a topic: agreement of judges needs {setting('missing', 'empty')} and "
            f"{setting('undefined', 'declared')}"
        )
    if topic_clusters is None:
        return _SharedTopics(topics, systems.tolist(), *pair)
    names = [str(topic) for topic in topics]
    with hearing():  # clusters were warned of before
        clusters = read_clusters(topic_clusters, names, mean_over)
    return _SharedTopics.in_clusters(names, systems.tolist(), pair[0], pair[1], clusters)


def _make_favour(shared: dict[str, _SharedTopics], resamples: int, seed: int, level: float) -> pd.DataFrame:
    """Make a row for each judge and system; see ``JudgeAgreement``."""
    import pandas as pd

    tables = []
    for name, topics in shared.items():
        rng = np.random.default_rng(seed)
        drawn: dict[str, Any] = {"resamples": resamples, "rng": rng, "level": level, "cluster": topics.cluster}
        favour = estimate_judge_bias(topics.reference, topics.judge, **drawn)
        columns = {
            "judge": name,
            "system": topics.systems,
            "mean_reference": topics.reference.mean(axis=0),
            "mean": topics.judge.mean(axis=0),
            "favour": favour.favour,
            "low": favour.low,
            "high": favour.high,
            "p_adjusted": favour.p,
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def _make_intervals(shared: dict[str, _SharedTopics], *, alpha: float, resamples: int, seed: int) -> pd.DataFrame:
    """Make intervals of tau_b, and of pairs kept and lost; see ``JudgeAgreement``."""
    resampled = {}
    for name, topics in shared.items():
        tables, cluster = (topics.reference, topics.judge), topics.cluster
        values = systems_on_these_topics(*tables, alpha=alpha, cluster=cluster)
        resampled[name] = resample_systems(
            topics.topics, *tables, values, alpha, cluster, resamples=resamples, seed=seed
        )
    return make_intervals(resampled, 1.0 - alpha)


def _compute_tau_without(shared: dict[str, _SharedTopics], circular: dict[str, set[str]]) -> pd.DataFrame:
    """Compute tau_b with and without the systems that share the judge's model."""
    import pandas as pd

    rows = []
    for name, names in circular.items():
        topics = shared[name]
        independent = [number for number, system in enumerate(topics.systems) if system not in names]
        means = comparable(topics.reference.mean(axis=0), True), comparable(topics.judge.mean(axis=0), True)
        without = float(tau_b(means[1][independent], means[0][independent])) if len(independent) > 1 else float("nan")
        rows.append((name, len(names), float(tau_b(means[1], means[0])), without))
    return pd.DataFrame(rows, columns=["judge", "systems", "tau_b", "tau_b_without"])
