"""Findings about files that other tools wrote."""

from __future__ import annotations

from cranfield._text import counted, quoted, shown
from cranfield.findings.kind import declared, others


@declared(
    "empty-lists",
    "note",
    meaning="Topics of the run, or of the judgments, without a document: they are read as topics that are absent.",
)
def _empty_lists(count: int, topic: str) -> str:
    return f"topic {quoted(topic)} has no document and is read as absent{others(count)}"


@declared(
    "tool-ties",
    "warning",
    meaning="Predictions of sentence-transformers with equal scores, which it orders by document id, ascending.",
    remedy="Evaluate with `--ties docid` to get its numbers.",
)
def _tool_ties(count: int) -> str:
    return (
        f"{counted(count, 'list')} {'have' if count > 1 else 'has'} equal scores, which sentence-transformers orders "
        "by document id, ascending: ties=docid gives its numbers"
    )


@declared(
    "metadata",
    "warning",
    meaning="The header of ir_metadata at the head of a run is not well formed; the scores do not depend on it.",
    remedy="Correct the YAML between the two markers.",
)
def _metadata(count: int, reason: str) -> str:
    return f"the header of ir_metadata is not well formed: {shown(reason)}"


@declared(
    "ranks-alone",
    "warning",
    meaning="A table of a run with ranks and no scores: the score of each document is minus its rank.",
    remedy="None needed if smaller ranks are better.",
)
def _ranks_alone(count: int) -> str:
    return f"there are ranks and no scores: the score of each of the {counted(count, 'document')} is minus its rank"


@declared(
    "ranks-as-scores",
    "warning",
    meaning="A column that was named as the scores holds ranks: the documents are read in the opposite order.",
    remedy="Leave the scores out (`--columns rank=COLUMN`): ranks are then read as ranks.",
)
def _ranks_as_scores(count: int, value: str) -> str:
    return (
        f"the column {quoted(value)} is named as the score, of which larger is better, and holds ranks; to read it as "
        f"ranks, name it as such: columns rank={shown(value)}, without a score"
    )


@declared(
    "no-labels",
    "warning",
    meaning="Judgments without a column of labels: every document that is listed has label 1.",
    remedy="None needed if all of them are relevant.",
)
def _no_labels(count: int) -> str:
    return f"the file has no labels: each of the {counted(count, 'document')} listed has label 1"
