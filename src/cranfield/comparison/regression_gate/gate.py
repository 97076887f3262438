"""The gate of a change: ``gate`` and its result, and the gates of several groups of topics judged together.

A baseline may have been stored earlier; it is checked whether it may be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, quoted
from cranfield._typing import Floats
from cranfield._version import package_version
from cranfield.comparison.loss_margins import resolve_margins
from cranfield.comparison.outcome import Outcome, Procedure
from cranfield.comparison.pair_choice import find_columns
from cranfield.comparison.pairwise import test_pairs
from cranfield.comparison.regression_gate.junit import format_junit
from cranfield.comparison.regression_gate.statement import CannotTell, list_judged, make_gate_statement
from cranfield.comparison.regression_gate.stored_baseline import refuse_other_making, with_baseline
from cranfield.comparison.regression_gate.text import format_gate_markdown, format_gate_text
from cranfield.comparison.regression_gate.verdicts import (
    FAILED,
    OPEN,
    PASSED,
    GateTests,
    Judged,
    Verdict,
    build_rows,
    explain_gaps,
    find_topic_gains,
    find_worst_topics,
    judge,
    judged_at,
    lost_too_much,
    overall,
    worst_by_row,
)
from cranfield.declarations.analysis import FromScores, Groups, analysis
from cranfield.declarations.option import Option
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
from cranfield.io.skipped_runs import left_so_far
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.results.sheet import Sheet
from cranfield.results.statement import NamedFile
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.direction import Direction, choose_directions, find_direction, require_directions
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, open_measures
from cranfield.scores.signature import together
from cranfield.scores.topic_clusters import LEAST, MeanOver
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.rounding import NOISE, is_noise

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

FewTopics = Literal["refuse", "cannot tell"]


@dataclass(frozen=True)
class Basis:
    """What verdicts follow from, once their levels are known."""

    tables: Sequence[Scores]
    outcomes: Sequence[Outcome]
    worst: pd.DataFrame
    tests: GateTests


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """Whether new systems are worse than a baseline.

    Args:
        rows: a row a system and measure.
        worst_topics: of each system and measure the topics that lose most.
        verdict: of all: ``regression`` where one row is, ``no regression`` where all are none, else ``cannot tell``.
        settings: ``baseline``, ``margin`` of each measure, ``worst_topic``, ``alpha``, and ``stored``: whether the
            baseline's scores were stored earlier; ``directions``: which scores are taken as better, by measures that
            are not known; ``across_groups`` where the gates of groups were judged together;
            ``untested`` where no mean was tested: why.
        signature: all that changes these numbers.
        basis: scores and tests, for judging several gates together; None where no mean was tested.
        judged: names of the runs that were judged: all but those of the baseline.
        policies: option -> word, of estimates, whose signature does not name them; None where it does.
    """

    statuses: ClassVar[Mapping[int, str]] = {3: "a regression", 4: "too few topics to decide"}
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "rows": (
            Column("system"),
            Column("measure"),
            Column("verdict"),
            Column("mean", "over the topics that both have"),
            Column("mean_baseline"),
            Column("difference", "mean - mean_baseline"),
            Column(
                "low",
                "one-sided limit of the difference: where larger is better, it lies above -margin exactly where the "
                "test says no regression; NaN where the difference is the same on every topic, or on all but few of "
                "them and exact signs decide otherwise than t",
            ),
            Column("high", "the other limit, below -margin exactly where the test says regression"),
            Column("margin"),
            Column("p_no_regression", "corrected"),
            Column("p_regression", "corrected"),
            Column(
                "power",
                "probability that this number of topics shows that there is no regression if both systems were equal",
            ),
            Column("topics", "on which both have a score"),
            Column("clusters", "in how many, where topics are in clusters"),
            Column("missing", "topics on which the baseline alone has a score"),
            Column("missing_baseline", "topics on which the system alone has one"),
            Column("error_holes", "standard error that missing labels add, of estimates alone"),
            Column("worst_topic", "where it loses most"),
            Column("worst_loss", "what it loses there, 0 where none is lost"),
            Column("reason", "of the verdict"),
        ),
        "worst_topics": (
            Column("system"),
            Column("measure"),
            Column("topic"),
            Column("score"),
            Column("score_baseline"),
            Column("loss", "above 0"),
        ),
    }
    rows: pd.DataFrame
    worst_topics: pd.DataFrame
    verdict: Verdict
    settings: dict[str, Any]
    signature: dict[str, Any]
    basis: Basis | None = field(compare=False)
    judged: tuple[str, ...] = field(compare=False)
    policies: Mapping[str, str] | None = field(default=None, compare=False)

    @property
    def complete(self) -> bool:
        """Whether no topic has a score of one side alone; otherwise nothing about the other topics lets it pass."""
        return not self.rows[["missing", "missing_baseline"]].to_numpy().any()

    @property
    def caveats(self) -> tuple[str, ...]:
        """What estimates rest on; empty where nothing is estimated."""
        return tuple(self.settings.get("caveats", ()))

    def exit_status(self, *, cannot_tell: CannotTell | None = None, **shape: Any) -> int:
        """Tell a regression (3) and too few topics (4) from none (0).

        Args:
            cannot_tell: what too few topics count as: ``fail``, ``pass`` where no topic has a score of one side alone,
                or neither.
            shape: not used.
        """
        if self.verdict == PASSED or (self.verdict == OPEN and cannot_tell == "pass" and self.complete):
            return 0
        return 3 if self.verdict == FAILED or cannot_tell == "fail" else 4

    def own_text(
        self,
        format: str,
        table: str,
        *,
        plain: bool,
        cannot_tell: Annotated[
            CannotTell | None,
            Option("Exit with 3 (fail) or 0 (pass) where there are too few topics to decide.", default="exit with 4"),
        ] = None,
    ) -> str | None:
        """Write the verdict for people, as a comment on a change, or as the tests of a CI system."""
        left = left_so_far()
        remarks = [str(run.finding()) for run in left]
        match format:
            case "table":
                return format_gate_text(self, remarks, plain=plain)
            case "markdown":
                return format_gate_markdown(self, remarks)
            case "junit":
                return format_junit(self, cannot_tell, left)
        return None

    def sheet(
        self, table: str | None = None, format: str = "table", limit: int | None = None, *, pairs: str = ""
    ) -> Sheet:
        """One table with its words; in json each row has its ``worst_topics``."""
        sheet = super().sheet(table, format, limit, pairs=pairs)
        if format != "json" or table not in (None, "rows"):
            return sheet
        worst: dict[tuple[Any, Any], list[dict[str, Any]]] = {}
        for topic in Sheet.from_frame(self.worst_topics, "", {}).json_rows():
            worst.setdefault((topic.pop("system"), topic.pop("measure")), []).append(topic)
        named = zip(self.rows["system"], self.rows["measure"], strict=True)
        return replace(sheet, nested={"worst_topics": [worst.get(of_row, []) for of_row in named]})

    @classmethod
    def make_statement(
        cls,
        results: Mapping[str, Gate],
        signature: Mapping[str, Any],
        files: Sequence[NamedFile] = (),
        *,
        cannot_tell: CannotTell | None = None,
        **shape: Any,
    ) -> str:
        """Make the statement of the gates of groups of topics, or of one gate of all; see ``to_statement``.

        Args:
            results: group -> its gate; that of all topics has the empty name.
            signature: of all gates.
            files: inputs besides those that the signature names.
            cannot_tell: what a test with too few topics counts as.
            shape: not used.
        """
        first, *others = results.values()
        return make_gate_statement(
            {name: gate.rows for name, gate in results.items()},
            first.judged,
            {
                key: value
                for key, value in first.settings.items()
                if all(gate.settings.get(key) == value for gate in others)
            },
            signature,
            cannot_tell=cannot_tell,
            left_out=[run.name for run in left_so_far()],
            files=files,
            policies=first.policies,
        )

    @classmethod
    def corrected_together(cls, gates: Mapping[str, Gate]) -> dict[str, Gate]:
        """These gates with verdicts by Holm's method over all of them; see ``results.across``.

        Args:
            gates: group -> its gate, all with one alpha.
        """
        bases = {name: gate.basis for name, gate in gates.items() if gate.basis is not None}
        if not bases:
            return dict(gates)
        tests = [basis.tests for basis in bases.values()]
        alpha = float(next(iter(gates.values())).settings["alpha"])
        across = {
            "groups": len(tests),
            "systems": sum(gate.gain.shape[0] for gate in tests),
            "comparisons": sum(gate.gain.size for gate in tests),
        }
        judged = dict(zip(bases, judge_together(tests, alpha), strict=True))
        return {
            name: gate if gate.basis is None else gate._judged(gate.basis, judged[name], across)
            for name, gate in gates.items()
        }

    def _judged(self, basis: Basis, by: Judged, across: dict[str, int]) -> Gate:
        settings = self.settings | {"across_groups": across}
        rows = build_rows(basis.tables, settings, basis.outcomes, by, basis.worst)
        verdict = overall(rows["verdict"].tolist())
        signature = self.signature | {"settings": settings}
        return replace(self, rows=rows, verdict=verdict, settings=settings, signature=signature)

    def to_statement(self, cannot_tell: CannotTell | None = None) -> str:
        """The in-toto statement of the verdict, to be signed by another tool; the same inputs give the same bytes.

        Its subjects are the runs that were judged, or the files of their scores; its predicate is a test result
        (https://github.com/in-toto/attestation), with files, measures, policies, settings and the signature as it is.

        Args:
            cannot_tell: what a test with too few topics counts as: ``fail``, ``pass``, or, where None, an error.

        Raises:
            UsageError: the scores come from memory, so that there is no file to name; or another word.
        """
        return self.make_statement({"": self}, self.signature, cannot_tell=cannot_tell)


def _refuse_alone(systems: int, options: Mapping[str, Any]) -> None:
    """Refuse a call with nothing to compare."""
    if systems < 2 and options["against"] is None:
        raise UsageError("a gate needs a baseline: QRELS BASELINE NEW..., or QRELS NEW... --against FILE")


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
        every_topic="worst_topic",
        ungrouped="cranfield.comparison.regression_gate.gate:judge_ungrouped",
    ),
    examples=(
        "qrels.txt change.run --against main.json --margin 0.01",
        "qrels.txt main.run change.run -m nDCG@10 -m RR@10",
    ),
    guide="Test whether new runs are worse than a baseline (the first run) by more than a margin.\n\n"
    "Exits with 0 where no new run is a regression by any measure, with 3 where one is, and with 4 where there are too "
    "few topics to decide, or, with --unjudged estimate, too many unjudged documents. A topic that drops by more than "
    "--worst-topic is a regression, whatever the mean. With --topic-groups the worst verdict counts; a group with too "
    "few topics for a test cannot tell.",
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
      others show no regression.

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
    inputs = prepare(scores, baseline, against, margin, worst_topic, alpha, replicates, directions)
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
    inputs = prepare(scores, baseline, against, margin, worst_topic, alpha, replicates, directions)
    inputs.settings.update(inputs.tables[0].units.settings)
    return _untested(inputs, why, otherwise)


def judge_ungrouped(scores: ScoresLike, **options: Any) -> Gate:
    """Judge topics without a group, where others have one: only what single topics lose is.

    Args:
        scores: as in ``gate``.
        options: of ``gate``.
    """
    of_tests = ("few_topics", "topic_clusters", "mean_over", "topic_weights")
    single = {name: value for name, value in options.items() if name not in of_tests}
    return untested_gate(scores, "these topics have no group", "no regression", **single)


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
    known = _find_directions(opened, *directions)
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
    settings: dict[str, Any] = {
        "baseline": name,
        "margin": margins,
        "worst_topic": worst_topic,
        "alpha": alpha,
        "stored": against is not None,
    }
    if said := {measure: direction.sentence for measure, direction in known.items() if direction.sentence}:
        settings["directions"] = said
    return GateInputs(tables, settings, source)


def _find_directions(
    tables: Sequence[Scores], larger: str | Sequence[str], smaller: str | Sequence[str]
) -> dict[str, Direction]:
    """The direction of each measure, which a gate never guesses."""
    known = {
        table.measure: find_direction(table.measure, larger_is_better=table.larger_is_better, said=table.direction_said)
        for table in tables
    }
    return require_directions(choose_directions(known, larger, smaller), "a gate")


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


def _outcome(table: Scores, alpha: float) -> Outcome:
    """Every other system less the first."""
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


def judge_together(groups: Sequence[GateTests], alpha: float) -> list[Judged]:
    """As ``judge``, but the probability of any wrong verdict of a kind in any group is at most alpha.

    Holm's method over the systems of all groups for no regression, which every measure must show, and over their rows
    for regressions. Rejecting r of n hypotheses, it rejects exactly those whose p is below alpha / (n - r), or alpha
    where it rejects all: at this level the limits are, so that they agree with the verdicts.

    Args:
        groups: what is tested in each, [systems, measures].
        alpha: level of each kind of verdict, in (0, .5).

    Reference:
        Holm 1979, A simple sequentially rejective multiple test procedure. Scand. J. Statistics 6.
    """
    superior, inferior = zip(*(tests.p() for tests in groups), strict=True)
    select_systems = np.concatenate([p.max(axis=1) for p in superior])
    of_rows = np.concatenate([p.ravel() for p in inferior])
    levels = _last_level(select_systems, alpha), _last_level(of_rows, alpha)
    return [
        judged_at(tests, levels, (_adjusted_among(select_systems, passing), _adjusted_among(of_rows, failing)))
        for tests, passing, failing in zip(groups, superior, inferior, strict=True)
    ]


def _last_level(p: Floats, alpha: float) -> float:
    """Below which p is rejected."""
    return alpha / max(1, len(p) - int((adjust(p, "holm") < alpha).sum()))


def _adjusted_among(family: Floats, p: Floats) -> Floats:
    """The smallest alpha at whose last level p is rejected; of a member of the family that is Holm's adjusted p."""
    before = np.append(0.0, np.sort(adjust(family, "holm"))[:-1])
    left = np.arange(len(family), 0, -1)
    smallest: Floats = np.maximum(before, left * p[..., None]).min(axis=-1)
    return np.minimum(1.0, smallest)


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
            rows.append(
                {
                    "system": system,
                    "measure": table.measure,
                    "verdict": FAILED if broken else PASSED if same else verdict if complete else OPEN,
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
