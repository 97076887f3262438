//! Python's view of what compares the lists of several runs. Only bindings here.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::checked::Checked;
use crate::comparison::document_union::{self, DocumentUnion, RunIds, RunsOfTopics};
use crate::comparison::majority_order::RunRanks;
use crate::comparison::numbered_lists::NumberedRun;
use crate::comparison::pair_outcomes::{self, OutcomeCells, RankTable};
use crate::comparison::pairwise_agreements::{self, Agreements};
use crate::comparison::{ascending_sums, row_leads, tied_scores};
use crate::ids::column::TextIdSlice;
use crate::memory::AllocError;
use crate::python::arguments::rows;
use crate::python::convert::{run, run_fitting};
use crate::python::id_columns::set_ids;
use crate::ranking::tie_order::TieBreak;

/// Places or ranks, [rows, columns], in the smaller or the larger whole numbers.
#[derive(FromPyObject)]
pub(crate) enum RankArray<'py> {
    Small(PyReadonlyArray2<'py, i16>),
    Large(PyReadonlyArray2<'py, i32>),
}

/// How often systems together say what of pairs of documents.
#[pyfunction]
pub(crate) fn count_outcomes<'py>(
    py: Python<'py>,
    ranks: RankArray<'py>,
    order: PyReadonlyArray1<'py, i64>,
    cuts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (order, cuts) = (order.as_slice()?, cuts.as_slice()?);
    let cells = match ranks {
        RankArray::Small(ranks) => count_pair_outcomes(py, &ranks, order, cuts, i16::MAX),
        RankArray::Large(ranks) => count_pair_outcomes(py, &ranks, order, cuts, i32::MAX),
    }?;
    let out = PyDict::new(py);
    out.set_item("toward", cells.toward.into_pyarray(py))?;
    out.set_item("against", cells.against.into_pyarray(py))?;
    out.set_item("first", cells.first.into_pyarray(py))?;
    out.set_item("second", cells.second.into_pyarray(py))?;
    Ok(out)
}

fn count_pair_outcomes<P>(
    py: Python,
    ranks: &PyReadonlyArray2<P>,
    order: &[i64],
    cuts: &[i64],
    absent: P,
) -> PyResult<OutcomeCells>
where
    P: Element + Copy + Ord + Sync,
{
    let (documents, table) = (ranks.shape()[1], rows(ranks)?);
    let count = || -> Result<_, AllocError> {
        let cuts = pair_outcomes::to_sizes(cuts)?.filter(|cuts| pair_outcomes::valid_cuts(cuts, order.len()));
        let Some(cuts) = cuts else { return Ok(None) };
        let places = RankTable::new(table, documents, order, &cuts, absent)?;
        places.map(|places| places.count()).transpose()
    };
    run_fitting(py, "places, order and cuts", count)
}

/// How often every two systems say the same, and the opposite, of pairs of documents.
#[pyfunction]
pub(crate) fn count_agreements<'py>(
    py: Python<'py>,
    ranks: RankArray<'py>,
    order: PyReadonlyArray1<'py, i64>,
    cuts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (order, cuts) = (order.as_slice()?, cuts.as_slice()?);
    let (systems, result) = match ranks {
        RankArray::Small(ranks) => (ranks.shape()[0], count_pair_agreements(py, &ranks, order, cuts, i16::MAX)?),
        RankArray::Large(ranks) => (ranks.shape()[0], count_pair_agreements(py, &ranks, order, cuts, i32::MAX)?),
    };
    let out = PyDict::new(py);
    for (name, table) in [("toward", result.toward), ("against", result.against), ("opposite", result.opposite)] {
        out.set_item(name, table.into_pyarray(py).reshape([systems, systems])?)?;
    }
    Ok(out)
}

