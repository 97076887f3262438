//! Judgments and runs in flat columns, of frames and tables, whose rows come in batches and in any order.
//!
//! Ids are whole numbers or text. Judgments are collected as they come and become pools: the judged documents of each topic,
//! with a table to look ids up in. A list whose rows are adjacent is judged by `list_judge`; rows in any order wait in
//! `unordered_rows` until all have come. `row_groups` sorts rows by topic. What comes out are judged lists, with the same
//! numbers as from a file.

pub(crate) mod judged_lists;
pub(crate) mod judged_lookup;
pub(crate) mod list_judge;
pub(crate) mod pools;
pub(crate) mod row_groups;
pub(crate) mod topics;
pub(crate) mod unordered_rows;
