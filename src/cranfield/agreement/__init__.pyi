"""Public names of ``cranfield.agreement``, from the modules that define them."""

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.agreement.judge_agreement import JudgeAgreement as JudgeAgreement
from cranfield.agreement.judge_agreement import compare_judges as compare_judges
from cranfield.agreement.label_agreement import LabelAgreement as LabelAgreement
from cranfield.agreement.label_agreement import compare_labels as compare_labels
from cranfield.agreement.label_combination import CombinedLabels as CombinedLabels
from cranfield.agreement.label_combination import combine_labels as combine_labels
from cranfield.agreement.leaderboard_agreement import LeaderboardAgreement as LeaderboardAgreement
from cranfield.agreement.leaderboard_agreement import compare_leaderboards as compare_leaderboards
from cranfield.agreement.panel import Panel as Panel
from cranfield.agreement.panel import estimate_panel as estimate_panel
from cranfield.agreement.prediction_powered import PoweredMeans as PoweredMeans
from cranfield.agreement.prediction_powered import estimate_powered_means as estimate_powered_means
from cranfield.agreement.ranking_agreement import Agreement as Agreement
from cranfield.agreement.ranking_agreement import compare_rankings as compare_rankings
