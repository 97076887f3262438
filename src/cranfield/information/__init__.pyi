"""Public names of ``cranfield.information``, from the modules that define them."""

from cranfield.information.experiment import Experiment as Experiment
from cranfield.information.experiment import prepare_experiment as prepare_experiment
from cranfield.information.judgment_sources import Evidence as Evidence
from cranfield.information.ric import compute_ric as compute_ric
from cranfield.information.tau import InformationTau as InformationTau
from cranfield.information.tau import InformationTauNull as InformationTauNull
from cranfield.information.tau import InformationTaus as InformationTaus
from cranfield.information.tau import compute_information_tau as compute_information_tau
from cranfield.information.tau import compute_information_taus as compute_information_taus
from cranfield.information.tau import estimate_information_tau_null as estimate_information_tau_null

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.information.difference import InformationDifference as InformationDifference
from cranfield.information.difference import compute_information_difference as compute_information_difference
from cranfield.information.joint import JointRIC as JointRIC
from cranfield.information.joint import compute_joint_ric as compute_joint_ric
from cranfield.information.judge_weights import JudgeWeights as JudgeWeights
from cranfield.information.judge_weights import weigh_judges as weigh_judges
from cranfield.information.order_pairs import InformationTauPairs as InformationTauPairs
from cranfield.information.order_pairs import compare_orders as compare_orders
from cranfield.information.ric import RICSummary as RICSummary
from cranfield.information.ric import summarize_ric as summarize_ric
from cranfield.information.system_selection import Selection as Selection
from cranfield.information.system_selection import select_systems as select_systems
