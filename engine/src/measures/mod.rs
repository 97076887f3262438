//! Kernels of measures: sums, products and scans over the ranked documents of many lists at once.
//!
//! Lists lie one behind the other in flat arrays, and `starts` says where each begins. Every kernel has a twin in Python,
//! over NumPy, and takes the same steps in the same order, so that every bit is the same. What a measure is, its formula and
//! its name, is in Python; here are the loops that would otherwise need an array for every step.

pub(crate) mod exact_sums;
pub(crate) mod label_levels;
pub(crate) mod rank_sums;
pub(crate) mod row_selection;
pub(crate) mod running_pairs;
pub(crate) mod segments;
pub(crate) mod user_models;
