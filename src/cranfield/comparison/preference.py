"""Which of two systems' lists is preferred, without a measure: ``prefer``, and preferences beside a test of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack, get_args

import numpy as np

from cranfield import engine
from cranfield._message import name_value
from cranfield._text import condensed, counted, listed, percent, warn
from cranfield._typing import Floats
from cranfield._validation import list_names
from cranfield._version import package_version
from cranfield.collection.policy import REWRITING
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, LevelOptions
from cranfield.comparison.comparison_text import describe_scope
from cranfield.comparison.pair_choice import choose_pairs
from cranfield.comparison.result import Comparison, named_pairs
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.checks import Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption, BaselineOption
from cranfield.errors import InputError, UsageError
from cranfield.findings.catalogue import DEPTH
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import parse_measure
from cranfield.results.columns import Column
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Tables
from cranfield.results.with_scores import ResultWithScores
from cranfield.scores.measure_scores import Scores
from cranfield.scores.premises import describe_runs
from cranfield.scores.signature import sign_qrels
from cranfield.scores.topic_table import TopicTable
from cranfield.scoring import Evaluation, Progress, score
from cranfield.scoring.unjudged_shares import list_treatments, sign_shares
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.intervals import t_interval
from cranfield.statistics.list_preference import AVERAGED, Preference, decided, preferences
from cranfield.statistics.multiple_testing import Correction, adjust
from cranfield.statistics.paired_tests import sign_test
from cranfield.statistics.rounding import NOISE, cleared

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@dataclass(frozen=True, eq=False, repr=False)
class ListPreferences(ResultWithScores):
    """Whose lists are preferred.

    Args:
        pairs: a row a pair.
        systems: a row a system, the most preferred first.
        scores: of every system on every topic its mean preference over all other systems, dims (``topic``, ``system``),
            as any analysis of scores takes them. The difference of two systems by lexirecall or lexiprecision has the
            sign of the preference between them.
        topics: the preference of each pair on each topic, dims (``topic``, ``pair``).
        tied: share of all comparisons of two systems on one topic that end in a tie.
        contradicted: pairs of which the preference contradicts the order of ``systems``, as it may where preferences
            form cycles.
        settings: the options; ``rel``, None where ``graded``.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "pairs": (
            Column("system"),
            Column("other"),
            Column("preference", "mean over topics, above 0 where the lists of the system are preferred"),
            Column("low", "Student's interval of this pair by itself"),
            Column("high"),
            Column("wins", "topics on which the system is preferred"),
            Column("ties"),
            Column("losses"),
            Column("p", "of the sign test on wins and losses"),
            Column("p_adjusted", "for the number of pairs"),
            Column("significant"),
            Column("topics", "with a preference"),
        ),
        "systems": (
            Column("system"),
            Column("preference", "mean of its scores"),
            Column("preferred", "other systems to which it is preferred, by the means of their pairs"),
            Column("equal"),
            Column("preferred_to_it"),
        ),
        "scores": (
            Column("topic"),
            Column("system"),
            Column("score", "mean preference over all other systems"),
        ),
        "topics": (
            Column("system"),
            Column("other"),
            Column("topic"),
            Column("preference"),
        ),
    }
    on_request = ("topics",)
    pairs: pd.DataFrame
    systems: pd.DataFrame
    scores: xr.DataArray
    topics: xr.DataArray
    tied: float
    contradicted: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "pairs": lambda: tidy(self.pairs),
            "systems": lambda: tidy(self.systems),
            "scores": partial(unrolled, self.scores, "score"),
            "topics": self._by_topic,
        }

    def _by_topic(self) -> pd.DataFrame:
        import pandas as pd

        topics, pairs = self.topics.shape
        named = {name: np.repeat(self.pairs[name].to_numpy(), topics) for name in ("system", "other")}
        topic = np.tile(self.topics["topic"].to_numpy(), pairs)
        return pd.DataFrame(named | {"topic": topic, "preference": self.topics.to_numpy().T.ravel()})

    def caption(self, table: str) -> str:
        """Describe how lists were compared, how many tied, and, for a table of pairs, how many differ significantly."""
        if table not in self.table_columns:
            return ""
        settings = self.settings
        level = "graded labels" if settings["graded"] else f"labels of {settings['rel']:g} or more"
        topics = counted(self.scores.sizes["topic"], "topic")
        text = f"{settings['preference']}, {level}: {counted(len(self.systems), 'system')}, {topics}"
        text += f"; tied in {percent(self.tied)} of the comparisons"
        if table == "pairs":
            corrected = settings["correction"] != "none"
            test = f"sign test, {settings['correction']}{describe_scope(settings)}" if corrected else "sign test"
            significant = int(self.pairs["significant"].sum())
            text += f"; {test}: {significant:,} of {counted(len(self.pairs), 'pair')} significant"
        if table == "systems" and self.contradicted:
            text += f"; {counted(self.contradicted, 'pair')} contradict this order"
        return "\n".join([text, *describe_runs(self.signature["runs"], DEPTH, self.signature["unjudged"])])


