"""What every analysis returns: the contract of results, and how they are shown and written."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "ByGroup": "by_group",
        "Grid": "table_text",
        "NamedFile": "statement",
        "Result": "result",
        "Sheet": "sheet",
        "melted": "frames",
        "same": "result",
        "tidy": "frames",
    },
)
