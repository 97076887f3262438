"""The gate of estimates under holes: what topics leave open and what unjudged documents leave open, added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield._typing import Floats
from cranfield.comparison.regression_gate.gate import prepare, test_tables
from cranfield.comparison.regression_gate.result import Gate
from cranfield.comparison.regression_gate.statement import list_judged
from cranfield.comparison.regression_gate.text import BECAUSE
from cranfield.comparison.regression_gate.verdicts import OPEN, GateTests, build_rows, overall
from cranfield.comparison.regression_gate.verdicts import judge as judge_tests
from cranfield.scores.dataset import ScoresLike
from cranfield.statistics.rounding import cleared


@dataclass(frozen=True, eq=False)
class HoleVariances:
    """Variances of the mean differences of new systems from the baseline, the baseline first, [measures, systems].

    Args:
        topics: over topics, the mean over draws of labels of what a t-test takes as the variance of one difference.
        holes: over draws of labels, of the mean difference.
        draws: of labels.
    """

    topics: Floats
    holes: Floats
    draws: int

    def judge(
        self,
        scores: ScoresLike,
        *,
        baseline: str,
        margin: float | Mapping[str, float],
        alpha: float,
        settings: Mapping[str, Any],
        signature: Mapping[str, Any],
        caveats: Sequence[str],
        policies: Mapping[str, str],
    ) -> Gate:
        """Judge estimated scores as ``gate`` does, with errors that hold what missing labels leave open.

        Each draw of labels is a completed data set. By Rubin's rules the variance of a difference is
        W / n + (1 + 1/m) B, with W the mean over the m draws of the variance over n topics, and B the variance of the
        mean difference over the draws; the degrees of freedom are Barnard and Rubin's.

        Args:
            scores: means over draws, dims (topic, system).
            baseline: the system that the others are compared with.
            margin: as in ``gate``.
            alpha: as in ``gate``.
            settings: of the estimates.
            signature: of the estimates.
            caveats: what they rest on.
            policies: option -> word, by which runs were read and evaluated.

        References:
            Rubin 1987, Multiple Imputation for Nonresponse in Surveys. doi:10.1002/9780470316696
            Barnard & Rubin 1999, Small-sample degrees of freedom with multiple imputation. doi:10.1093/biomet/86.4.948
        """
        inputs = prepare(scores, baseline, None, margin, None, alpha, "refuse")
        basis = test_tables(inputs.tables, list(inputs.settings["margin"].values()), alpha)
        topics = np.column_stack([outcome.topics for outcome in basis.outcomes]).astype(float)
        largest = np.array([table.largest for table in inputs.tables])
        of_topics, of_holes = (cleared(np.sqrt(part[:, 1:].T), largest) ** 2 for part in (self.topics, self.holes))
        within, between = of_topics / topics, (1.0 + 1.0 / self.draws) * of_holes
        tests = _add_holes(basis.tests, within, between, self.draws)
        outcomes = [
            replace(outcome, error=tests.error[:, at], df=tests.df[:, at], constant_p=tests.constant_p[:, at])
            for at, outcome in enumerate(basis.outcomes)
        ]
        judged = judge_tests(tests, alpha)
        rows = build_rows(basis.tables, inputs.settings, outcomes, judged, basis.worst)
        rows["error_holes"] = np.sqrt(between).ravel()
        alone = judge_tests(replace(basis.tests, error=np.sqrt(within)), alpha)
        rows["reason"] = [
            _name_reason(row, verdict)
            for row, verdict in zip(rows.to_dict("records"), alone.verdicts.ravel(), strict=True)
        ]
        own = {**inputs.settings, "holes": dict(settings), "caveats": list(caveats)}
        signed = {**signature, "settings": own}
        verdict, names = overall(rows["verdict"].tolist()), list_judged(inputs.tables[0])
        return Gate(rows, basis.worst, verdict, own, signed, None, names, policies)


def _add_holes(tests: GateTests, within: Floats, between: Floats, draws: int) -> GateTests:
    """Tests with the variance of holes added.

    Where a gain is the same on every topic, it has no spread to which that of holes could be added: without holes an
    exact test decides, and with them nothing does.
    """
    df = _degrees_of_freedom(within, between, tests.df, draws)
    flat = (within == 0) & (tests.gain != 0)
    error = np.where(flat, 0.0, np.sqrt(within + between))
    constant_p = np.where(between > 0, 1.0, tests.constant_p)
    topic_gains = np.where((between > 0) & ~flat, np.nan, tests.topic_gains)
    return replace(tests, error=error, df=df, constant_p=constant_p, topic_gains=topic_gains)


def _degrees_of_freedom(within: Floats, between: Floats, complete: Floats, draws: int) -> Floats:
    """Degrees of freedom of a difference, at most those of its topics."""
    total = within + between
    share = np.divide(between, total, out=np.zeros_like(total), where=total > 0)
    observed = (complete + 1.0) / (complete + 3.0) * complete * (1.0 - share)
    inverse = share**2 / (draws - 1.0) + np.divide(1.0, observed, out=np.full_like(total, np.inf), where=observed > 0)
    few: Floats = np.where(share > 0, 1.0 / inverse, complete)
    return np.maximum(few, 1.0)


def _name_reason(row: Mapping[Any, Any], without_holes: str) -> str:
    """The reason of a row; where its topics could tell without holes, these are the reason."""
    if row["verdict"] != OPEN or without_holes == OPEN:
        return str(row["reason"])
    error = f"their labels move the difference by {row['error_holes']:.4f} (standard error)"
    return f"{BECAUSE}: {error}; without that, {row['topics']} topics would say {without_holes}"
