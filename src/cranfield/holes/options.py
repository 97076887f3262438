"""The options with which labels of unjudged documents are modelled and drawn, each declared once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypedDict, Union

from cranfield._message import setting
from cranfield._validation import is_decimal
from cranfield.declarations.option import Option
from cranfield.errors import UsageError
from cranfield.pooling.reusability import TeamsOption

if TYPE_CHECKING:
    from cranfield.io.inputs import QrelsLike, RunsLike

ContributorsOption: TypeAlias = Annotated[
    Union[Sequence[str], "RunsLike", None],
    Option(
        "A run that made the pool, or a quoted pattern: runs of three teams or more besides those of evaluated runs "
        "that did not make it. Without it, the pool is not known.",
        metavar="RUN",
        recorded=False,
    ),
]
PredictedOption: TypeAlias = Annotated[
    Union[str, "QrelsLike", None],
    Option(
        "Labels of a language model: one more feature, never in place of labels; needed for every document that has or "
        "gets a label.",
        metavar="QRELS",
        recorded=False,
    ),
]
LearnFromOption: TypeAlias = Annotated[
    Union[str, "QrelsLike", None],
    Option(
        "Learn from the documents of these judgments alone: with residual runs, those of their round.",
        metavar="QRELS",
        recorded=False,
    ),
]
HoleOffsetOption: TypeAlias = Annotated[
    Union[str, "Sequence[float]", None],
    Option(
        "How much less relevant holes are than judged documents, by label, on the logit scale: an assumption; "
        "0 where the judged ones are a random sample.",
        default="-1.5,-0.5; 0 with contributors",
        metavar="NUMBER,...",
    ),
]
BudgetOption: TypeAlias = Annotated[int, Option("Documents to list; equal ones by topic and document.", low=1)]
DrawsOption: TypeAlias = Annotated[int, Option("Draws of labels.", low=200)]


class ModelOptions(TypedDict, total=False):
    """From what the labels of unjudged documents are learnt, alike in every function that models them."""

    contributors: ContributorsOption
    teams: TeamsOption
    predicted: PredictedOption
    learn_from: LearnFromOption
    hole_offset: HoleOffsetOption


def read_offsets(offsets: str | Sequence[float] | None) -> Sequence[float] | None:
    """Read what is added to the logit of each label: numbers, or a text of them with commas between.

    Raises:
        UsageError: the text holds something else.
    """
    if not isinstance(offsets, str):
        return offsets
    parts = [part.strip() for part in offsets.split(",")]
    if not all(map(is_decimal, parts)):
        raise UsageError(f"{setting('hole_offset', offsets)}: expected numbers with commas between, such as -1.5,-0.5")
    return tuple(map(float, parts))