@analysis(
    "compare prefer",
    "Compare lists without a measure, by recall-paired preference.",
    FromRuns(
        measures="none",
        policies=("ties", "missing", "unjudged", "compat", "on_duplicate", *REWRITING),
    ),
    views=(
        View("pairs", "over all topics.", pairs="the most preferred systems first"),
        View("systems", "their order.", unused=("baseline", "correction", "alpha")),
        View(
            "topics",
            "each pair on each topic.",
            pairs="the most preferred systems first",
            unused=("correction", "alpha"),
        ),
        View(
            "scores",
            "each system's mean preference over the others by topic, as rows for --scores of other commands.",
            unused=("baseline", "correction", "alpha"),
        ),
    ),
    rules=tuple(
        Rule(
            {"graded": True, "preference": name},
            f"{{preference={name}}} has no form for graded labels: take {', '.join(AVERAGED)}, or leave {{graded}} out",
        )
        for name in get_args(Preference)
        if name not in AVERAGED
    ),
    groups=Groups(tested=True, across=True),
    words=("rpp", "preference"),
    examples=("qrels.txt bm25.run neural.run", "qrels.txt runs/*.run --preference rpp"),
    guide="Compare two lists by the ranks at which they reach their relevant documents, without a measure.\n\n"
    "rpp is the share of the levels of recall at which a list is ahead, minus the share at which it is behind; invrpp "
    "and dcgrpp weight early levels more. lexiprecision asks which list is ahead at the first level where they differ, "
    "rrlexiprecision by how much, and lexirecall which is ahead at the last.\n\n"
    "preference is above 0 where the lists of the first system are preferred to those of the second; p is that of a "
    "sign test on the topics that it wins and loses.",
)
def prefer(
    runs: RunsLike,
    qrels: QrelsLike,
    preference: Annotated[Preference, Option("How two lists are compared.")] = "rpp",
    *,
    graded: Annotated[
        bool,
        Option(
            "Treat every positive label as a level of relevance of its own: the mean of the preferences at all of "
            "them, weighed by their relevant documents; of rpp, invrpp and dcgrpp."
        ),
    ] = False,
    baseline: BaselineOption = (),
    correction: Annotated[Correction, Option("Correction of the sign test for the number of pairs.")] = "holm",
    alpha: AlphaOption = 0.05,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **kwargs: Unpack[LevelOptions],
) -> ListPreferences:
    """Compare the lists of systems by where they reach their relevant documents, without a measure.

    With x_i and y_i the ranks at which two lists reach their i-th relevant document, infinite where they do not, a list
    is ahead at level i of recall if it gets there first. ``rpp`` is the share of levels at which it is ahead minus the
    share at which it is behind; ``invrpp`` and ``dcgrpp`` weigh level i by 1 / i and 1 / log2(i + 1).
    ``lexiprecision`` asks the first level at which they differ, and never contradicts RR; ``lexirecall`` the last;
    ``rrlexiprecision`` is the difference 1 / x_i - 1 / y_i at the first. Topics without a relevant document have no
    preference and are left out.

    Args:
        runs: as in ``evaluate``; two systems or more.
        qrels: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
            ``rel`` is 1 by default.
        progress: called after each run with the number of those read, and of all.

    Raises:
        InputError: a file is refused, no topic has a relevant document, or fewer than two systems or topics.
        UsageError: an unknown word or system, ties left open, or ``graded`` beside a level or another preference.

    References:
        Diaz & Ferraro 2022, Offline retrieval evaluation without evaluation metrics. doi:10.1145/3477495.3532033
        Diaz, Ekstrand & Mitra 2025, Recall, robustness, and lexicographic evaluation. doi:10.1145/3728373
        Diaz 2023, Best-case retrieval evaluation. doi:10.20736/0002001353
    """
    import xarray as xr

    reading = InputOptions.of(reading, kwargs, LevelOptions)
    reading.policy.check_order("a preference between lists")
    if graded and reading.rel is not None:
        raise UsageError(f"a relevance level of {reading.rel:g} means nothing beside graded labels, which all count")
    against = list_names(baseline=baseline)
    table, rankings = _judged(runs, qrels, reading, progress)
    every = Contrasts.all_pairs(len(table.systems))
    by_topic = preferences_by_topic(rankings, every, preference, reading.level, graded=graded)
    _refuse_undefined(table, by_topic, reading.level, graded=graded)
    settings = record_options(prefer, locals(), baseline=against, rel=None if graded else reading.level)
    signature = _signature(table, settings)
    matrix = _scores(table, every, by_topic, preference, signature)
    matrix.at_least(2, 2, "a comparison")
    chosen = choose_pairs(matrix, against)
    if against:
        chosen = Contrasts(chosen.right, chosen.left)
    values = _pair_columns(every, by_topic, chosen, len(matrix.systems))
    systems, contradicted = _systems(matrix, every, by_topic)
    return ListPreferences(
        _pairs(matrix, chosen, values, correction, alpha),
        systems,
        matrix.labelled(),
        xr.DataArray(values, {"topic": np.array(matrix.topics, dtype=object)}, ("topic", "pair")),
        float((by_topic == 0).sum() / (~np.isnan(by_topic)).sum()),
        contradicted,
        settings,
        signature,
    )


