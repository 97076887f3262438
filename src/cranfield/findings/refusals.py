"""Why data are refused: the code of every error that concerns a file, and what it means."""

from __future__ import annotations

REFUSALS = {
    "missing-file": "There is no such file, or no file fits the pattern.",
    "folder": "A folder was named in the place of a file.",
    "several-files": "A zip or tar archive was named in the place of a file.",
    "unreadable": "The system cannot read the file.",
    "changed": "The file changed while it was read.",
    "truncated": "Packed data end too early.",
    "damaged": "Packed data cannot be unpacked.",
    "bomb": "Packed data unpack to more than is allowed.",
    "utf16": "The file is UTF-16.",
    "utf8": "A line is not UTF-8.",
    "nul": "A line holds a NUL byte.",
    "empty": "The file holds no rows.",
    "fields": "A line has more or fewer fields than its format wants.",
    "long": "An id has more than 4,096 bytes.",
    "id": "An id is no text, or empty.",
    "score": "A score is no finite number.",
    "label": "A label is no finite number, or none of L0 to L9.",
    "probability": "A probability of an intent is no number, or negative.",
    "type": "The type of an intent is neither inf nor nav.",
    "overflow": "A number is too large for a double.",
    "rank": "A rank is no whole number, and ranks decide the order.",
    "no-ranks": "A run has no ranks, and ranks decide the order.",
    "equal-ranks": "Two documents of a topic have one rank, and ranks decide the order.",
    "duplicate": "A document occurs twice in a topic.",
    "conflict": "Two lines contradict each other.",
    "equal-names": "Two runs would have one name, or a run is given twice.",
    "no-tag": "A run has no tag, and systems are named by tags.",
    "no-shared-topic": "The run holds none of the judged topics.",
    "missing-topics": "Judged topics are missing from the run, and that is refused.",
    "no-intents": "A measure needs intents, and the judgments name none.",
}
"""Code -> meaning. A finding that refuses a run has the same code."""
