"""Public names of ``cranfield.pairwise``, from the modules that define them."""

from cranfield.pairwise.conversion import convert_preferences as convert_preferences
from cranfield.pairwise.conversion import convert_scores as convert_scores
from cranfield.pairwise.files import read_verdicts as read_verdicts
from cranfield.pairwise.verdicts import PairVerdicts as PairVerdicts

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.pairwise.agreement import ScoreAgreement as ScoreAgreement
from cranfield.pairwise.agreement import VerdictAgreement as VerdictAgreement
from cranfield.pairwise.agreement import compare_verdicts as compare_verdicts
from cranfield.pairwise.agreement import compare_with_scores as compare_with_scores
from cranfield.pairwise.conversion import VerdictList as VerdictList
from cranfield.pairwise.conversion import list_verdicts as list_verdicts
from cranfield.pairwise.order_effect import OrderEffect as OrderEffect
from cranfield.pairwise.order_effect import measure_order_effect as measure_order_effect
from cranfield.pairwise.strengths import Strengths as Strengths
from cranfield.pairwise.strengths import estimate_strengths as estimate_strengths
from cranfield.pairwise.triads import Triads as Triads
from cranfield.pairwise.triads import count_triads as count_triads
from cranfield.pairwise.wins import WinMatrix as WinMatrix
from cranfield.pairwise.wins import count_wins as count_wins
