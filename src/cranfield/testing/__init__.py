"""What the authors of a measure test it with: ``check_measure``. It needs hypothesis, ``cranfield[testing]``.

The laws that measures claim, and the small rankings on which they are tried, are here too.
"""

from cranfield.measures._describe import example
from cranfield.testing.checks import check_measure
from cranfield.testing.laws import LAWS, Law
from cranfield.testing.rankings import Case, Grade, View, intents_of, of_grades, score, transpose

__all__ = [
    "LAWS",
    "Case",
    "Grade",
    "Law",
    "View",
    "check_measure",
    "example",
    "intents_of",
    "of_grades",
    "score",
    "transpose",
]