def _judged(
    runs: RunsLike, qrels: QrelsLike, reading: InputOptions, progress: Progress | None
) -> tuple[Evaluation, Rankings]:
    """Runs seen through qrels; what a careful reader should know is warned of."""
    table = score(runs, qrels, "NumRet", reading=reading, keep_rankings=True, progress=progress)
    for line in condensed(table.remarks):
        warn(line)
    assert table.rankings is not None
    return table, table.rankings


def _refuse_undefined(table: Evaluation, by_topic: Floats, level: float, *, graded: bool) -> None:
    """Raises: InputError: no topic has a preference; those without are warned of."""
    if len(table.systems) < 2:
        raise InputError("a preference needs 2 systems or more, and there is 1", code="too-few")
    empty = [topic for topic, row in zip(table.topics, by_topic, strict=True) if np.isnan(row).all()]
    needed = "a label above 0" if graded else f"a label of {level:g} or more"
    if len(empty) == len(table.topics):
        raise InputError(f"no topic has a document with {needed}, so no list is preferred", code="no-scores")
    if empty:
        warn(f"{table.qrels.name}: no list is preferred on {listed(empty)}, left out: no document has {needed}")


def _signature(table: Evaluation, settings: dict[str, Any]) -> dict[str, Any]:
    # Unjudged documents are read as by measures of whole lists, such as AP.
    treated = list_treatments([parse_measure("AP")], table.qrels, table.policy)
    runs = table.signature()["runs"]
    assert table.rankings is not None, "the rankings are kept"
    return {
        "cranfield": package_version(),
        "analysis": "prefer",
        "engine": engine.current().NAME,
        "settings": settings,
        **table.policy.as_dict(),
        "qrels": sign_qrels(table.qrels),
        "runs": sign_shares(runs, table.rankings, DEPTH) if treated else runs,
    }


def _scores(
    table: Evaluation, every: Contrasts, by_topic: Floats, preference: Preference, signature: dict[str, Any]
) -> Scores:
    """The mean preference of every system over the others on every topic."""
    total, count = np.zeros((2, len(table.topics), len(table.systems)))
    known = ~np.isnan(by_topic)
    value = np.where(known, by_topic, 0.0)
    for columns, sign in ((every.left, 1.0), (every.right, -1.0)):
        for system in range(len(table.systems)):
            own = columns == system
            total[:, system] += sign * value[:, own].sum(axis=1)
            count[:, system] += known[:, own].sum(axis=1)
    mean = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return Scores(preference, table.systems, TopicTable(table.topics, mean), True, signature)


def _pair_columns(every: Contrasts, by_topic: Floats, chosen: Contrasts, systems: int) -> Floats:
    """Preferences of some pairs, either system first, from those of all pairs, [topics, chosen]."""
    column = np.zeros((systems, systems), dtype=np.int64)
    column[every.left, every.right] = column[every.right, every.left] = np.arange(len(every))
    value: Floats = by_topic[:, column[chosen.left, chosen.right]]
    # 0 - x, as -x makes a zero negative.
    return np.where(chosen.left < chosen.right, value, 0.0 - value)


