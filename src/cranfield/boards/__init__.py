"""Boards: systems by tasks. One value for each system from its scores on several tasks, and the ranks it may have."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Board": "ranking",
        "board": "ranking",
        "read_board": "table",
    },
)
