//! Rows in flat columns by topic, for Python.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::columns::row_groups::{GroupedRows, NumberedIds, group_rows, sort_by_id};
use crate::ids::column::{IdType, TextIdSlice};
use crate::python::convert::run;
use crate::python::id_columns::{TextArrays, any_bytes, to_arrays};

/// The rows that Python gave, by topic; None where a row is not right.
fn group(
    py: Python,
    topics: &TextArrays,
    documents: &TextArrays,
    score: &[f64],
    rank: Option<&[i64]>,
) -> PyResult<Option<GroupedRows>> {
    let rows = score.len();
    let fits = rows > 0 && rows < u32::MAX as usize && rank.is_none_or(|rank| rank.len() == rows);
    let topics = (topics.0.as_slice()?, topics.1.as_slice()?);
    let documents = (documents.0.as_slice()?, documents.1.as_slice()?);
    let work = || {
        let column = |(data, offsets)| TextIdSlice::new(data, offsets).filter(|column| column.len() == rows);
        let (Some(topics), Some(documents), true) =
            (column(topics), column(documents), fits && score.iter().all(|score| score.is_finite()))
        else {
            return Ok(None);
        };
        group_rows(topics, documents, score, rank).map(Some)
    };
    run(py, work)
}

/// Topics, where their rows begin, data and offsets of documents, scores and ranks; None where a row is not right.
///
/// Documents that are in order are not copied: the arrays of ids come back that were given, so nobody may change them.
#[pyfunction]
pub(crate) fn grouped_rows<'py>(
    py: Python<'py>,
    topics: TextArrays<'py>,
    documents: TextArrays<'py>,
    score: PyReadonlyArray1<'py, f64>,
    rank: Option<PyReadonlyArray1<'py, i64>>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let (score, rank) = (score.as_slice()?, rank.as_ref().map(PyReadonlyArray1::as_slice).transpose()?);
    let Some(out) = group(py, &topics, &documents, score, rank)? else { return Ok(None) };
    let (starts, score) = (out.starts.into_pyarray(py), out.score.into_pyarray(py));
    let rank = out.rank.map(|rank| rank.into_pyarray(py));
    let (data, offsets) = match out.documents {
        Some(ids) => to_arrays(py, ids),
        None => ((*documents.0).clone(), (*documents.1).clone()),
    };
    (out.topics, starts, data, offsets, score, rank).into_pyobject(py).map(Some)
}

/// The same of judgments: no ranks, the documents of each topic in id byte order; None where one occurs twice, too.
#[pyfunction]
pub(crate) fn grouped_pools<'py>(
    py: Python<'py>,
    topics: TextArrays<'py>,
    documents: TextArrays<'py>,
    label: PyReadonlyArray1<'py, f64>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let Some(out) = group(py, &topics, &documents, label.as_slice()?, None)? else { return Ok(None) };
    let grouped = out.documents.as_ref().map(IdType::as_slice);
    let Some(ids) = grouped.map_or_else(|| any_bytes(&documents), |ids| Ok(Some(ids)))? else { return Ok(None) };
    let sorted = run(py, || sort_by_id(&out.starts, ids, &out.score))?;
    let Some(NumberedIds { documents, number: label }) = sorted else { return Ok(None) };
    let (starts, (data, offsets)) = (out.starts.into_pyarray(py), to_arrays(py, documents));
    (out.topics, starts, data, offsets, label.into_pyarray(py)).into_pyobject(py).map(Some)
}