def _pairs(matrix: Scores, pairs: Contrasts, values: Floats, correction: Correction, alpha: float) -> pd.DataFrame:
    import pandas as pd

    known = ~np.isnan(values)
    count = known.sum(axis=0)
    mean = np.where(known, values, 0.0).sum(axis=0) / np.maximum(count, 1)
    spread = np.where(known, values - mean, 0.0)
    variance = (spread**2).sum(axis=0) / np.maximum(count - 1, 1)
    enough = count > 1
    error = np.sqrt(np.where(enough, variance / np.maximum(count, 1), np.nan))
    # The same preference on every topic has no spread; p is that of signs, which needs none.
    error = np.where((cleared(error, 1.0) == 0) & (mean != 0), np.nan, error)
    interval = t_interval(mean, error, np.maximum(count - 1, 1), 1.0 - alpha)
    p = sign_test(values, np.zeros(len(pairs))).p
    adjusted = adjust(p, correction)
    return pd.DataFrame(
        named_pairs(matrix, pairs)
        | {"preference": np.where(count > 0, mean, np.nan), "low": interval.low, "high": interval.high}
        | {"wins": (values > 0).sum(axis=0), "ties": (values == 0).sum(axis=0), "losses": (values < 0).sum(axis=0)}
        | {"p": p, "p_adjusted": adjusted, "significant": adjusted < alpha, "topics": count}
    )


def _systems(matrix: Scores, every: Contrasts, by_topic: Floats) -> tuple[pd.DataFrame, int]:
    """The order of systems, and how many pairs contradict it."""
    import pandas as pd

    size = len(matrix.systems)
    total = np.where(np.isnan(by_topic), 0.0, by_topic).sum(axis=0)
    beats = np.zeros((size, size))
    beats[every.left, every.right] = np.where(np.abs(total) <= NOISE * len(by_topic), 0.0, total)
    beats = beats - beats.T
    means = matrix.comparable_means
    order = matrix.leaderboard
    frame = pd.DataFrame(
        {
            "system": [matrix.systems[system] for system in order],
            "preference": [float(matrix.means[system]) for system in order],
            "preferred": [int((beats[system] > 0).sum()) for system in order],
            "equal": [int((beats[system] == 0).sum()) - 1 for system in order],
            "preferred_to_it": [int((beats[system] < 0).sum()) for system in order],
        }
    )
    return frame, int(((means[:, None] > means[None, :]) & (beats < 0)).sum())


def preferences_by_topic(
    rankings: Rankings, pairs: Contrasts, preference: Preference, rel: float, *, graded: bool
) -> Floats:
    """Compute the preference for the left system of each pair on each topic, float64 [topics, pairs].

    NaN on topics without a relevant document, and, where missing topics are skipped, of pairs of which a list is
    missing.

    Args:
        rankings: of all systems, in one order.
        pairs: of systems.
        preference: which.
        rel: smallest relevant label.
        graded: whether every positive label of a topic is a level of its own, in place of ``rel``: the mean of the
            preferences at all levels, weighed by their relevant documents.
    """
    if graded:
        values = _graded(rankings, pairs, preference)
    else:
        values = np.stack([preferences(ranks, pairs, preference) for ranks in relevant_ranks(rankings, rel)])
    if rankings.policy.missing == "skip":
        absent = (rankings.length == 0).reshape(len(rankings.systems), -1).T
        values[absent[:, pairs.left] | absent[:, pairs.right]] = np.nan
    return values


def relevant_ranks(rankings: Rankings, low: float) -> Iterator[Floats]:
    """The ranks on each topic of its documents of at least this label, ascending, float64 [systems, documents].

    Those that a list does not hold stand at its end, at infinity.
    """
    if rankings.policy.unjudged == "condense":
        rankings = (rankings.without_negatives if rankings.policy.hides_negative else rankings).condensed
    relevant = rankings.only(low)
    topics = len(relevant.pool.size)
    # `only` keeps everything where every label is high enough, and also where none is.
    rows = np.flatnonzero(relevant.relevant(low))
    system, topic = np.divmod(relevant.segment[rows], topics)
    order = np.argsort(topic, kind="stable")
    bounds = np.searchsorted(topic[order], np.arange(topics + 1))
    for number, count in enumerate(relevant.pool.count(low=low).astype(np.int64).tolist()):
        own = order[bounds[number] : bounds[number + 1]]
        ranks = np.full((len(relevant.systems), count), np.inf)
        ranks[system[own], relevant.position[rows[own]] - 1] = relevant.rank[rows[own]]
        yield ranks


