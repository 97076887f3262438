//! Bytes to arrays, and kernels over arrays, for the Python package cranfield.

mod apart;
mod bending;
mod code_sums;
mod columns;
mod curving;
mod deciding;
mod error;
mod fitting;
mod ids;
mod input;
#[cfg(any(test, fuzzing))]
pub mod invariants;
mod judging;
mod logistic;
mod measures;
mod memory;
mod panics;
mod python;
mod reaching;
mod runs;
mod selecting;
mod sign_codes;
mod significance;
mod studentizing;
mod text;
mod trec;
