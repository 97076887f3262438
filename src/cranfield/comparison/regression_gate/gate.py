"""The gate of a change: ``gate``. A baseline may have been stored earlier; it is checked whether it may be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, quoted
from cranfield._version import package_version
from cranfield.comparison.loss_margins import resolve_margins
from cranfield.comparison.outcome import PairedOutcome, Procedure
from cranfield.comparison.pair_choice import find_columns
from cranfield.comparison.pairwise import test_pairs
from cranfield.comparison.regression_gate.result import Basis, Gate
from cranfield.comparison.regression_gate.statement import list_judged
from cranfield.comparison.regression_gate.stored_baseline import refuse_other_making, with_baseline
from cranfield.comparison.regression_gate.verdicts import (
    FAILED,
    NOTHING_TO_LOSE,
    OPEN,
    PASSED,
    GateTests,
    Verdict,
    build_rows,
    explain_gaps,
    find_topic_gains,
    find_worst_topics,
    has_nothing_to_lose,
    judge,
    lost_too_much,
    overall,
    worst_by_row,
)
from cranfield.declarations.analysis import FromScores, Groups, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    AlphaOption,
    LargerIsBetterOption,
    MarginsOption,
    MeanOverOption,
    ReplicatesOption,
    SmallerIsBetterOption,
    TopicClustersOption,
    TopicWeightsOption,
)
from cranfield.errors import InputError, UsageError
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.direction import require_directions
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, find_directions, open_measures
from cranfield.scores.signature import together
from cranfield.scores.topic_clusters import LEAST, MeanOver
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.rounding import NOISE, is_noise

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

FewTopics = Literal["refuse", "cannot tell"]


def _refuse_alone(systems: int, options: Mapping[str, Any]) -> None:
    """Refuse a call with nothing to compare."""
    if systems < 2 and options["against"] is None:
        ways = "QRELS BASELINE NEW..., or QRELS NEW... --against FILE"
        raise UsageError(f"a gate needs judgments, a baseline and a new run: {ways}")


@analysis(
    "gate",
    "Fail where a new run is worse than a baseline.",
    FromScores(
        "all",
        ranges=False,
        streamed=True,
        holes=("estimate",),
        missing=("refuse",),
        advice="`cranfield gate QRELS BASELINE NEW --unjudged estimate`",
    ),
    tests=True,
    groups=Groups(
        tested=True,
        across=True,
        options={"few_topics": "cannot tell"},
        cut=("against",),
        ungrouped="cranfield.comparison.regression_gate.gate:_judge_ungrouped",
    ),
    examples=(
        "qrels.txt change.run --against main.json --margin 0.01",
        "qrels.txt main.run change.run -m nDCG@10 -m RR@10",
    ),
    guide="Test whether runs are worse than a baseline (the first run) beyond a margin.\n\n"
    "Exits with 0 where no new run is a regression by any measure, 3 where one is, and 4 where there are too few "
    "topics to decide or, with --unjudged estimate, too many unjudged documents. A topic that drops by more than "
    "--worst-topic is a regression, whatever the mean. With --topic-groups the worst verdict counts; a group with too "
    "few topics for a test cannot tell, and topics without a group can only be a regression.",
    formats=("markdown", "junit"),
    check_systems=_refuse_alone,
    statement="the verdict",
    first_is_baseline=True,
)
def gate(
    scores: ScoresLike | Sequence[Scores],
    *,
    baseline: Annotated[
        str | None,
        Option("The baseline.", metavar="NAME", default="the first run, or the system whose scores were stored"),
    ] = None,
    against: Annotated[
        Union[ScoresLike, None],  # noqa: UP007
        Option(
            "Scores of the baseline, stored by `cranfield evaluate QRELS RUN -q -f json` from the same judgments and "
            "policies; all others are then new.",
            metavar="FILE",
            read="cranfield.scores.files:read_scores",
            recorded=False,
        ),
    ] = None,
    margin: MarginsOption = 0.01,
    worst_topic: Annotated[
        float | None,
        Option("Largest acceptable drop on any topic, in a group or not.", low=0, default="any drop", metavar="LOSS"),
    ] = None,
    alpha: AlphaOption = 0.05,
    few_topics: Annotated[
        FewTopics,
        Option(
            "What to do where topics are too few for a test: refuse, or cannot tell, where single topics that lose "
            "more than {worst_topic} are a regression all the same.",
            shell=False,
        ),
    ] = "refuse",
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
    replicates: ReplicatesOption = None,
    topic_weights: TopicWeightsOption = None,
    larger_is_better: LargerIsBetterOption = (),
    smaller_is_better: SmallerIsBetterOption = (),
) -> Gate:
    """Test whether new systems are worse than a baseline by more than a margin, by every measure.

    Of each system and measure, by one-sided t-tests of the mean difference over topics:

    - ``no regression``: a drop by the margin is ruled out at level alpha. The same scores on every topic are not a
      regression.
    - ``regression``: it is significantly worse by more than the margin, or a topic loses more than ``worst_topic``.
    - ``cannot tell``: neither, mostly as there are too few topics; or a topic has a score of one side alone, and the
      others show no regression; or the baseline has 0 on every topic, so that nothing can be lost.

    Where the system differs by the same amount, not 0, on every topic, no spread is left for a t-test, and the exact
    test of signs decides: n topics that all lose more than the margin, or all less, have p = 2^-n, so that five decide
    at .05. Where it does so on all topics but one, or but a tenth of them, a spread that small says little more: signs
    decide where they agree, and where they do not, t is never surer than they could be. Of systems with several runs
    p is at least 1 / C(R + R', R), that of runs of which all of one system are better.

    The probability that any system is wrongly called ``no regression`` by all measures is at most alpha, and so is that
    of any ``regression`` by its mean. ``worst_topic`` is a rule on the topics seen, without a test.

    Args:
        scores: dims (topic, system), by one measure or several. Of more than 131,072 topics without gaps they are gone
            through in blocks, unless they are compared ``against`` stored ones.

    Raises:
        UsageError: an unknown system or measure, or numbers outside their range.
        InputError: fewer than two systems or topics or five clusters, a topic without a cluster, a run without a
            system, a system with one run, or stored scores that were made with other judgments, measures or policies,
            or do not say how; or nothing says whether larger or smaller scores are better.

    References:
        Schuirmann 1987, A comparison of the two one-sided tests procedure and the power approach for assessing the
        equivalence of average bioavailability. doi:10.1007/BF01068419
        Berger 1982, Multiparameter hypothesis testing and acceptance sampling. doi:10.1080/00401706.1982.10487790
        Piaggio et al. 2012, Reporting of noninferiority and equivalence randomized trials.
        doi:10.1001/jama.2012.87802
    """
    directions = larger_is_better, smaller_is_better
    inputs = prepare(scores, baseline, against, margin, worst_topic, alpha, few_topics, replicates, directions)
    try:
        tables = _cluster_tables(inputs, topic_clusters, mean_over, topic_weights)
        basis = test_tables(tables, list(inputs.settings["margin"].values()), alpha)
    except InputError as error:
        if few_topics == "refuse" or error.code != "too-few":
            raise
        return _untested(inputs, error.text, "cannot tell")
    rows = build_rows(basis.tables, inputs.settings, basis.outcomes, judge(basis.tests, alpha), basis.worst)
    verdict = overall(rows["verdict"].tolist())
    return Gate(rows, basis.worst, verdict, inputs.settings, inputs.signature(), basis, list_judged(inputs.tables[0]))


def untested_gate(
    scores: ScoresLike | Sequence[Scores],
    why: str,
    otherwise: Verdict,
    *,
    baseline: str | None = None,
    against: ScoresLike | None = None,
    margin: float | Mapping[str, float] = 0.01,
    worst_topic: float | None = None,
    alpha: float = 0.05,
    replicates: GroupsLike | None = None,
    larger_is_better: str | Sequence[str] = (),
    smaller_is_better: str | Sequence[str] = (),
) -> Gate:
    """The gate of scores of which no mean can be tested, or is to be: only what single topics lose is judged.

    Args:
        scores: as in ``gate``.
        why: no mean is tested.
        otherwise: the verdict where no topic loses more than ``worst_topic``.
        baseline: as in ``gate``.
        against: as in ``gate``.
        margin: as in ``gate``.
        worst_topic: as in ``gate``.
        alpha: as in ``gate``.
        replicates: as in ``gate``.
        larger_is_better: as in ``gate``.
        smaller_is_better: as in ``gate``.

    Raises:
        UsageError, InputError: as in ``gate``, but for topics that are too few.
    """
    directions = larger_is_better, smaller_is_better
    inputs = prepare(scores, baseline, against, margin, worst_topic, alpha, "cannot tell", replicates, directions)
    inputs.settings.update(inputs.tables[0].units.settings)
    return _untested(inputs, why, otherwise)


def _judge_ungrouped(scores: ScoresLike, **options: Any) -> Gate:
    """Judge topics without a group, where others have one: a loss is a regression, and too few do not count.

    Args:
        scores: as in ``gate``.
        options: of ``gate``.
    """
    tested = gate(scores, **{**options, "few_topics": "cannot tell"})
    if tested.verdict == "regression":
        return tested
    of_tests = ("few_topics", "topic_clusters", "mean_over", "topic_weights")
    single = {name: value for name, value in options.items() if name not in of_tests}
    return untested_gate(scores, "these topics have no group, and a loss would count", "no regression", **single)


def _untested(inputs: GateInputs, why: str, otherwise: Verdict) -> Gate:
    inputs.settings["untested"] = why
    worst = find_worst_topics(inputs.tables)
    rows = untested_rows(inputs.tables, inputs.settings, worst, otherwise)
    verdict = overall(rows["verdict"].tolist())
    return Gate(rows, worst, verdict, inputs.settings, inputs.signature(), None, list_judged(inputs.tables[0]))


@dataclass(frozen=True)
class GateInputs:
    """Scores with the baseline in the first column, and the settings by which they are judged."""

    tables: Sequence[Scores]
    settings: dict[str, Any]
    source: Any

    def signature(self) -> dict[str, Any]:
        """All that changes the verdicts."""
        return {
            "cranfield": package_version(),
            "analysis": "gate",
            "measures": [table.measure for table in self.tables],
            "settings": self.settings,
            "scores": self.source,
        }


def prepare(
    scores: ScoresLike | Sequence[Scores],
    baseline: str | None,
    against: ScoresLike | None,
    margin: float | Mapping[str, float],
    worst_topic: float | None,
    alpha: float,
    few_topics: FewTopics,
    replicates: GroupsLike | None = None,
    directions: tuple[str | Sequence[str], str | Sequence[str]] = ((), ()),
) -> GateInputs:
    """Put the baseline first, and check the settings of a gate.

    ``directions`` are measures of which larger is better, and those of which smaller is; see ``gate`` for the others.

    Raises:
        UsageError, InputError: see ``gate``.
    """
    if alpha >= 0.5:
        raise UsageError(f"{setting('alpha', alpha)} should be below 0.5")
    opened = open_measures(scores, Needs(blockwise=against is None))
    known = require_directions(find_directions(opened, *directions), "a gate")
    new: Sequence[Scores] = [table.directed(known[table.measure].larger_is_better) for table in opened]
    if replicates is not None:
        if against is not None:
            raise UsageError(
                f"{setting('replicates')} needs the runs of the baseline too: give these beside the others, not as "
                f"{setting('against')}"
            )
        new = open_measures(new, replicates=replicates)
    margins = resolve_margins(margin, new)
    tables: Sequence[Scores]
    if against is None:
        name, tables = _split(new, baseline)
        source = together([(table.measure, table.source) for table in new])
    else:
        stored = open_measures(against)
        refuse_other_making(new, stored)
        name, tables = with_baseline(new, stored, baseline)
        source = {
            "new": together([(table.measure, table.source) for table in new]),
            "against": together([(table.measure, table.source) for table in stored]),
        }
    settings = record_options(gate, locals(), baseline=name, margin=margins, stored=against is not None)
    if said := {measure: direction.sentence for measure, direction in known.items() if direction.sentence}:
        settings["directions"] = said
    return GateInputs(tables, settings, source)


def _cluster_tables(
    inputs: GateInputs, topic_clusters: GroupsLike | None, mean_over: MeanOver, topic_weights: GroupsLike | None
) -> Sequence[Scores]:
    """The scores with the clusters and the weights of their topics, where there are any, which the settings name."""
    needs = Needs("a gate", topics=2, systems=2, blockwise=not inputs.settings["stored"])
    units: dict[str, Any] = {"topic_clusters": topic_clusters, "mean_over": mean_over, "topic_weights": topic_weights}
    tables = open_measures(inputs.tables, needs, **units)
    inputs.settings.update(tables[0].units.settings)
    return tables


def _split(matrices: Sequence[Scores], baseline: str | None) -> tuple[str, list[Scores]]:
    """The baseline's name, and the matrices with it in the first column.

    Raises:
        UsageError: there is no such system.
        InputError: there are fewer than two systems.
    """
    systems = matrices[0].systems
    name = systems[0] if baseline is None else baseline
    (at,) = find_columns(systems, [name])
    if len(systems) < 2:
        raise InputError("a gate needs a baseline and a new system, and the scores are of one system", code="too-few")
    order = [at, *(column for column in range(len(systems)) if column != at)]
    return name, [table.select_systems(order) for table in matrices]


def test_tables(tables: Sequence[Scores], margins: list[float], alpha: float) -> Basis:
    """Test the mean of every other system against that of the first, by every measure."""
    outcomes = [_outcome(table, alpha) for table in tables]
    sign = np.array([1.0 if table.larger_is_better else -1.0 for table in tables])
    gain, error, df, constant_p = (
        np.column_stack([getattr(outcome, what) for outcome in outcomes])
        for what in ("difference", "error", "df", "constant_p")
    )
    slack = NOISE * np.array([table.largest for table in tables])
    topic_gains = np.stack(
        [find_topic_gains(table, gain[:, at] * sign[at], error[:, at]) for at, table in enumerate(tables)], axis=-1
    )
    tests = GateTests(gain * sign, error, df, np.array(margins), constant_p, slack, topic_gains)
    return Basis(tables, outcomes, find_worst_topics(tables), tests)


def _outcome(table: Scores, alpha: float) -> PairedOutcome:
    """Every other system minus the first."""
    systems = np.arange(1, len(table.systems))
    pairs = Contrasts(systems, np.zeros_like(systems))
    _refuse_few_shared(table, pairs)
    procedure = Procedure("t", "t", 1.0 - alpha, alpha, 0, 0, "none")
    return test_pairs(table, pairs, procedure, alpha)


def _refuse_few_shared(table: Scores, pairs: Contrasts) -> None:
    """Raises: InputError: a system and the baseline share no two topics, or topics of too few clusters."""
    needs = [(table.shared_topics(pairs), 2, "", "topic")]
    if table.units.clusters is not None:
        needs.append((table.shared_clusters(pairs), LEAST, "topics of ", "cluster"))
    for counts, least, of_what, noun in needs:
        for at in np.flatnonzero(counts < least):
            raise InputError(
                f"{quoted(table.systems[at + 1])} and the baseline {quoted(table.systems[0])} share {of_what}"
                f"{counted(int(counts[at]), noun)}, of {least} needed: evaluate both on the same topics",
                code="too-few",
            )


OF_TESTS = ("low", "high", "p_no_regression", "p_regression", "power")
"""Columns that only a test fills."""


def untested_rows(
    tables: Sequence[Scores], settings: Mapping[str, Any], worst: pd.DataFrame, verdict: Verdict
) -> pd.DataFrame:
    """One row a system and measure, as ``Gate.rows`` says, without what only a test says.

    Args:
        tables: of each measure, the baseline in the first column.
        settings: of the gate, with the reason why nothing is ``untested``.
        worst: from ``find_worst_topics``.
        verdict: where no topic loses too much, none has a score of one side alone, and some score is another one.
    """
    import pandas as pd

    first = worst_by_row(worst)
    rows = []
    for at, system in enumerate(tables[0].systems[1:], 1):
        for table in tables:
            shared = table.shared_scores(at, 0)
            complete, difference = shared.is_complete, shared.left_mean - shared.right_mean
            lost = first.get((system, table.measure))
            name, loss = ("", 0.0) if lost is None else (lost.topic, lost.loss)
            broken = lost_too_much(lost, settings["worst_topic"])
            # Where no topic loses and the means are equal, none gains either: there is nothing to test.
            same = shared.topics > 0 and complete and loss == 0 and bool(is_noise(np.array(difference), table.largest))
            untested = "the same score on every topic" if same else f"the mean is not tested: {settings['untested']}"
            reasons = [broken or untested, *explain_gaps(shared)]
            if empty := same and has_nothing_to_lose(table):
                reasons = [NOTHING_TO_LOSE]
            rows.append(
                {
                    "system": system,
                    "measure": table.measure,
                    "verdict": FAILED
                    if broken
                    else OPEN
                    if empty
                    else PASSED
                    if same
                    else verdict
                    if complete
                    else OPEN,
                    "mean": shared.left_mean,
                    "mean_baseline": shared.right_mean,
                    "difference": difference,
                    **dict.fromkeys(OF_TESTS[:2], np.nan),
                    "margin": settings["margin"][table.measure],
                    **dict.fromkeys(OF_TESTS[2:], np.nan),
                    "topics": shared.topics,
                    "missing": len(shared.only_right),
                    "missing_baseline": len(shared.only_left),
                    "worst_topic": name,
                    "worst_loss": loss,
                    "reason": "; ".join(reasons),
                }
            )
    return pd.DataFrame(rows)
