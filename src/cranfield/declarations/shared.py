"""The options that many analyses share, each declared once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from cranfield.declarations.inputs import DIRECTIONS
from cranfield.declarations.option import Option
from cranfield.scores.missing_scores import MissingScores
from cranfield.scores.topic_clusters import MeanOver
from cranfield.statistics.test_names import AllPairsTest

if TYPE_CHECKING:
    from cranfield.io.document_texts import DocumentTextsLike
    from cranfield.io.topic_files import TopicsLike
    from cranfield.scores.topic_groups import GroupsLike

TopicSample = Literal["fixed", "sampled"]
TopicSampleOption: TypeAlias = Annotated[
    TopicSample, Option("Intervals for these topics, or for others like them, too, which are wider.")
]
SeedOption: TypeAlias = Annotated[int, Option("Random seed; same seed, same bits.", low=0)]
AlphaOption: TypeAlias = Annotated[float, Option("Significance level.", low=0, high=1, open=True, heading="Test")]
LevelOption: TypeAlias = Annotated[float, Option("Coverage of the intervals.", low=0, high=1, open=True)]
BaselineOption: TypeAlias = Annotated[
    str | Sequence[str],
    Option("Compare with this system, not all pairs.", metavar="NAME"),
]
MissingScoresOption: TypeAlias = Annotated[
    MissingScores | None,
    Option(
        "What to do where a system has no score on a topic: leave out such topics, or such systems, or refuse.",
        default="compare pairs on the topics that both have; refuse where all scores are needed",
        shell=False,  # it belongs to the scores of a call, with --scores
        recorded=False,
    ),
]
TopicClustersOption: TypeAlias = Annotated[
    "GroupsLike | None",
    Option(
        "Topics that are not independent, such as turns of a conversation or queries of a task: lines `topic cluster`, "
        "or FILE#COLUMN; from Python also a mapping or a Series. Clusters, not topics, are counted; 5 or more.",
        metavar="FILE",
        recorded=False,
    ),
]
LargerIsBetterOption: TypeAlias = Annotated[
    str | Sequence[str],
    Option(DIRECTIONS["larger_is_better"], metavar="NAME", recorded=False),
]
LargerIsBetterSaid: TypeAlias = Annotated[
    str | Sequence[str], Option("Measures of which larger values are better.", shell=False, recorded=False)
]
SmallerIsBetterSaid: TypeAlias = Annotated[
    str | Sequence[str], Option("Measures of which smaller values are better.", shell=False, recorded=False)
]
SmallerIsBetterOption: TypeAlias = Annotated[
    str | Sequence[str],
    Option(DIRECTIONS["smaller_is_better"], metavar="NAME", recorded=False),
]
MarginsOption: TypeAlias = Annotated[
    float | Mapping[str, float],
    Option(
        "Largest acceptable drop in a mean, in units of the measure; for all measures, or one each.",
        low=0,
        open=True,
        metavar="[MEASURE=]LOSS",
        heading="Test",
    ),
]
TopicWeightsOption: TypeAlias = Annotated[
    "GroupsLike | None",
    Option(
        "Weights of topics, such as how often a query is asked: lines `topic weight`, or FILE#COLUMN, or the word "
        "difficulty: 1 minus the mean score of these systems; from Python also a mapping or a Series. Means, tests and "
        "intervals are weighted.",
        metavar="FILE",
        recorded=False,
    ),
]
ReplicatesOption: TypeAlias = Annotated[
    "GroupsLike | None",
    Option(
        "Several runs of each system, such as seeds: lines `run system`, or FILE#COLUMN; from Python also a mapping or "
        "a Series. Systems are compared by the means of their runs; differences between runs of one system count as "
        "chance.",
        metavar="FILE",
        recorded=False,
    ),
]
MeanOverOption: TypeAlias = Annotated[
    MeanOver, Option("With {topic_clusters}: each topic, or each cluster, weighs the same.", recorded=False)
]
ReferenceOption: TypeAlias = Annotated[
    str | None, Option("What the others are compared with.", metavar="NAME", default="the first")
]
JudgeLevelsOption: TypeAlias = Annotated[
    float | Mapping[str, float],
    Option(
        "Smallest relevant label, or that of one judge; 1 for those left out.", flags=("-l",), metavar="[NAME=]LABEL"
    ),
]
CommonOption: TypeAlias = Annotated[bool, Option("Keep only documents that all judges judged.")]
SameModelOption: TypeAlias = Annotated[
    Mapping[str, str | Sequence[str]] | None,
    Option(
        "A system that uses this judge's model: also give tau_b without it.",
        metavar="JUDGE=SYSTEM",
    ),
]
TestOfPairsOption: TypeAlias = Annotated[AllPairsTest, Option("Test of differences.", metavar="TEST", heading="Test")]
BootstrapOption: TypeAlias = Annotated[
    int, Option("How often topics are resampled, and their signs flipped.", low=1, shell=False)
]
DocumentTextsOption: TypeAlias = Annotated[
    "DocumentTextsLike | None",
    Option(
        "Texts of the documents, to be shown: a table of ids and texts, JSON lines (BEIR's corpus), TREC's SGML, or "
        "irds:ID; from Python also a mapping or a data frame.",
        metavar="FILE",
        recorded=False,
    ),
]
TopicTextsOption: TypeAlias = Annotated[
    "TopicsLike | None",
    Option(
        "Texts of the topics: TREC topics (SGML, XML), a table of ids and texts, JSON, or irds:ID; from Python also a "
        "mapping or a data frame.",
        metavar="FILE",
        recorded=False,
    ),
]
