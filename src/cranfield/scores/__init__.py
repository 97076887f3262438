"""Scores of systems on topics: kept, labelled, ordered, summarised, signed, read and written."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "read_scores": "files",
        "write_scores": "files",
    },
)
