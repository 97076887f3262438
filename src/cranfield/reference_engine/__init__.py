"""The engine's contract (``cranfield.engine.protocol``) in plain Python, written to be read.

It is the witness that the compiled engine is tested against: given any bytes, both accept them or refuse them at the
same line, and give the same arrays. It also makes the package work where nothing can be compiled.
"""

from cranfield.reference_engine.columns import gather_pools, topic_edges
from cranfield.reference_engine.judging import index, judge_file, judge_run, order_lists, read_run, unite_documents
from cranfield.reference_engine.text import read_qrels
from cranfield.statistics.error_rates import count_decisions
from cranfield.statistics.kernels.logistic import fit_signs
from cranfield.statistics.kernels.majority_order import majority_order, order_by_votes
from cranfield.statistics.kernels.pair_counts import (
    count_agreements,
    count_leads,
    count_outcomes,
    count_ties,
    sum_by_rank,
)
from cranfield.statistics.kernels.resampling import (
    count_apart,
    count_reached,
    count_welch_tests,
    largest_statistics,
)
from cranfield.statistics.kernels.sign_codes import pack_outcomes

__all__ = [
    "NAME",
    "count_agreements",
    "count_apart",
    "count_decisions",
    "count_leads",
    "count_outcomes",
    "count_reached",
    "count_ties",
    "count_welch_tests",
    "fit_signs",
    "gather_pools",
    "index",
    "judge_file",
    "judge_run",
    "largest_statistics",
    "majority_order",
    "order_by_votes",
    "order_lists",
    "pack_outcomes",
    "read_qrels",
    "read_run",
    "sum_by_rank",
    "topic_edges",
    "unite_documents",
]

NAME = "reference"
