"""The code of every error that concerns a file, and what it means, as tables of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.findings.catalogue import TABLE

REFUSALS = {
    "missing-file": "There is no such file, or no file matches the pattern.",
    "ambiguous": "A pattern, or a part behind #, is the name of a file too.",
    "folder": "A folder was given instead of a file.",
    "other-kind": "A file of another kind was given, such as an archive, a Parquet file or a PDF.",
    "outside": "A protocol names a file outside its folder.",
    "unreadable": "The operating system cannot read the file.",
    "fault": "Reading the file failed in a way that is a fault of this package, or of a library that it uses.",
    "changed": "The file changed while it was read.",
    "truncated": "Compressed data end too early.",
    "trailing": "Bytes follow the end of compressed data.",
    "window": "Compressed data need a dictionary or window larger than allowed.",
    "memory": "There is not enough memory for the file.",
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
    "duplicate": "A document occurs twice in a topic, or a system, topic, measure or score in a file of scores.",
    "sampled": "Judgments of a sample, with inclusion probabilities that no measure uses.",
    "conflict": "Two lines contradict each other.",
    "equal-names": "Two runs would have the same name, or a run is given twice.",
    "no-tag": "A run has no tag, and systems are named by their tags.",
    "no-shared-topic": "The run has none of the judged topics.",
    "missing-topics": "Judged topics are missing from the run, and missing topics are refused.",
    "no-intents": "A measure needs intents, and the judgments have none.",
    "csv": "A line is not CSV.",
    "json": "The file is not JSON, or one of its objects has a key twice.",
    "empty-name": "The name of a system or a task is empty.",
    "missing-scores": "Scores are missing where all are needed.",
    "separated": "Systems fall into groups that were never compared, or one always won.",
    "verdict": "A verdict is none of those that its file has, or there is none.",
    "no-system": "The system of an answer, or of a run, is not known.",
    "same-system": "A verdict compares a system with itself.",
    "label-range": "A label is outside the scale that judges share.",
    "layout": "The file is well formed, but does not hold what is read from it.",
    "column": "A data frame or a file lacks a column, or two of its columns could be meant.",
    "part": "A file holds several runs, and none of them or one that is not there is named; or it has no parts.",
    "other-runs": "A part holds other runs than those of other parts.",
    "text": "Files of text, where columns are needed.",
    "several-systems": "A file or a data frame holds the runs of several systems.",
    "package": "A package that reading the file needs is not installed.",
    "sparse": "A few scores are spread over so many systems, topics and measures that the memory has no room.",
    "unsigned": "Scores to be compared with others do not say with which judgments and policies they were made.",
    "no-scores": "There is no score of a topic.",
    "contradiction": "A file says of a measure what another file, or the measure itself, does not.",
    "missing-score": "A score is missing, and the analysis needs it.",
    "too-few": "There are fewer topics, systems or scores than an analysis needs.",
    "unjudged": "A document of a sample has no label among the judgments.",
    "unknown": "A system, topic or measure was named that the data do not hold.",
    "other-scores": "Several score files hold different systems or topics.",
    "reserved": "A topic is called all, as the summary is, or a measure topic or system, as the axes of scores are.",
    "unfit-name": "A name holds what the format that is written cannot hold.",
    "factors": "Standardization factors are incomplete, or contradict the scores that they come from.",
    "disk": "There is no room for temporary files.",
    "unwritable": "A file, or standard output, cannot be written.",
    "unfinished": "A folder holds parts of scores that an earlier run left.",
    "twice": "What is said of the runs names a system twice.",
    "no-team": "A run is given that no team is named for.",
    "no-run": "A team is named for a run that is not given.",
    "one-team": "All runs are of one team, so that none can be left out.",
    "schema": "The files of a data set differ in their columns or the types of them.",
    "scattered": "The rows of a topic are not together in a file, and were said or taken to be.",
    "split": "A topic is in two files of a data set.",
    "unreachable": "A data set cannot be read where it is: a network, a permission, credentials.",
    "no-cluster": "A topic of the scores is in no cluster of topics.",
    "cluster": "A cluster does not answer, or has no worker.",
    "versions": "A worker has another version of this package, of Python or of a library.",
    "worker": "A worker was lost, or failed, while it scored a part.",
}
"""Code -> meaning. A finding that refuses a run has the same code."""


CODES = """
## Codes of errors

The attribute `code` of an error that concerns data is one of these.

"""


def markdown() -> str:
    """Every kind of finding, with its severity, meaning and remedy; then every code of an error."""
    kinds = ((f"`{code}`", kind.severity, kind.meaning, kind.remedy) for code, kind in TABLE.items())
    codes = ((f"`{code}`", meaning) for code, meaning in REFUSALS.items())
    return _table(("finding", "severity", "meaning", "what to do"), kinds) + CODES + _table(("code", "meaning"), codes)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)
