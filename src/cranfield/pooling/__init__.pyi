"""Public names of ``cranfield.pooling``, from the modules that define them."""

from cranfield.pooling.reusability import read_teams as read_teams

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.pooling.budget import Budget as Budget
from cranfield.pooling.budget import estimate_budget as estimate_budget
from cranfield.pooling.pools import JudgingList as JudgingList
from cranfield.pooling.pools import list_documents as list_documents
from cranfield.pooling.powered_scores import PoweredScores as PoweredScores
from cranfield.pooling.powered_scores import estimate_powered_scores as estimate_powered_scores
from cranfield.pooling.reusability import Reusability as Reusability
from cranfield.pooling.reusability import estimate_reusability as estimate_reusability
from cranfield.pooling.sampling import PoolSample as PoolSample
from cranfield.pooling.sampling import SampledScores as SampledScores
from cranfield.pooling.sampling import estimate_sampling_error as estimate_sampling_error
from cranfield.pooling.sampling import sample_pool as sample_pool
