"""Runs x qrels x measures -> scores, in plain arrays.

Nothing heavy is imported here, so that the command line starts at once; ``evaluation`` wraps the arrays in xarray.
"""

from cranfield.measures import MeasuresLike
from cranfield.scoring.evaluation import Evaluation
from cranfield.scoring.loop import DEFAULT, Progress, check_intents, read_measures, score

__all__ = ["DEFAULT", "Evaluation", "MeasuresLike", "Progress", "check_intents", "read_measures", "score"]
