//! Ids of topics and documents: hashes, tables, duplicates, and columns of them.
//!
//! An id is text or a whole number. `column` has columns of either kind behind one trait, so that lookup and judging are
//! written once: text ids in Arrow's form, all bytes one behind the other and the offset at which each ends. `flat` makes
//! these of other forms, and `sort` puts rows in the order of their ids.
//! `hash` hashes ids with seeds that each process draws, so that no one file has ids that collide in every process.
//! `position_table` is the hash table of ids that stand elsewhere: it holds their positions, and asks whether two are
//! equal; `interner` numbers names by it. `duplicates` and `distinct_hashes` find ids that occur twice in a list, or show that none does.

pub(crate) mod column;
pub(crate) mod distinct_hashes;
pub(crate) mod duplicates;
pub(crate) mod flat;
pub(crate) mod hash;
pub(crate) mod hash_filter;
pub(crate) mod interner;
pub(crate) mod position_table;
pub(crate) mod sort;
