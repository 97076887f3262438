"""Public names of ``cranfield.holes``, from the modules that define them."""

from cranfield.holes.bootstrap import estimate_by_bootstrap as estimate_by_bootstrap
from cranfield.holes.estimation import Holes as Holes
from cranfield.holes.fitting import estimate_holes as estimate_holes
from cranfield.holes.result import HoleComparison as HoleComparison
from cranfield.holes.result import HoleJudgments as HoleJudgments
from cranfield.holes.result import HoleScores as HoleScores
