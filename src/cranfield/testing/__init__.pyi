"""Public names of ``cranfield.testing``, from the modules that define them."""

from cranfield.measures.describe import example as example
from cranfield.testing.checks import check_measure as check_measure
from cranfield.testing.laws import LAWS as LAWS
from cranfield.testing.laws import Law as Law
from cranfield.testing.rankings import Case as Case
from cranfield.testing.rankings import Grade as Grade
from cranfield.testing.rankings import LabelledList as LabelledList
from cranfield.testing.rankings import intents_of as intents_of
from cranfield.testing.rankings import of_grades as of_grades
from cranfield.testing.rankings import score as score
from cranfield.testing.rankings import transpose as transpose
