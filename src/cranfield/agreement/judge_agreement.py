"""The same runs under the labels of several judges: what an organiser would conclude from each.

What a judge and the reference say on the topics that both scored: favour, certainty, and circular agreement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, listed, quoted, warn
from cranfield._typing import Floats
from cranfield._validation import whole
from cranfield.agreement.judge_intervals import intervals_of, resampled_systems
from cranfield.agreement.label_agreement import (
    Judges,
    LabelAgreement,
    Relevant,
    compare_labels,
    levels_of,
    named_judges,
    reference_of,
)
from cranfield.agreement.ranking_agreement import Agreement, compare_rankings
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import IntentWords, Reading
from cranfield.comparison.outcome import Adjustment
from cranfield.errors import InputError, UsageError
from cranfield.evaluation import evaluate
from cranfield.io.inputs import RunsLike
from cranfield.measures import Measure, MeasureLike, parse_measures
from cranfield.results.frames import stacked, tidy, unrolled
from cranfield.results.result import Result, Tables
from cranfield.scores.ordering import comparable
from cranfield.statistics.clustered_agreement import systems_on_these_topics
from cranfield.statistics.judge_bias import estimate_judge_bias
from cranfield.statistics.rank_correlation import tau_b
from cranfield.statistics.test_names import Test

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


RESAMPLES = 2000


@dataclass(frozen=True, eq=False, repr=False)
class JudgeAgreement(Result):
    """How the conclusions of an evaluation depend on who judged.

    Args:
        systems: the order of systems and the significant pairs under each judge, see ``Agreement``.
        labels: the labels themselves, see ``LabelAgreement``.
        favour: one row a ``judge`` and ``system``: ``mean_reference`` and ``mean`` of the system's scores on the topics
            that both judged; ``favour`` with its simultaneous interval ``low`` to ``high``, and ``p_adjusted``.
        intervals: one row a ``judge`` and ``statistic``: ``tau_b``, and the shares ``kept`` and ``lost`` of the pairs
            that t-tests with Holm's correction call significant; its ``value`` on the topics that both judged; ``low``
            to ``high``, where its mean over studies with as many topics lies; ``among_best``, whether no other judge is
            significantly ahead of it. Intervals of kappa and alpha are those of ``labels``.
        without: one row a ``judge`` whose model is part of systems (``same_model``): how many ``systems`` these are,
            ``tau_b`` with all systems and ``tau_b_without`` them.
        scores: judge -> scores of every system, dims (``topic``, system); as tidy rows each ``score``.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("judge_agreement",)
    systems: Agreement
    labels: LabelAgreement
    favour: pd.DataFrame
    intervals: pd.DataFrame
    without: pd.DataFrame
    scores: dict[str, xr.DataArray]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "intervals": lambda: tidy(self.intervals),
            "favour": lambda: tidy(self.favour),
            "without": lambda: tidy(self.without),
            "scores": lambda: stacked({name: unrolled(one, "score") for name, one in self.scores.items()}, "judge"),
            **self.systems.nested("systems"),
            **self.labels.nested("labels"),
        }


