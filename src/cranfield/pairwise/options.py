"""Options that several analyses of pairwise verdicts share."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple, TypeAlias

from cranfield.declarations.option import Option

CoverageOption: TypeAlias = Annotated[float, Option("1 - coverage of intervals.", low=0, high=1, open=True)]
VerdictWeights: TypeAlias = Literal["pairs", "verdicts"]
WeightsOption: TypeAlias = Annotated[
    VerdictWeights,
    Option("Which has weight 1."),
]
IN_FILE_ORDER = "in this order"
"""The order of rows that nothing sorts."""
PairTies: TypeAlias = Literal["half", "drop", "davidson"]
PairTiesOption: TypeAlias = Annotated[PairTies, Option("How strengths count a tie.")]
PriorOption: TypeAlias = Annotated[
    float | None,
    Option(
        "Add A/2 wins and losses each; 1 is usual.",
        low=0,
        open=True,
        metavar="A",
    ),
]
StrongWeightOption: TypeAlias = Annotated[float, Option("Times that A>>B counts.", low=0, open=True, metavar="W")]
REPEATS = "Repeats that count; both: won in both orders."
OrdersOption: TypeAlias = Annotated[Literal["mean", "both"], Option(REPEATS)]
StrengthResamplesOption: TypeAlias = Annotated[int, Option("Flips of signs for ranks, or draws of topics.", low=1)]


class StrengthModel(NamedTuple):
    """The model by which strengths are fitted: the settings of ``estimate_strengths`` that change them."""

    ties: PairTies = "half"
    order: bool = False
    weights: VerdictWeights = "pairs"
    prior: float = 0.0
    strong_weight: float = 1.0
