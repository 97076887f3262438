"""Public names of ``cranfield.charts``, from the modules that define them."""

from cranfield.charts.form import Axis as Axis
from cranfield.charts.form import Box as Box
from cranfield.charts.form import Boxes as Boxes
from cranfield.charts.form import CurvePoint as CurvePoint
from cranfield.charts.form import Form as Form
from cranfield.charts.form import Lines as Lines
from cranfield.charts.form import Matrix as Matrix
from cranfield.charts.form import Rule as Rule
from cranfield.charts.form import StripMark as StripMark
from cranfield.charts.form import Strips as Strips
from cranfield.charts.information import chart_headroom as chart_headroom
from cranfield.charts.information import chart_taus as chart_taus
from cranfield.charts.information import describe_best_fusion as describe_best_fusion
from cranfield.charts.judges import chart_error_correlations as chart_error_correlations
from cranfield.charts.judges import chart_judge_agreement as chart_judge_agreement
from cranfield.charts.measures import chart_agreement as chart_agreement
from cranfield.charts.measures import chart_reliability as chart_reliability
from cranfield.charts.measures import chart_sensitivity as chart_sensitivity
from cranfield.charts.measures import chart_stability as chart_stability
from cranfield.charts.sentences import find_largest as find_largest
from cranfield.charts.sentences import find_smallest as find_smallest
from cranfield.charts.sentences import join_names as join_names
from cranfield.charts.sentences import name_pairs as name_pairs
from cranfield.charts.sentences import with_verb as with_verb
from cranfield.charts.topics import chart_difficulty as chart_difficulty
