"""What the authors of a measure test it with: ``check_measure``. It needs hypothesis, ``cranfield[testing]``.

The laws that measures claim, and the small rankings on which they are tried, are here too.
"""

from cranfield._optional import import_optional

import_optional("hypothesis")

from cranfield.measures._describe import example  # noqa: E402
from cranfield.testing.checks import check_measure  # noqa: E402
from cranfield.testing.laws import LAWS, Law  # noqa: E402
from cranfield.testing.rankings import Case, Grade, View, intents_of, of_grades, score, transpose  # noqa: E402

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
