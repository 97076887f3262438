"""Public names of ``cranfield.scores``, from the modules that define them."""

from cranfield.scores.files import read_scores as read_scores
from cranfield.scores.files import write_scores as write_scores
