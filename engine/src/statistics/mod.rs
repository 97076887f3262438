//! Kernels of statistical tests: counts over resamples, subsets and permutations of topics, which Python draws.
//!
//! Scores come in as tables [systems, topics] or [topics, systems], with the indices that a random generator of NumPy drew;
//! what comes out are counts of how often a difference is as large, a mean decides otherwise, or a test is significant.
//! Each kernel has a twin in Python that gives the same bits.

pub(crate) mod exceedance_counts;
pub(crate) mod kth_largest;
pub(crate) mod separated_pairs;
pub(crate) mod sign_regression;
pub(crate) mod studentized_bootstrap;
pub(crate) mod swap_counts;
pub(crate) mod t_test_counts;
