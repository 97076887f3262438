//! Python's view of the engine: `cranfield.contract` describes it. Only bindings here.

mod above;
mod agreements;
mod ahead;
mod alike;
mod apart;
mod ascending;
mod assemble;
mod bending;
mod code_sums;
mod column_judged;
mod column_lists;
mod column_pools;
mod column_standing;
mod columnar;
mod columns;
mod comparing;
mod curving;
mod deciding;
mod decimals;
mod distinct;
mod early;
mod ends;
mod exact;
mod finder;
mod fitting;
mod flat;
mod floor;
mod grouping;
mod guard;
mod hashing;
mod hoping;
mod judge;
mod kinds;
#[cfg(any(test, fuzzing))]
pub mod laws;
mod leads;
mod levels;
mod listing;
mod lists;
mod logistic;
mod lookup;
mod majority;
mod measuring;
mod members;
mod noticed;
mod numbers;
mod objects;
mod order;
mod outcomes;
mod packed;
mod packing;
mod pairs_down;
mod pieces;
mod pools;
mod problem;
mod python;
mod qrels;
mod rating;
mod reaching;
mod regressing;
mod repeats;
mod room;
mod run;
mod sampling;
mod scattered;
mod score_rows;
mod seen;
mod segments;
mod selecting;
mod sign_codes;
mod significance;
mod source;
mod stretches;
mod strewn;
mod studentizing;
mod tokens;
mod top;
mod topics;
mod turns;
mod union;
mod unpack;
mod views;
mod weighing;
mod windows;
mod writing;
mod xz;
mod xz_ahead;
mod xz_block;
mod xz_check;
mod xz_index;

use std::sync::Arc;

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::guard::guarded;
use crate::noticed::{MIXED_TAGS, Noticed, OF_DOCUMENT, OF_LINE};
use crate::problem::Problem;
use crate::python::{judged, raise, source_of};
use crate::unpack::Failure;

fn layout_of(word: &str) -> PyResult<run::Layout> {
    run::Layout::parse(word).ok_or_else(|| PyValueError::new_err(format!("no layout {word:?}")))
}

fn options(ties: &str, on_duplicate: &str, layout: run::Layout, threads: usize) -> PyResult<judge::Options> {
    let groups = order::groups_wanted(ties);
    let ties = order::Ties::parse(ties).ok_or_else(|| PyValueError::new_err(format!("no tie policy {ties:?}")))?;
    Ok(judge::Options { layout, ties, keep_first: on_duplicate == "first", groups, threads })
}

/// Bytes to arrays: reads runs and judgments, orders documents and looks them up.
#[pymodule]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays and words
mod _engine {
    use super::{
        Arc, Bound, Failure, IntoPyArray, MIXED_TAGS, Noticed, OF_DOCUMENT, OF_LINE, Problem, PyAny, PyDict, PyModule,
        PyReadonlyArray1, PyResult, PyValueError, Python, ahead, guarded, judge, judged, layout_of, lookup, options,
        order, raise, run, source_of,
    };
    use pyo3::prelude::*;

    #[pymodule_export]
    const NAME: &str = "compiled";

    #[pymodule_export]
    use crate::ahead::{begin_reading, end_reading};

    #[pymodule_export]
    use crate::python::ask_for_numpy;

    #[pymodule_export]
    use crate::comparing::{
        count_agreements, count_leads, count_outcomes, count_ties, majority_order, order_by_votes, order_lists,
        sum_ascending, sum_by_rank, top_rows, unite_documents,
    };

    #[pymodule_export]
    use crate::floor::{count_bytes, count_fields};

    #[pymodule_export]
    use crate::objects::{nested_rows, packed_ids};

    #[pymodule_export]
    use crate::grouping::{grouped_pools, grouped_rows};

    #[pymodule_export]
    use crate::flat::{gathered_ids, viewed_ids, written_ids};

    #[pymodule_export]
    use crate::writing::run_lines;

