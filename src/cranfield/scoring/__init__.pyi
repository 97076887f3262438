"""Public names of ``cranfield.scoring``, from the modules that define them."""

from cranfield._typing import Progress as Progress
from cranfield.measures.parse import MeasuresLike as MeasuresLike
from cranfield.scoring.evaluation import Evaluation as Evaluation
from cranfield.scoring.loop import DEFAULT as DEFAULT
from cranfield.scoring.loop import check_intents as check_intents
from cranfield.scoring.loop import read_measures as read_measures
from cranfield.scoring.loop import score as score
