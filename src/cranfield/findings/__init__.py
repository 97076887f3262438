"""Findings: every kind of oddity that data can have, declared once, and the findings of this kind in some data."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Finding": "finding",
        "Place": "location",
        "REFUSALS": "error_codes",
        "TABLE": "catalogue",
        "markdown": "error_codes",
    },
)