fn count_pair_agreements<P>(
    py: Python,
    ranks: &PyReadonlyArray2<P>,
    order: &[i64],
    cuts: &[i64],
    absent: P,
) -> PyResult<Agreements>
where
    P: Element + Copy + Ord + Sync,
{
    let (shape, table) = (ranks.shape(), rows(ranks)?);
    let count = || -> Result<_, AllocError> {
        let cuts = pair_outcomes::to_sizes(cuts)?.filter(|cuts| pair_outcomes::valid_cuts(cuts, order.len()));
        let lists = pairwise_agreements::RankedSets::new(table, [shape[0], shape[1]], order, absent)?;
        Ok(match (cuts, lists) {
            (Some(cuts), Some(lists)) => Some(lists.count(&cuts)?),
            _ => None,
        })
    };
    run_fitting(py, "places, order and cuts", count)
}

/// Documents of every list in the order of the majority of runs.
#[pyfunction]
pub(crate) fn majority_order<'py>(
    py: Python<'py>,
    rank: RankArray<'py>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    order_by_runs(py, &rank, starts.as_slice()?, None)
}

/// Documents of every list in the order of this number of runs, else of their labels.
#[pyfunction]
pub(crate) fn order_by_votes<'py>(
    py: Python<'py>,
    rank: RankArray<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    label: PyReadonlyArray1<'py, f64>,
    need: u32,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    order_by_runs(py, &rank, starts.as_slice()?, Some((label.as_slice()?, need)))
}

/// Labels, and the runs that are needed to decide without them.
type Votes<'a> = Option<(&'a [f64], u32)>;

fn order_by_runs<'py>(
    py: Python<'py>,
    rank: &RankArray,
    starts: &[i64],
    votes: Votes,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let order = match rank {
        RankArray::Small(rank) => order_documents(py, rank, starts, votes, i16::MAX),
        RankArray::Large(rank) => order_documents(py, rank, starts, votes, i32::MAX),
    }?;
    Ok(order.into_pyarray(py))
}

fn order_documents<R>(
    py: Python,
    rank: &PyReadonlyArray2<R>,
    starts: &[i64],
    votes: Votes,
    absent: R,
) -> PyResult<Vec<i64>>
where
    R: Element + Copy + Ord + Sync,
{
    let (documents, runs, table) = (rank.shape()[0], rank.shape()[1], rows(rank)?);
    let labelled = votes.is_none_or(|(label, _)| label.len() == documents);
    let order = || -> Result<_, AllocError> {
        let starts =
            pair_outcomes::to_sizes(starts)?.filter(|starts| labelled && pair_outcomes::valid_cuts(starts, documents));
        let ranks = RunRanks { rank: table, runs, absent };
        Ok(match (starts, votes) {
            (None, _) => None,
            (Some(starts), None) => Some(ranks.order(&starts)?),
            (Some(starts), Some((label, need))) => Some(ranks.order_by_votes(&starts, label, need)?),
        })
    };
    run_fitting(py, "ranks and starts", order)
}

/// In how many columns more the left row of each pair has the smaller number.
#[pyfunction]
pub(crate) fn count_leads<'py>(
    py: Python<'py>,
    table: RankArray<'py>,
    left: PyReadonlyArray1<'py, i64>,
    right: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (left, right) = (left.as_slice()?, right.as_slice()?);
    let result = match table {
        RankArray::Small(table) => count_row_leads(py, &table, left, right),
        RankArray::Large(table) => count_row_leads(py, &table, left, right),
    }?;
    Ok(result.into_pyarray(py))
}

fn count_row_leads<R>(py: Python, table: &PyReadonlyArray2<R>, left: &[i64], right: &[i64]) -> PyResult<Vec<i64>>
where
    R: Element + Copy + Ord + Sync,
{
    let (shape, values) = ([table.shape()[0], table.shape()[1]], rows(table)?);
    run_fitting(py, "rows and pairs", || row_leads::win_margins(values, shape, left, right))
}

