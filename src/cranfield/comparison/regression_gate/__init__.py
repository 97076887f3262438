"""The gate of a change: is a new system worse than a baseline?"""

from cranfield.comparison.regression_gate.junit import join_junit
from cranfield.comparison.regression_gate.result import judge_together
from cranfield.comparison.regression_gate.text import describe_gate, format_gate_text
from cranfield.comparison.regression_gate.verdicts import FAILED, PASSED, GateTests, judge, overall, topics_needed
from cranfield.comparison.regression_gate.with_holes import HoleVariances

__all__ = [
    "FAILED",
    "PASSED",
    "GateTests",
    "HoleVariances",
    "describe_gate",
    "format_gate_text",
    "join_junit",
    "judge",
    "judge_together",
    "overall",
    "topics_needed",
]
