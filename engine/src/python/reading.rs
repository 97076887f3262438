//! Reads runs and judgments for Python, and looks up documents of runs in memory.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::checked::Checked;
use crate::error::{Error, FileError};
use crate::ids::column::TextIdSlice;
use crate::judging::memory::judge_memory_run;
use crate::judging::{file, topic_index};
use crate::python::arguments::{judge_options, parse_layout};
use crate::python::convert::{extract_source, judged_to_dict, run, to_py_err};
use crate::python::findings::Findings;
use crate::python::id_columns::set_ids;
use crate::ranking::tie_order;
use crate::trec::run_view::RunView;
use crate::trec::{qrels, run_columns, run_lines};

/// Tables to look topics and documents up in.
#[pyclass(frozen, name = "Index", module = "_engine")]
pub(crate) struct PyTopicIndex(topic_index::TopicIndex);

#[pyfunction]
#[pyo3(name = "index")]
pub(crate) fn build_index(
    py: Python,
    topics: Vec<String>,
    starts: PyReadonlyArray1<i64>,
    data: PyReadonlyArray1<u8>,
    offsets: PyReadonlyArray1<i64>,
) -> PyResult<PyTopicIndex> {
    let (starts, documents) = (starts.as_slice()?, TextIdSlice::of_any_bytes(data.as_slice()?, offsets.as_slice()?));
    let built = documents.map(|documents| run(py, || topic_index::TopicIndex::new(&topics, starts, documents)));
    built
        .transpose()?
        .flatten()
        .map(PyTopicIndex)
        .ok_or_else(|| PyValueError::new_err("starts, data and offsets do not fit together"))
}

#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays and words
pub(crate) fn judge_file<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    layout: &str,
    max_unpacked: usize,
    index: &Bound<'py, PyTopicIndex>,
    ties: &str,
    on_duplicate: &str,
    threads: usize,
    sign: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let source = extract_source(source)?;
    let options = judge_options(ties, on_duplicate, parse_layout(layout)?, threads.max(1))?;
    let index = &index.get().0;
    let (judged, hash) = run(py, || file::judge_text(source.open(max_unpacked, sign)?, index, options))?;
    let out = judged_to_dict(py, judged)?;
    out.set_item("sha256", hash)?;
    Ok(out)
}

#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays and words
pub(crate) fn judge_run<'py>(
    py: Python<'py>,
    topics: Vec<String>,
    starts: PyReadonlyArray1<'py, i64>,
    data: PyReadonlyArray1<'py, u8>,
    offsets: PyReadonlyArray1<'py, i64>,
    score: PyReadonlyArray1<'py, f64>,
    rank: Option<PyReadonlyArray1<'py, i64>>,
    index: &Bound<'py, PyTopicIndex>,
    ties: Vec<String>,
    on_duplicate: &str,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let order = |ties: &String| judge_options(ties, on_duplicate, run_lines::Layout::Trec, 1);
    let orders = ties.iter().map(order).collect::<PyResult<Vec<_>>>()?;
    if rank.is_none() && orders.iter().any(|order| order.ties == tie_order::TieBreak::Rank) {
        return Err(to_py_err(py, FileError::NoRanks.into()));
    }
    let (starts, score) = (starts.as_slice()?, score.as_slice()?);
    let rank = rank.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    let ids = TextIdSlice::of_any_bytes(data.as_slice()?, offsets.as_slice()?);
    let memory = ids.and_then(|ids| Checked::new(RunView { topics: &topics, starts, ids, score, rank }));
    let Some(memory) = memory else {
        return Err(PyValueError::new_err("topics, starts, offsets, scores and ranks do not fit together"));
    };
    let index = &index.get().0;
    run(py, || judge_memory_run(&memory, index, &orders))?.into_iter().map(|run| judged_to_dict(py, run)).collect()
}

#[pyfunction]
pub(crate) fn read_run<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    layout: &str,
    max_unpacked: usize,
    on_duplicate: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let (source, layout) = (extract_source(source)?, parse_layout(layout)?);
    let keep_first = on_duplicate == "first";
    let (run, hash) = run(py, || {
        let (text, hash) = source.open(max_unpacked, true)?.read_to_end()?;
        Ok::<_, Error>((run_columns::read_run(&text, layout, keep_first)?, hash))
    })?;
    let facts = PyDict::new(py);
    facts.set_item("rows", run.rows)?;
    facts.set_item("skipped", run.skipped)?;
    facts.set_item("tag", &run.tag)?;
    let (seen, tag) = (Findings::new(&facts)?, &run.tag);
    seen.add("mixed-tags", run.other_tag.map(|other| (other, tag.as_str())))?;
    seen.add("rank-text", run.rank_text)?;
    seen.add("commented-rows", run.commented)?;
    seen.add("duplicate", run.duplicates)?;
    seen.add("scattered-topics", run.interleaved)?;
    let out = PyDict::new(py);
    out.set_item("topics", run.topics)?;
    out.set_item("starts", run.starts.into_pyarray(py))?;
    set_ids(&out, run.documents)?;
    out.set_item("score", run.score.into_pyarray(py))?;
    out.set_item("rank", run.rank.map(|rank| rank.into_pyarray(py)))?;
    out.set_item("facts", facts)?;
    out.set_item("sha256", hash)?;
    Ok(out)
}

#[pyfunction]
pub(crate) fn read_qrels<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    layout: &str,
    max_unpacked: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let source = extract_source(source)?;
    parse_layout(layout)?;
    let header = layout == "beir";
    let (read, hash) = run(py, || {
        let (text, hash) = source.open(max_unpacked, true)?.read_to_end()?;
        Ok::<_, Error>((qrels::read_qrels(&text, header)?, hash))
    })?;
    let facts = PyDict::new(py);
    facts.set_item("rows", read.rows)?;
    facts.set_item("skipped", read.skipped)?;
    let seen = Findings::new(&facts)?;
    seen.add("commented-rows", read.commented)?;
    seen.add("fractional-labels", read.fractional)?;
    seen.add("judged-twice", read.duplicates)?;
    seen.add("several-labels", read.several)?;
    let out = PyDict::new(py);
    out.set_item("topics", read.topics)?;
    out.set_item("starts", read.starts.into_pyarray(py))?;
    set_ids(&out, read.documents)?;
    out.set_item("grade", read.grade.into_pyarray(py))?;
    out.set_item("document", read.document.into_pyarray(py))?;
    out.set_item("iteration", read.iteration.into_pyarray(py))?;
    out.set_item("label", read.label.into_pyarray(py))?;
    out.set_item("iterations", read.iterations)?;
    out.set_item("facts", facts)?;
    out.set_item("sha256", hash)?;
    Ok(out)
}