/// Lists with equal scores near the top: as they are; or in single precision too; and whether any are equal in that alone.
#[pyfunction]
pub(crate) fn count_ties<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    score: PyReadonlyArray1<'py, f64>,
    depth: usize,
) -> PyResult<(usize, usize, bool)> {
    let (starts, score) = (starts.as_slice()?, score.as_slice()?);
    let result = run_fitting(py, "lists and scores", || tied_scores::count_ties(starts, score, depth))?;
    Ok((result.exactly, result.either, result.float32_only))
}

/// Of each row, the sum of what its ranks in lists have, from the smallest on.
#[pyfunction]
pub(crate) fn sum_by_rank<'py>(
    py: Python<'py>,
    row: PyReadonlyArray1<'py, i64>,
    starts: PyReadonlyArray1<'py, i64>,
    weight: PyReadonlyArray1<'py, f64>,
    rows: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (row, starts, weight) = (row.as_slice()?, starts.as_slice()?, weight.as_slice()?);
    let sums = run_fitting(py, "rows, lists and weights", || ascending_sums::sum_by_rank(row, starts, weight, rows))?;
    Ok(sums.into_pyarray(py))
}

/// Order the lists of a run whose documents are known by their numbers; the topics whose ranks contradict their scores.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays
pub(crate) fn order_lists<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    topics: PyReadonlyArray1<'py, i64>,
    bounds: PyReadonlyArray1<'py, i64>,
    document: PyReadonlyArray1<'py, i32>,
    score: PyReadonlyArray1<'py, f64>,
    rank: Option<PyReadonlyArray1<'py, i64>>,
    ties: &str,
    mut into_document: PyReadwriteArray1<'py, i32>,
    mut into_score: PyReadwriteArray1<'py, f64>,
) -> PyResult<Option<Bound<'py, PyArray1<i64>>>> {
    let ties = TieBreak::parse(ties).filter(|&ties| ties != TieBreak::Rank);
    let run_rows = Checked::new(NumberedRun {
        starts: starts.as_slice()?,
        topics: topics.as_slice()?,
        bounds: bounds.as_slice()?,
        document: document.as_slice()?,
        score: score.as_slice()?,
        rank: rank.as_ref().map(PyReadonlyArray1::as_slice).transpose()?,
        into_document: into_document.as_slice_mut()?,
        into_score: into_score.as_slice_mut()?,
    });
    let (Some(ties), Some(run_rows)) = (ties, run_rows) else {
        return Err(PyValueError::new_err("rows, documents and topics do not fit together, or ranks decide"));
    };
    let result = run(py, || run_rows.order(ties))?;
    Ok(result.map(|topics| topics.into_pyarray(py)))
}

/// The ids of a run, where its topics begin, and their numbers.
type RunIdArrays<'py> =
    (PyReadonlyArray1<'py, u8>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>);

/// All documents of several runs.
#[pyfunction]
pub(crate) fn unite_documents<'py>(
    py: Python<'py>,
    runs: Vec<RunIdArrays<'py>>,
    topics: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let lists = runs.iter().map(|(data, offsets, starts, topics)| {
        let ids = TextIdSlice::of_any_bytes(data.as_slice()?, offsets.as_slice()?);
        let (starts, topics) = (starts.as_slice()?, topics.as_slice()?);
        Ok(ids.map(|ids| RunIds { ids, starts, topics }))
    });
    let lists = lists.collect::<PyResult<Option<Vec<RunIds>>>>()?;
    let input = lists.and_then(|runs| Checked::new(RunsOfTopics { runs, topics }));
    let united = || input.map_or(Ok(None), |input| document_union::unite_documents(&input));
    let DocumentUnion { documents, starts, rows } = run_fitting(py, "ids, offsets, starts and topics", united)?;
    let out = PyDict::new(py);
    set_ids(&out, documents)?;
    out.set_item("starts", starts.into_pyarray(py))?;
    out.set_item("rows", PyList::new(py, rows.into_iter().map(|rows| rows.into_pyarray(py)))?)?;
    Ok(out)
}
