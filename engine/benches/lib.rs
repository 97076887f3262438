//! Nothing: the benchmarks are in `engine.rs`.
