//! The formats of TREC: lines of runs and of judgments (qrels) to columns, and columns to lines.
//!
//! `run_lines` yields the rows of a run: positions of topic and document in the text, the score, and the rank, which is
//! written in the file and decides nothing unless it is asked for. Most runs repeat their layout from line to line, which
//! `line_template` makes use of. `run_columns` and `qrels` read a file as a whole and sort its rows by topic, in order of
//! first appearance. `run_view` is a run in memory; `run_writer` and `score_writer` write
//! runs and scores. A line that cannot be read is an error with its
//! number.

pub(crate) mod line_template;
pub(crate) mod qrels;
pub(crate) mod run_columns;
pub(crate) mod run_lines;
pub(crate) mod run_view;
pub(crate) mod run_writer;
pub(crate) mod score_writer;
