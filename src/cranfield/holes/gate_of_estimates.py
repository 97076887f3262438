"""The gate of runs whose unjudged documents are modelled: ``gate_estimates``, ``gate`` under holes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Unpack

from cranfield._message import setting
from cranfield._typing import Progress
from cranfield.collection.reading import InputOptions
from cranfield.comparison.regression_gate.result import Gate
from cranfield.declarations.analysis import FromRuns, Groups, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.shared import AlphaOption, MarginsOption, SeedOption
from cranfield.errors import UsageError
from cranfield.holes.draws import BLOCK
from cranfield.holes.fitting import estimate_holes
from cranfield.holes.options import (
    DrawsOption,
    ModelOptions,
)
from cranfield.holes.scoring import find_depth
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import MeasuresLike


def _refuse_alone(systems: int, _: Mapping[str, Any]) -> None:
    """Refuse a call with nothing to compare."""
    if systems < 2:
        raise UsageError("a gate under holes needs a baseline and a new run: QRELS BASELINE NEW...")


@analysis(
    "gate",
    "",
    FromRuns(("nDCG@10",), progress="drawing labels", beside_scores=True),
    given=("unjudged=estimate",),
    groups=Groups(refused="labels of unjudged documents are learnt from all topics"),
    steps=lambda options: -(-options["draws"] // BLOCK),
    formats=("markdown", "junit"),
    check_systems=_refuse_alone,
)
def gate_estimates(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = ("nDCG@10",),
    *,
    baseline: Annotated[str | None, Option("The baseline.", metavar="NAME", default="the first run")] = None,
    margin: MarginsOption = 0.01,
    alpha: AlphaOption = 0.05,
    draws: DrawsOption = 1000,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **model: Unpack[ModelOptions],
) -> Gate:
    """Test whether new runs are worse than a baseline if every document in their first ranks were judged.

    Labels of unjudged documents are drawn from a model of who retrieved them, see ``estimate_holes``; what they leave
    open is added to what topics leave open, see ``Holes.gate``.

    Args:
        runs: two or more.
        qrels: judgments with holes.
        measures: whose kernels need only labels.
        reading: how files are read.
        progress: called with the blocks of draws that are done, and their number.

    Raises:
        InputError: fewer than two runs or topics, or as in ``estimate_holes``.
        UsageError: an unknown run, or as in ``estimate_holes``.
    """
    reading = reading or InputOptions()
    if reading.intent_weights is not None:
        raise UsageError(f"{setting('intent_weights')} does not go with unjudged documents that are estimated")
    holes = estimate_holes(
        runs,
        qrels,
        depth=find_depth(measures, reading.rel),
        reading=reading,
        **model,
    )
    return holes.gate(
        baseline or holes.systems[0],
        measures,
        margin=margin,
        alpha=alpha,
        draws=draws,
        seed=seed,
        progress=progress,
    )
