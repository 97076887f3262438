"""The result of a gate, its text and files, and the gates of several groups of topics judged together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from cranfield._typing import Floats
from cranfield.comparison.outcome import PairedOutcome
from cranfield.comparison.regression_gate.junit import format_junit
from cranfield.comparison.regression_gate.statement import CannotTell, make_gate_statement
from cranfield.comparison.regression_gate.text import (
    describe_gate,
    describe_reasons,
    describe_verdict,
    format_gate_markdown,
    format_gate_text,
)
from cranfield.comparison.regression_gate.verdicts import (
    FAILED,
    OPEN,
    PASSED,
    GateTests,
    GateVerdicts,
    Verdict,
    build_rows,
    judged_at,
    overall,
)
from cranfield.declarations.option import Option
from cranfield.io.skipped_runs import left_so_far
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.results.sheet import Sheet
from cranfield.results.statement import NamedFile
from cranfield.scores.measure_scores import Scores
from cranfield.statistics.multiple_testing import adjust

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Basis:
    """Scores and tests from which verdicts follow, once their levels are known."""

    tables: Sequence[Scores]
    outcomes: Sequence[PairedOutcome]
    worst: pd.DataFrame
    tests: GateTests


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Result):
    """Verdicts on whether new systems are worse than a baseline.

    Args:
        rows: a row a system and measure.
        worst_topics: of each system and measure the topics that lose most.
        verdict: of all: ``regression`` where one row is, ``no regression`` where all are none, else ``cannot tell``.
        settings: the options, with the ``margin`` of each measure, and ``stored``: whether the baseline's scores were
            stored earlier; ``directions``: which scores are taken as better, by measures that are not known;
            ``across_groups`` where the gates of groups were judged together;
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
        """Return whether every scored topic has scores of both sides; otherwise the gate cannot pass."""
        return not self.rows[["missing", "missing_baseline"]].to_numpy().any()

    def answer(self, table: str) -> str:
        """The verdict on all systems."""
        return describe_verdict(self) if table == "rows" else ""

    def caption(self, table: str) -> str:
        """The reasons of the verdict, what it rests on, and what was tested."""
        return "\n".join([*describe_reasons(self), describe_gate(self)]) if table == "rows" else ""

    @property
    def caveats(self) -> tuple[str, ...]:
        """The assumptions that estimates rest on; empty where nothing is estimated."""
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

    def _judged(self, basis: Basis, by: GateVerdicts, across: dict[str, int]) -> Gate:
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


def judge_together(groups: Sequence[GateTests], alpha: float) -> list[GateVerdicts]:
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
    of_systems = np.concatenate([p.max(axis=1) for p in superior])
    of_rows = np.concatenate([p.ravel() for p in inferior])
    levels = _last_level(of_systems, alpha), _last_level(of_rows, alpha)
    return [
        judged_at(tests, levels, (_adjusted_among(of_systems, passing), _adjusted_among(of_rows, failing)))
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
