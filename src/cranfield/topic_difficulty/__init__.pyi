"""Public names of ``cranfield.topic_difficulty``, from the modules that define them."""

from cranfield.topic_difficulty.earlier_estimates import DifficultyAlternatives as DifficultyAlternatives
from cranfield.topic_difficulty.earlier_estimates import estimate_difficulty_otherwise as estimate_difficulty_otherwise
from cranfield.topic_difficulty.estimation import compute_difficulty as compute_difficulty
from cranfield.topic_difficulty.prediction_error import PredictionErrors as PredictionErrors
from cranfield.topic_difficulty.prediction_error import compute_prediction_errors as compute_prediction_errors
from cranfield.topic_difficulty.weighting import weigh_by_difficulty as weigh_by_difficulty

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.topic_difficulty.estimation import Difficulty as Difficulty
from cranfield.topic_difficulty.estimation import estimate_difficulty as estimate_difficulty
