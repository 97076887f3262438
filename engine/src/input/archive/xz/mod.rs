//! The container of xz: streams of blocks, an index, and checks, around the LZMA2 decompressor of liblzma.
//!
//! Blocks whose sizes stand in their headers are decompressed by several threads (`parallel`), which liblzma's own parallel
//! decoder does only for a text that is asked for as a whole, and without a bound on the memory of blocks that wait.
//! `stream` goes through the blocks in their order, `block` reads their headers and bounds the dictionary, `index` compares
//! the sizes that the end of a stream declares with those of its blocks, and `check` has CRC32, CRC64 and SHA-256.

pub(crate) mod block;
pub(crate) mod check;
pub(crate) mod index;
pub(crate) mod parallel;
pub(crate) mod stream;
