//! From the text of a run to the ranks of its judged documents, without building the run.
//!
//! A run is read in pieces at once, each by a thread; the rows of a topic are its list. `list_builder` collects the rows of
//! a list, `topic_index` looks their documents up in the judgments, and once the topic ends `list_order` orders the list
//! under the tie policy (`ranking`), drops or refuses duplicates and ranks the judged documents, of which alone something
//! is left (`finished_list`). A list that is longer than a window is read in segments (`long_list`), and joined again. Where
//! a topic comes back later in a file, the file is read again, topic by topic (`interleaved`). `file` and `memory` do this
//! for a file and for a run in memory, and `result` puts the lists into the order of the judgments.

pub(crate) mod file;
pub(crate) mod finished_list;
pub(crate) mod interleaved;
pub(crate) mod list_builder;
pub(crate) mod list_order;
pub(crate) mod long_list;
pub(crate) mod long_list_join;
pub(crate) mod memory;
pub(crate) mod piece;
pub(crate) mod result;
pub(crate) mod topic_index;
