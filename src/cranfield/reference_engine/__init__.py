"""The engine's contract (``cranfield.contract``) in plain Python, written to be read.

It is the witness that the compiled engine is tested against: given any bytes, both accept them or refuse them at the
same line, and give the same arrays. It also makes the package work where nothing can be compiled.
"""

from cranfield.collection.union import unite_documents
from cranfield.reference_engine.columns import gather_pools, topic_edges
from cranfield.reference_engine.judging import index, judge_file, judge_run
from cranfield.reference_engine.listing import order_lists
from cranfield.reference_engine.qrels import read_qrels
from cranfield.reference_engine.runs import read_run
from cranfield.statistics.agreements import count_agreements
from cranfield.statistics.apart import count_apart
from cranfield.statistics.ascending import sum_ascending, sum_by_rank
from cranfield.statistics.decisions import count_decisions
from cranfield.statistics.leads import count_leads
from cranfield.statistics.majority import majority_order, order_by_votes
from cranfield.statistics.outcomes import count_outcomes
from cranfield.statistics.reaching import count_reached
from cranfield.statistics.sign_codes import pack_outcomes, unpack_outcomes
from cranfield.statistics.sign_fit import fit_signs
from cranfield.statistics.studentizing import largest_statistics
from cranfield.statistics.t_test_counts import count_paired_tests, count_welch_tests
from cranfield.statistics.top_scores import count_ties, top_rows

__all__ = [
    "NAME",
    "count_agreements",
    "count_apart",
    "count_decisions",
    "count_leads",
    "count_outcomes",
    "count_paired_tests",
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
    "sum_ascending",
    "sum_by_rank",
    "top_rows",
    "topic_edges",
    "unite_documents",
    "unpack_outcomes",
]

NAME = "reference"
