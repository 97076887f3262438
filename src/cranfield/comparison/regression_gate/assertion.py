"""``assert_no_regression``: the gate inside a test."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Unpack, get_args

from cranfield._text import condensed, warn
from cranfield._validation import word
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.comparison.regression_gate.gate import gate
from cranfield.comparison.regression_gate.result import Gate
from cranfield.comparison.regression_gate.statement import CannotTell
from cranfield.comparison.regression_gate.text import format_gate_text
from cranfield.comparison.regression_gate.verdicts import FAILED, OPEN
from cranfield.errors import UsageError
from cranfield.evaluation import to_dataset
from cranfield.io.inputs import QrelsLike, RunLike, RunsLike
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.files import read_scores
from cranfield.scoring import MeasuresLike, score
from cranfield.scoring.unjudged_shares import describe_unjudged

if TYPE_CHECKING:
    import xarray as xr


def assert_no_regression(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = "nDCG@10",
    *,
    baseline: RunLike | None = None,
    against: str | os.PathLike[str] | ScoresLike | None = None,
    margin: float | Mapping[str, float] = 0.01,
    worst_topic: float | None = None,
    alpha: float = 0.05,
    cannot_tell: CannotTell = "fail",
    reading: InputOptions | None = None,
    **kwargs: Unpack[ReadingOptions],
) -> Gate:
    """Fail where a new run is worse than a baseline by more than a margin; see ``comparison.gate``.

    Warns where more than a fifth of the first documents of a run are unjudged. As not relevant ones, they make it seem
    worse than it is, unless most judgments are of relevant documents; left out, they make it seem better.

    Args:
        runs: the new ones, as in ``evaluate``.
        qrels: as in ``evaluate``.
        measures: as in ``evaluate``.
        baseline: a run, called ``baseline``.
        against: instead of it, scores of one system that an earlier ``evaluate`` gave, or a file of them.
        margin: the loss of a mean that is tolerated, above 0; one for all measures, or of each.
        worst_topic: the loss of a single topic that is tolerated; any where None.
        alpha: level of the tests.
        cannot_tell: whether topics that are too few to show the margin ``fail`` or ``pass``; a topic that has a score
            of one side alone never passes.
        reading: as in ``evaluate``.

    Returns:
        What was found, where nothing failed.

    Raises:
        AssertionError: a system is a regression, or may be one; the message is the table of the gate.
        UsageError: neither or both of ``baseline`` and ``against``, or as in ``gate``.
        InputError: as in ``evaluate`` and ``gate``.

    >>> import cranfield
    >>> qrels = {f"q{n}": {"d1": 1} for n in range(1, 21)}
    >>> new = {topic: {"d1": 2.0, "d2": 1.0} for topic in qrels}
    >>> old = {topic: {"d2": 2.0, "d1": 1.0 + n % 3} for n, topic in enumerate(qrels)}
    >>> cranfield.assert_no_regression(new, qrels, "RR", baseline=old).verdict
    'no regression'
    >>> try:
    ...     cranfield.assert_no_regression(old, qrels, "RR", baseline=new)
    ... except AssertionError:
    ...     print("a regression")
    a regression
    """
    __tracebackhide__ = operator.methodcaller("errisinstance", AssertionError)  # pytest shows the table alone
    word("cannot_tell", cannot_tell, get_args(CannotTell))
    if (baseline is None) == (against is None):
        raise UsageError("give what new runs are compared with: baseline=, a run, or against=, stored scores")
    reading = InputOptions.of(reading, kwargs)
    new = _evaluate(runs, qrels, measures, reading)
    if against is None:
        stored: ScoresLike = _evaluate({"baseline": baseline}, qrels, measures, reading)
    else:
        stored = read_scores(against) if isinstance(against, (str, os.PathLike)) else against
    result = gate(new, against=stored, margin=margin, worst_topic=worst_topic, alpha=alpha)
    if result.verdict == FAILED or (result.verdict == OPEN and (cannot_tell == "fail" or not result.complete)):
        raise AssertionError(format_gate_text(result, plain=True).rstrip("\n"))
    return result


def _evaluate(runs: RunsLike, qrels: QrelsLike, measures: MeasuresLike, reading: InputOptions) -> xr.Dataset:
    """Score runs as ``evaluate`` does, and warn where many of their first documents are unjudged."""
    table = score(runs, qrels, measures, reading=reading, keep_rankings=True)
    for line in (*condensed(table.remarks), *describe_unjudged(table, "cranfield.estimate_holes")):
        warn(line)
    return to_dataset(table)
