//! Comparisons of the lists of several runs, where NumPy would have to build arrays that are used only once.
//!
//! Runs come in as tables of ranks, [systems, documents], or as ids and scores with the start of each list. What comes out
//! are counts and orders of whole numbers: outcomes of pairs of documents over all systems and over every two, an order by
//! the majority of runs, the union of documents, equal scores near the top of a list; and sums of scores in ascending order of
//! their size. What the numbers mean is decided in Python.

pub(crate) mod ascending_sums;
pub(crate) mod document_union;
pub(crate) mod majority_order;
pub(crate) mod numbered_lists;
pub(crate) mod pair_outcomes;
pub(crate) mod pairwise_agreements;
pub(crate) mod row_leads;
pub(crate) mod tied_scores;
