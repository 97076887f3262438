"""A public test suite for software that evaluates rankings: cases with exact values, and what explains a wrong one."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Case": "cases",
        "Conformance": "runner",
        "ExactValues": "reference",
        "compute_values": "reference",
        "generate": "generator",
        "list_mistakes": "error_classes",
        "parse_case": "cases",
        "read_cases": "cases",
        "run": "runner",
        "compute_wrong_means": "reference",
        "write_suite": "generator",
    },
)
