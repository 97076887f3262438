"""Public names of ``cranfield.comparison``, from the modules that define them."""

from cranfield.comparison.changed_instructions import compute_p_mrr as compute_p_mrr
from cranfield.comparison.diversity_plane import DiversityPlane as DiversityPlane
from cranfield.comparison.diversity_plane import map_diversity as map_diversity
from cranfield.comparison.preference import add_preferences as add_preferences
from cranfield.comparison.regression_gate.assertion import assert_no_regression as assert_no_regression
from cranfield.comparison.topic_set_size import TopicSetSize as TopicSetSize
from cranfield.comparison.topic_set_size import estimate_detectable_difference as estimate_detectable_difference
from cranfield.comparison.topic_set_size import estimate_topics_needed as estimate_topics_needed

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.comparison.dominance import DominanceVerdicts as DominanceVerdicts
from cranfield.comparison.dominance import compare_dominance as compare_dominance
from cranfield.comparison.dominance_shares import DominanceShares as DominanceShares
from cranfield.comparison.dominance_shares import compute_dominance_shares as compute_dominance_shares
from cranfield.comparison.mean_ranks import MeanRankComparison as MeanRankComparison
from cranfield.comparison.mean_ranks import compare_mean_ranks as compare_mean_ranks
from cranfield.comparison.means import MacroMeans as MacroMeans
from cranfield.comparison.means import Means as Means
from cranfield.comparison.means import average_collections as average_collections
from cranfield.comparison.means import estimate_means as estimate_means
from cranfield.comparison.pairwise import compare as compare
from cranfield.comparison.paper_table import MeasureComparison as MeasureComparison
from cranfield.comparison.paper_table import compare_measures as compare_measures
from cranfield.comparison.posterior import Posterior as Posterior
from cranfield.comparison.posterior import estimate_posterior as estimate_posterior
from cranfield.comparison.preference import ListPreferences as ListPreferences
from cranfield.comparison.preference import prefer as prefer
from cranfield.comparison.ranks import RankIntervals as RankIntervals
from cranfield.comparison.ranks import estimate_ranks as estimate_ranks
from cranfield.comparison.regression_gate.gate import gate as gate
from cranfield.comparison.regression_gate.result import Gate as Gate
from cranfield.comparison.reproduction import Reproduction as Reproduction
from cranfield.comparison.reproduction import compare_reproduction as compare_reproduction
from cranfield.comparison.result import Comparison as Comparison
from cranfield.comparison.risk import Risk as Risk
from cranfield.comparison.risk import estimate_risk as estimate_risk
from cranfield.comparison.run_difference import RunDifference as RunDifference
from cranfield.comparison.run_difference import diff as diff
from cranfield.comparison.study import TestStudy as TestStudy
from cranfield.comparison.study import study_tests as study_tests
from cranfield.comparison.team_ranks import TeamRanks as TeamRanks
from cranfield.comparison.team_ranks import estimate_team_ranks as estimate_team_ranks
