"""Public names of ``cranfield.trust``, from the modules that define them."""

# isort: split
# Written by ``make stub``: the declared analyses of this room, and their results.
from cranfield.trust.abstention import Abstention as Abstention
from cranfield.trust.abstention import estimate_abstention as estimate_abstention
from cranfield.trust.answering import Answering as Answering
from cranfield.trust.answering import count_answers as count_answers
from cranfield.trust.cluster_reliability import ClusterReliability as ClusterReliability
from cranfield.trust.cluster_reliability import estimate_cluster_reliability as estimate_cluster_reliability
from cranfield.trust.interval_scale import ScaleComparison as ScaleComparison
from cranfield.trust.interval_scale import compare_scales as compare_scales
from cranfield.trust.measure_audit import Audit as Audit
from cranfield.trust.measure_audit import audit as audit
from cranfield.trust.penalty import PenaltyChanges as PenaltyChanges
from cranfield.trust.penalty import find_penalty_changes as find_penalty_changes
from cranfield.trust.reliability import Reliability as Reliability
from cranfield.trust.reliability import estimate_reliability as estimate_reliability
from cranfield.trust.replicate_reliability import ReplicateReliability as ReplicateReliability
from cranfield.trust.replicate_reliability import estimate_replicate_reliability as estimate_replicate_reliability
from cranfield.trust.sensitivity import Sensitivity as Sensitivity
from cranfield.trust.sensitivity import estimate_sensitivity as estimate_sensitivity
from cranfield.trust.stability import Stability as Stability
from cranfield.trust.stability import estimate_stability as estimate_stability
from cranfield.trust.topic_selection import TopicSelection as TopicSelection
from cranfield.trust.topic_selection import select_topics as select_topics