    #[pymodule_export]
    use crate::score_rows::score_rows;

    #[pymodule_export]
    use crate::sampling::{
        count_apart, count_decisions, count_paired_tests, count_reached, count_welch_tests, largest_statistics,
    };

    #[pymodule_export]
    use crate::regressing::{fit_signs, pack_outcomes, unpack_outcomes};

    #[pymodule_export]
    use crate::measuring::{
        exact_sums, first_chances, kept_rows, list_counts, list_places, list_sums, pairs_down, products_before,
        rows_down_to, running_counts, running_values,
    };

    #[pymodule_export]
    use crate::rating::{
        best_down, expected_bits, inferred_sums, kept_sums, level_precisions, overlap_sums, penalties,
        preferred_so_far, preferred_sums, read_down, read_in_hope, shares_told, weighed_sums,
    };

    #[pymodule_export]
    use crate::column_lists::ListsGathered;

    #[pymodule_export]
    use crate::column_pools::{ColumnPools, PoolsGathered, gather_pools, topic_edges};

    #[pymodule_export]
    use crate::column_standing::DocumentsStanding;

    #[pymodule_init]
    fn ready(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Where it is not there yet, the engine may be wanted to read meanwhile.
        let loaded = module.py().import("sys")?.getattr("modules")?.contains("numpy")?;
        if loaded { ask_for_numpy(module.py()) } else { Ok(()) }
    }

    /// Tables to look topics and documents up in.
    #[pyclass(frozen)]
    struct Index(Arc<lookup::Index>);

    #[pyfunction]
    fn index(
        py: Python,
        topics: Vec<String>,
        starts: PyReadonlyArray1<i64>,
        data: PyReadonlyArray1<u8>,
        offsets: PyReadonlyArray1<i64>,
    ) -> PyResult<Index> {
        let (starts, data, offsets) = (starts.as_slice()?, data.as_slice()?, offsets.as_slice()?);
        if let Some(made) = ahead::index_of(&topics, starts, data, offsets) {
            return Ok(Index(made));
        }
        let made = guarded(|| Ok(lookup::Index::new(&topics, starts, data, offsets)?));
        let made = made.map_err(|failure| raise(py, failure))?;
        made.map(|made| Index(Arc::new(made)))
            .ok_or_else(|| PyValueError::new_err("starts, data and offsets do not fit together"))
    }

