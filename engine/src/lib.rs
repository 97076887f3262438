//! Bytes to arrays, and kernels over arrays, for the Python package cranfield.

mod checked;
mod columns;
mod comparison;
mod counting_sort;
mod error;
mod ids;
mod input;
#[cfg(any(test, fuzzing))]
pub mod invariants;
mod judging;
mod measures;
mod memory;
mod notice;
mod panics;
mod python;
mod ranking;
mod statistics;
mod text;
mod trec;
#[cfg(any(test, feature = "workloads"))]
pub mod workloads;
