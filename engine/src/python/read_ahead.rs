//! Has the engine begin to read before Python waits for it.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::input::source::Source;
use crate::judging::read_ahead::{self, QrelsRequest, RunRequests};
use crate::python::arguments::{judge_options, parse_layout};

/// Begin to read judgments and runs, all in TREC's layout, on threads that need no Python: `workers` of them, each of which
/// reads a run on `threads`. Runs are seen through the judgments, or read as a `whole`. Where the system gives no thread,
/// or little memory, nothing is begun.
#[pyfunction]
#[pyo3(signature = (qrels, max_unpacked, runs, ties, on_duplicate, threads, workers, sign, whole))]
#[allow(clippy::too_many_arguments)] // Python hands over flat words
pub(crate) fn begin_reading(
    qrels: PathBuf,
    max_unpacked: usize,
    runs: Vec<PathBuf>,
    ties: &str,
    on_duplicate: &str,
    threads: usize,
    workers: usize,
    sign: bool,
    whole: bool,
) -> PyResult<()> {
    let options = judge_options(ties, on_duplicate, parse_layout("trec")?, threads.max(1))?;
    let qrels = QrelsRequest { source: Source::Path(qrels), header: false, max_unpacked };
    let sources = runs.into_iter().map(Source::Path).collect();
    read_ahead::begin(qrels, RunRequests { sources, options, max_unpacked, sign, whole }, workers);
    Ok(())
}

/// Forget what was begun: whatever reads the same files later reads what they hold then.
#[pyfunction]
pub(crate) fn end_reading() {
    read_ahead::cancel();
}
