"""The options of a page, of runs or of scores, each declared once."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypedDict, Union

from cranfield._signatures import Default
from cranfield.collection.reading import ReadingOptions
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.shared import LargerIsBetterSaid, SeedOption, SmallerIsBetterSaid, TopicTextsOption
from cranfield.scores.missing_scores import MissingScores

if TYPE_CHECKING:
    from cranfield._typing import PathLike
    from cranfield.holes.result import HoleScores
    from cranfield.io.inputs import QrelsLike
    from cranfield.reporting.entries import EntriesLike
    from cranfield.scores.topic_groups import GroupsLike
    from cranfield.standardization.factors import StandardizationFactors

ALWAYS = "leaderboard"
"""The section that every page has."""


@functools.cache
def section_ids() -> tuple[str, ...]:
    """The ids of the sections of a page, by name: a section is a file of ``sections``; none is imported for that."""
    return tuple(sorted(module.name for module in iter_modules([str(Path(__file__).with_name("sections"))])))


TitleOption: TypeAlias = Annotated[str | None, Option("Title.", default="the name of QRELS")]
ComparedOption: TypeAlias = Annotated[
    str | Sequence[str], Option("Compare every system with this one.", metavar="NAME")
]
FactorsOption: TypeAlias = Annotated[
    "PathLike | StandardizationFactors | None",
    Option(
        "Standardize scores by the factors that `cranfield standardize --fit` wrote.",
        metavar="FILE",
    ),
]
OtherJudgesOption: TypeAlias = Annotated[
    Union[Sequence[str], "QrelsLike", "Sequence[QrelsLike]"],
    Option("Judgments of these topics by another judge.", flags=("--judge",), metavar="QRELS"),
]
EntriesOption: TypeAlias = Annotated[
    "EntriesLike",
    Option(
        "Team, type and description of each run: a TSV or CSV file with these columns and system, such as TREC's "
        "leaderboards.",
        flags=("--runs",),
        metavar="FILE",
    ),
]
TopicGroupsOption: TypeAlias = Annotated[
    "GroupsLike | None",
    Option(
        "Add a leaderboard for each group of topics: lines `topic group`, or a column of a tsv or csv file with a "
        "header, FILE#COLUMN; from Python also topic -> group, or a Series.",
        metavar="FILE",
    ),
]
TrackOption: TypeAlias = Annotated[str, Option("Shared task or series, shown below the title.")]
DateOption: TypeAlias = Annotated[str, Option("Date of the evaluation, printed verbatim.")]
FooterOption: TypeAlias = Annotated[str, Option("Last line, such as a contact and a licence.")]
ParticipantOption: TypeAlias = Annotated[
    str | None,
    Option(
        "In place of the page, make the sheet of one team of {entries}, which names no run of other teams.",
        metavar="TEAM",
    ),
]
SectionsOption: TypeAlias = Annotated[
    str | Sequence[str],
    Option(
        f"Show only these sections besides the {ALWAYS}, separated by commas: "
        f"{', '.join(name for name in section_ids() if name != ALWAYS)}.",
        metavar="LIST",
    ),
]
PublicOption: TypeAlias = Annotated[
    bool,
    Option(
        "Leave out what only organisers need: systems compared by their documents, most of Measures, checks, the "
        "command, and the folders of files."
    ),
]
HolesOfRuns: TypeAlias = Annotated["HoleScores | None", Default(None)]  # not an option: the command makes its own
ShownScoresMissing: TypeAlias = Annotated[
    MissingScores | None,
    Option(
        "What to do where systems lack scores by the measures that are shown; see ``read_scores``.",
        shell=False,  # it belongs to the scores of a call, with --scores
    ),
]


class PageOptions(TypedDict, total=False):
    """Options of every page, of runs or of scores: its functions, its command and its request have them from here."""

    title: Annotated[TitleOption, Default(None)]
    baseline: Annotated[ComparedOption, Default(())]
    factors: Annotated[FactorsOption, Default(None)]
    entries: Annotated[EntriesOption, Default(None)]
    topics: Annotated[TopicTextsOption, Default(None)]
    topic_groups: Annotated[TopicGroupsOption, Default(None)]
    track: Annotated[TrackOption, Default("")]
    date: Annotated[DateOption, Default("")]
    footer: Annotated[FooterOption, Default("")]
    participant: Annotated[ParticipantOption, Default(None)]
    sections: Annotated[SectionsOption, Default(())]
    public: Annotated[PublicOption, Default(False)]
    seed: Annotated[SeedOption, Default(1)]


class RunsPageOptions(PageOptions, total=False):
    """Options of a page of runs."""

    judges: Annotated[OtherJudgesOption, Default(())]
    holes: HolesOfRuns


class RunsPageAndReadingOptions(RunsPageOptions, ReadingOptions, total=False):
    """Options of a page of runs, with those by which the runs are read, word by word."""


class ScoresPageOptions(PageOptions, total=False):
    """Options of a page of scores."""

    missing_scores: Annotated[ShownScoresMissing, Default(None)]
    larger_is_better: Annotated[LargerIsBetterSaid, Default(())]
    smaller_is_better: Annotated[SmallerIsBetterSaid, Default(())]


TEAM_NEEDS_ENTRIES = Rule(
    {"participant": GIVEN, "entries": None}, "{participant} needs {entries}: a list of the runs' teams"
)
"""The sheet of a team shows the runs that a list says are its own."""