def _graded(rankings: Rankings, pairs: Contrasts, preference: Preference) -> Floats:
    """The mean over the levels that occur in a topic, [topics, pairs]."""
    pool = rankings.pool
    total, weight = np.zeros((len(pool.size), len(pairs))), np.zeros((len(pool.size), 1))
    for label in pool.labels[pool.labels > 0].tolist():
        occurs = pool.tally(pool.grade == label) > 0
        for topic, ranks in enumerate(relevant_ranks(rankings, label)):
            if occurs[topic]:
                total[topic] += ranks.shape[1] * preferences(ranks, pairs, preference)
                weight[topic] += ranks.shape[1]
    mean: Floats = np.divide(total, weight, out=np.full(total.shape, np.nan), where=weight > 0)
    return mean


def add_preferences(comparison: Comparison, preferences: ListPreferences) -> Comparison:
    """A comparison whose pairs also say whose lists are preferred.

    Args:
        comparison: of pairs of systems.
        preferences: between the lists of the same systems; their p-values are of sign tests, with their own correction.

    Returns:
        The comparison with two more columns of ``pairs``: ``preference``, above 0 where the system's lists are
        preferred to the other's, and ``p_preference``, of its sign test, corrected.

    Raises:
        UsageError: a pair was compared that the preferences have not.
    """
    known = {}
    for row in preferences.pairs.to_dict("records"):
        known[row["system"], row["other"]] = (row["preference"], row["p_adjusted"])
        # 0 - x, as -x makes a zero negative.
        known[row["other"], row["system"]] = (0.0 - row["preference"], row["p_adjusted"])
    named = list(zip(comparison.pairs["system"], comparison.pairs["other"], strict=True))
    lost = [pair for pair in named if pair not in known]
    if lost:
        raise UsageError(
            f"the preferences do not compare {name_value(lost[0][0])} with {name_value(lost[0][1])}: take the same "
            "systems"
        )
    added = {
        "preference": [known[pair][0] for pair in named],
        "p_preference": [known[pair][1] for pair in named],
    }
    settings = comparison.settings | {"preferences": preferences.settings}
    signed = comparison.signature["settings"] | {"preferences": preferences.settings}
    return replace(
        comparison,
        pairs=comparison.pairs.assign(**added),
        settings=settings,
        signature=comparison.signature | {"settings": signed, "preferences": preferences.signature},
    )


@dataclass(frozen=True)
class TiesBroken:
    """Counts of comparisons, each of two systems on one topic that has a relevant document.

    Args:
        comparisons: all of them.
        tied: those that RR ties: both lists have their first relevant document at the same rank, or none has one.
        broken: those of the tied that a preference decides.
        rel: smallest relevant label.
    """

    comparisons: int
    tied: int
    broken: int
    rel: float


def count_ties_broken(rankings: Rankings, rel: float, preference: Preference = "rpp") -> TiesBroken:
    """Count the ties of RR, and those of them that a preference breaks.

    Args:
        rankings: of all systems, in one order; a list that is missing counts as empty, unless missing topics are
            skipped.
        rel: smallest relevant label.
        preference: which.

    Raises:
        UsageError: the order of documents is open.
    """
    rankings.policy.check_order("a preference")
    pairs = Contrasts.all_pairs(len(rankings.systems))
    skipped = rankings.policy.missing == "skip"
    there = (rankings.length > 0).reshape(len(rankings.systems), -1).T
    counted = np.zeros(3, dtype=np.int64)
    for lists, ranks in zip(there, relevant_ranks(rankings, rel), strict=True):
        if not ranks.shape[1]:
            continue
        known = lists[pairs.left] & lists[pairs.right] if skipped else np.ones(len(pairs), dtype=np.bool_)
        tied = known & (ranks[pairs.left, 0] == ranks[pairs.right, 0])
        broken = decided(ranks, Contrasts(pairs.left[tied], pairs.right[tied]), preference)
        counted += [known.sum(), tied.sum(), broken.sum()]
    comparisons, tied_by_rr, of_these = counted.tolist()
    return TiesBroken(comparisons, tied_by_rr, of_these, rel)
