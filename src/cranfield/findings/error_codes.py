"""The code of every error that concerns a file, and what it means, as tables of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.findings.catalogue import TABLE

REFUSALS = {
    "missing-file": "No such file, or no file matches the pattern.",
    "ambiguous": "A pattern, or a part after #, is also the name of a file.",
    "folder": "A folder instead of a file.",
    "other-kind": "A file of another kind, such as an archive, a Parquet file or a PDF.",
    "outside-pool": "A run ranks documents that are outside the pool from which a sample was drawn.",
    "outside": "A protocol names a file outside its folder.",
    "unreadable": "The operating system cannot read the file.",
    "fault": "A fault of this package, or of a library, while the file was read.",
    "changed": "The file changed while it was read.",
    "truncated": "Compressed data end too early.",
    "trailing": "Bytes follow the end of compressed data.",
    "window": "Compressed data need a dictionary or window larger than allowed.",
    "memory": "Not enough memory for the file.",
    "damaged": "Compressed data cannot be decompressed.",
    "bomb": "Compressed data decompress to more than is allowed.",
    "utf16": "The file is UTF-16.",
    "utf32": "The file is UTF-32.",
    "utf8": "A line is not UTF-8.",
    "nul": "A line contains a NUL byte.",
    "empty": "The file has no rows.",
    "fields": "A line has more or fewer fields than its format requires.",
    "long": "An id has more than 4,096 bytes.",
    "id": "An id is not text, or is empty.",
    "score": "A score is not a finite number.",
    "label": "A label is not a finite number, or none of L0 to L9.",
    "probability": "The probability of an intent is not a number, or is negative.",
    "type": "The type of an intent is neither inf nor nav.",
    "overflow": "A number is too large for a double.",
    "rank": "A rank is not a whole number, and ranks decide the order.",
    "no-ranks": "A run has no ranks, and ranks decide the order.",
    "equal-ranks": "Two documents of a topic have the same rank, and ranks decide the order.",
    "duplicate": "A document occurs twice in a topic, or a system, topic, measure or score in a score file.",
    "sampled": "Judgments of a sample, with inclusion probabilities that no measure uses.",
    "conflict": "Two lines contradict each other.",
    "equal-names": "Two runs would have the same name, or a run is given twice.",
    "no-tag": "A run has no tag, and systems are named by their tags.",
    "no-shared-topic": "The run has none of the judged topics.",
    "missing-topics": "Judged topics are missing from the run.",
    "no-intents": "The judgments lack the intents that a measure needs.",
    "csv": "A line is not CSV.",
    "json": "The file is not JSON, or one of its objects has a key twice.",
    "empty-name": "The name of a system or a task is empty.",
    "missing-scores": "The table lacks scores, and the method needs all.",
    "separated": "Systems fall into groups that were never compared, or one always won.",
    "verdict": "A verdict is unknown in its format, or missing.",
    "no-system": "The system of an answer, or of a run, is unknown.",
    "same-system": "A verdict compares a system with itself.",
    "label-range": "A label is outside the scale that judges share.",
    "scale": "Scores of one table are on different scales, such as percent among fractions.",
    "layout": "The file is well formed, but lacks what is to be read.",
    "column": "A column is missing, or two columns could be meant.",
    "part": "A file holds several runs, and the name of one is missing or wrong; or it has no parts.",
    "other-runs": "Parts of a file hold different runs.",
    "text": "Text, where columns are needed.",
    "several-systems": "A file or a data frame holds several systems.",
    "package": "Reading the file needs a package that is not installed.",
    "sparse": "A few scores are spread over more systems, topics and measures than fit into memory.",
    "unsigned": "The judgments and policies behind scores to be compared are unknown.",
    "altered": "A file of scores was changed since it was written.",
    "no-direction": "Whether larger or smaller scores are better is unknown, and a verdict depends on it.",
    "no-scores": "No topic has a score.",
    "contradiction": "A file contradicts another file, or the measure itself, about a measure.",
    "no-weight": "A topic of the scores has no weight.",
    "not-a-weight": "The weight of a topic is negative, infinite or no number; or none is above 0.",
    "not-binary": "A test of yes/no scores has others.",
    "missing-score": "A score is missing, and the analysis needs it.",
    "too-few": "Fewer topics, systems or scores than an analysis needs.",
    "unjudged": "A document of a sample has no label among the judgments.",
    "unknown": "A system, topic or measure is not in the data.",
    "other-scores": "Several score files hold different systems or topics.",
    "reserved": "A topic is called all, or a measure topic or system; these names are reserved.",
    "unfit-name": "The format of the output cannot hold a name.",
    "factors": "Standardization factors are incomplete, or contradict the scores that they come from.",
    "disk": "No room for temporary files.",
    "unwritable": "A file, or standard output, cannot be written.",
    "unfinished": "A folder holds parts of scores that an earlier run left.",
    "twice": "The list of runs names a system twice.",
    "no-team": "A run has no team.",
    "one-team": "All runs are of one team, so none can be left out.",
    "schema": "The files of a data set differ in columns or types.",
    "scattered": "The rows of a topic are not together in a file, as was stated or assumed.",
    "stream": "A stream of rows breaks off, or cannot be read.",
    "systems": "The systems of one side of a comparison are not those of the other.",
    "split": "A topic is in two files of a data set.",
    "unreachable": "A data set cannot be read where it is: a network, a permission, credentials.",
    "no-cluster": "A topic of the scores is in no cluster of topics.",
    "dask": "A Dask cluster does not answer, or has no worker.",
    "versions": "A worker has another version of this package, of Python or of a library.",
    "worker": "A worker was lost, or failed, while it scored a part.",
}
"""Code -> meaning. A finding that refuses a run has the same code."""


CODES = "\n## Codes of errors\n\n"


def markdown() -> str:
    """Every kind of finding, with its severity, meaning and remedy; then every code of an error."""
    kinds = ((f"`{code}`", kind.severity, kind.meaning, kind.remedy) for code, kind in TABLE.items())
    codes = ((f"`{code}`", meaning) for code, meaning in REFUSALS.items())
    return _table(("finding", "severity", "meaning", "what to do"), kinds) + CODES + _table(("code", "meaning"), codes)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)