def compare_judges(
    runs: RunsLike,
    judges: Judges,
    measure: MeasureLike = "nDCG@10",
    *,
    reference: str | None = None,
    relevant: Relevant = 1,
    common: bool = False,
    test: Test = "t",
    correction: Adjustment | None = None,
    alpha: float = 0.05,
    top: int | None = None,
    same_model: Mapping[str, Sequence[str]] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 1,
    reading: Reading | None = None,
    policy: Policy | None = None,
    **words: Unpack[IntentWords],
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
        reference: what the others are compared with; the first, by default.
        relevant: smallest relevant label, for all judges or by name; for kappa, and for a measure that sets none.
        common: keep only documents that all judges judged.
        test: of the differences between systems, see ``compare``.
        correction: for the number of pairs; as in ``compare``.
        alpha: level of significance, in (0, 1); intervals have the level 1 - alpha.
        top: as in ``compare_rankings``.
        same_model: judge -> systems that are built with the judge's own model, as a re-ranker say. Agreement on these
            is circular (Clarke & Dietz 2024): it is warned of, and tau_b is given without them too.
        resamples: topics are resampled, and their signs flipped, so many times.
        seed: of whatever is drawn.
        reading: how files and runs are read, as one object, see ``Reading``.
        policy: its policies alone, see ``Policy``.
        words: the same one by one: those of ``Policy``, ``input_format``, ``names``, ``intent_weights``, ``weight_sum``
            and ``keep_empty_intents``. The level of relevance is ``relevant``.

    Raises:
        InputError: files are refused, judges share no topic or document, or fewer than two systems.
        UsageError: fewer than two judges, several measures, an unknown name, a reading with a level of relevance, or a
            word that contradicts the object given.

    References:
        Otero, Parapar & Ferro 2023, How discriminative are your qrels? doi:10.1145/3583780.3614916
        Clarke & Dietz 2024, LLM-based relevance assessment still can't replace human relevance assessment.
        arXiv:2412.17156
    """
    whole(1, resamples=resamples)
    asked = one_measure(measure)
    how = _reading_of_judges(reading, policy, words)
    qrels_by_judge = named_judges(judges, **how.of_files)
    chosen, levels = reference_of(qrels_by_judge, reference), levels_of(qrels_by_judge, relevant)
    if common:
        qrels_by_judge = on_common_documents(qrels_by_judge)
    drawn: dict[str, Any] = {"resamples": resamples, "seed": seed}
    labels = compare_labels(qrels_by_judge, reference=chosen, relevant=levels, level=1.0 - alpha, **drawn)
    scores = scores_by_judge(runs, qrels_by_judge, asked, levels, how)
    tested: dict[str, Any] = {"test": test, "correction": correction, "alpha": alpha, "top": top, "seed": seed}
    systems = compare_rankings(scores, reference=chosen, **tested)
    named = same_model_of(same_model or {}, scores, chosen)
    shared = {name: shared_topics(scores, chosen, name) for name in scores if name != chosen}
    settings = {"measure": str(asked), "relevant": levels, "common": common, "resamples": resamples}
    settings |= {"same_model": {name: sorted(few) for name, few in named.items()}, **systems.settings}
    return JudgeAgreement(
        systems,
        labels,
        favour_table(shared, resamples, seed, 1.0 - alpha),
        system_intervals(shared, alpha=alpha, **drawn),
        tau_without(shared, named),
        scores,
        settings,
        systems.signature | {"analysis": "judge agreement", "settings": settings},
    )


def _reading_of_judges(reading: Reading | None, policy: Policy | None, words: IntentWords) -> Reading:
    """Raises: UsageError: a level of relevance, which each judge has of its own."""
    how = Reading.of(reading, policy, words, IntentWords)
    if how.rel is not None:
        raise UsageError(f"rel={how.rel:g} means nothing here: judges have levels, relevant={how.rel:g}")
    return how


def one_measure(measure: MeasureLike, what: str = "agreement of judges") -> Measure:
    """Raises: UsageError: several measures."""
    asked = parse_measures(measure)
    if len(asked) != 1:
        raise UsageError(f"{what} works on one measure, and {measure!r} is {len(asked)}")
    return asked[0]


def scores_by_judge(
    runs: RunsLike, judges: Mapping[str, Qrels], measure: Measure, levels: Mapping[str, float], how: Reading
) -> dict[str, xr.DataArray]:
    """The scores of the same runs under each judge's labels, dims (topic, system).

    Args:
        runs: as in ``evaluate``.
        judges: name -> judgments.
        measure: of the scores.
        levels: name -> smallest relevant label; 1 leaves a measure the default of its declaration.
        how: files and runs are read.
    """
    scores = {}
    for name, qrels in judges.items():
        rel = None if levels[name] == 1 else levels[name]
        dataset = evaluate(runs, qrels, measure, reading=replace(how, rel=rel))
        only = dataset[next(iter(dataset.data_vars))]
        scores[name] = only.assign_attrs(dataset.attrs | only.attrs)
    return scores


def on_common_documents(qrels_by_judge: dict[str, Qrels]) -> dict[str, Qrels]:
    """The same judgments on the documents that everybody judged.

    Raises:
        InputError: there is none.
    """
    labels = {name: qrels.to_dict() for name, qrels in qrels_by_judge.items()}
    first, *others = labels.values()
    keys = {
        topic: [document for document in pool if all(document in other.get(topic, {}) for other in others)]
        for topic, pool in first.items()
    }
    if not any(keys.values()):
        raise InputError("no document was judged by all judges")
    return {
        name: Qrels.from_dict(
            {topic: {document: by_topic[topic][document] for document in pool} for topic, pool in keys.items() if pool},
            name=name,
        )
        for name, by_topic in labels.items()
    }


@dataclass(frozen=True)
class SharedTopics:
    """Scores of all systems by the reference and by a judge, on the topics that both have, [topics, systems]."""

    topics: list[str]
    systems: list[str]
    reference: Floats
    judge: Floats


def shared_topics(scores: dict[str, xr.DataArray], reference: str, name: str) -> SharedTopics:
    """The topics that a judge and the reference both scored.

    Raises:
        InputError: fewer than two, or a system without a score on one.
    """
    ours, theirs = scores[reference], scores[name]
    judged = set(theirs["topic"].to_numpy())
    topics = [topic for topic in ours["topic"].to_numpy() if topic in judged]
    if len(topics) < 2:
        raise InputError(f"{quoted(name)} and {quoted(reference)} share {counted(len(topics), 'topic')}, of 2 needed")
    systems = ours["system"].to_numpy()
    pair = [one.sel(topic=topics, system=systems).transpose("topic", "system").to_numpy() for one in (ours, theirs)]
    if np.isnan(pair[0]).any() or np.isnan(pair[1]).any():
        raise InputError(
            f"a system has no score on a topic: agreement of judges needs {setting('missing', 'empty')} and "
            f"{setting('undefined', 'declared')}"
        )
    return SharedTopics(topics, systems.tolist(), *pair)


def favour_table(shared: dict[str, SharedTopics], resamples: int, seed: int, level: float) -> pd.DataFrame:
    """One row a judge and system; see ``JudgeAgreement``."""
    import pandas as pd

    tables = []
    for name, both in shared.items():
        rng = np.random.default_rng(seed)
        answer = estimate_judge_bias(both.reference, both.judge, resamples=resamples, rng=rng, level=level)
        columns = {
            "judge": name,
            "system": both.systems,
            "mean_reference": both.reference.mean(axis=0),
            "mean": both.judge.mean(axis=0),
            "favour": answer.favour,
            "low": answer.low,
            "high": answer.high,
            "p_adjusted": answer.p,
        }
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def system_intervals(shared: dict[str, SharedTopics], *, alpha: float, resamples: int, seed: int) -> pd.DataFrame:
    """Intervals of tau_b, and of pairs kept and lost; see ``JudgeAgreement``."""
    resampled = {}
    for name, both in shared.items():
        values = systems_on_these_topics(both.reference, both.judge, alpha=alpha)
        resampled[name] = resampled_systems(
            both.topics, both.reference, both.judge, values, alpha, resamples=resamples, seed=seed
        )
    return intervals_of(resampled, 1.0 - alpha)


def same_model_of(
    given: Mapping[str, Sequence[str]], scores: dict[str, xr.DataArray], reference: str
) -> dict[str, set[str]]:
    """Systems built with a judge's model, by judge.

    Raises:
        UsageError: no such judge or system, or the reference.
    """
    systems = set(scores[reference]["system"].to_numpy())
    for name, few in given.items():
        if name not in scores or name == reference:
            raise UsageError(f"same_model names {quoted(name)}, which is no judge beside the reference")
        for system in few:
            if system not in systems:
                raise UsageError(f"same_model names {quoted(system)}, and no system is called so")
        if few:
            warn(
                f"built with the model of {quoted(name)}: {listed(sorted(few), 'system')}; their scores by this judge "
                "are circular, and agreement on them is no evidence"
            )
    return {name: set(few) for name, few in given.items() if few}


def tau_without(shared: dict[str, SharedTopics], named: dict[str, set[str]]) -> pd.DataFrame:
    """tau_b with and without the systems that share the judge's model."""
    import pandas as pd

    rows = []
    for name, few in named.items():
        both = shared[name]
        kept = [number for number, system in enumerate(both.systems) if system not in few]
        means = comparable(both.reference.mean(axis=0), True), comparable(both.judge.mean(axis=0), True)
        rest = float(tau_b(means[1][kept], means[0][kept])) if len(kept) > 1 else float("nan")
        rows.append((name, len(few), float(tau_b(means[1], means[0])), rest))
    return pd.DataFrame(rows, columns=["judge", "systems", "tau_b", "tau_b_without"])
