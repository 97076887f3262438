"""Files: reading and writing runs and judgments, names of systems, and messages about files that are refused."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "read_intent_weights": "ntcir",
        "read_preferences": "preferences",
        "read_qrels": "trec",
        "read_run": "trec",
        "read_topics": "topic_files",
        "write": "trec",
    },
)