    #[pyfunction]
    fn judge_file<'py>(
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
        layout: &str,
        max_unpacked: usize,
        index: &Bound<'py, Index>,
        ties: &str,
        on_duplicate: &str,
        threads: usize,
        sign: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let source = source_of(source)?;
        let options = options(ties, on_duplicate, layout_of(layout)?, threads.max(1))?;
        let index = &index.get().0;
        let asked = ahead::AskedRun { source, options, max_unpacked, sign };
        let done = py.detach(|| guarded(|| asked.judge(index)));
        let (done, hash) = done.map_err(|failure| raise(py, failure))?;
        let out = judged(py, done)?;
        out.set_item("sha256", hash)?;
        Ok(out)
    }

    #[pyfunction]
    fn judge_run<'py>(
        py: Python<'py>,
        topics: Vec<String>,
        starts: PyReadonlyArray1<'py, i64>,
        data: PyReadonlyArray1<'py, u8>,
        offsets: PyReadonlyArray1<'py, i64>,
        score: PyReadonlyArray1<'py, f64>,
        rank: Option<PyReadonlyArray1<'py, i64>>,
        index: &Bound<'py, Index>,
        ties: Vec<String>,
        on_duplicate: &str,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let order = |ties: &String| options(ties, on_duplicate, run::Layout::Trec, 1);
        let orders = ties.iter().map(order).collect::<PyResult<Vec<_>>>()?;
        if rank.is_none() && orders.iter().any(|one| one.ties == order::Ties::Rank) {
            return Err(raise(py, Failure::Problem(Problem::new("no-ranks", 0))));
        }
        let memory = judge::Memory {
            topics: &topics,
            starts: starts.as_slice()?,
            data: data.as_slice()?,
            offsets: offsets.as_slice()?,
            score: score.as_slice()?,
            rank: rank.as_ref().map(PyReadonlyArray1::as_slice).transpose()?,
        };
        if !memory.fits() {
            return Err(PyValueError::new_err("topics, starts, offsets, scores and ranks do not fit together"));
        }
        let index = &index.get().0;
        let done = py.detach(|| guarded(|| Ok(judge::judge_memory(&memory, index, &orders)?)));
        done.map_err(|failure| raise(py, failure))?.into_iter().map(|one| judged(py, one)).collect()
    }

    #[pyfunction]
    fn read_run<'py>(
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
        layout: &str,
        max_unpacked: usize,
        on_duplicate: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (source, layout) = (source_of(source)?, layout_of(layout)?);
        let asked = ahead::AskedColumns { source, layout, max_unpacked, keep_first: on_duplicate == "first" };
        let done = py.detach(|| guarded(|| asked.read()));
        let (run, hash) = done.map_err(|failure| raise(py, failure))?;
        let facts = PyDict::new(py);
        facts.set_item("rows", run.rows)?;
        facts.set_item("skipped", run.skipped)?;
        facts.set_item("tag", &run.tag)?;
        let (seen, tag) = (Noticed::new(&facts)?, &run.tag);
        seen.note("mixed-tags", MIXED_TAGS, run.other_tag.map(|(line, other)| (line, other, tag)))?;
        seen.note("rank-text", OF_LINE, run.rank_text)?;
        seen.note("commented-rows", OF_LINE, run.commented)?;
        seen.note("duplicate", OF_DOCUMENT, run.repeated)?;
        seen.note("scattered-topics", ["count", "line", "topic"], run.returns)?;
        let out = PyDict::new(py);
        out.set_item("topics", run.topics)?;
        out.set_item("starts", run.starts.into_pyarray(py))?;
        out.set_item("data", run.data.into_pyarray(py))?;
        out.set_item("offsets", run.offsets.into_pyarray(py))?;
        out.set_item("score", run.score.into_pyarray(py))?;
        out.set_item("rank", run.rank.map(|rank| rank.into_pyarray(py)))?;
        out.set_item("facts", facts)?;
        out.set_item("sha256", hash)?;
        Ok(out)
    }

    #[pyfunction]
    fn read_qrels<'py>(
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
        layout: &str,
        max_unpacked: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let source = source_of(source)?;
        layout_of(layout)?;
        let asked = ahead::AskedJudgments { source, header: layout == "beir", max_unpacked };
        let done = py.detach(|| guarded(|| asked.read()));
        let (read, hash) = done.map_err(|failure| raise(py, failure))?;
        let facts = PyDict::new(py);
        facts.set_item("rows", read.rows)?;
        facts.set_item("skipped", read.skipped)?;
        let seen = Noticed::new(&facts)?;
        seen.note("commented-rows", OF_LINE, read.commented)?;
        seen.note("fractional-labels", OF_LINE, read.fractional)?;
        seen.note("judged-twice", OF_DOCUMENT, read.repeated)?;
        seen.note("several-labels", ["count", "differing", "topic", "document"], read.several)?;
        let out = PyDict::new(py);
        out.set_item("topics", read.topics)?;
        out.set_item("starts", read.starts.into_pyarray(py))?;
        out.set_item("data", read.data.into_pyarray(py))?;
        out.set_item("offsets", read.offsets.into_pyarray(py))?;
        out.set_item("grade", read.grade.into_pyarray(py))?;
        out.set_item("document", read.document.into_pyarray(py))?;
        out.set_item("iteration", read.iteration.into_pyarray(py))?;
        out.set_item("label", read.label.into_pyarray(py))?;
        out.set_item("iterations", read.iterations)?;
        out.set_item("facts", facts)?;
        out.set_item("sha256", hash)?;
        Ok(out)
    }
}
