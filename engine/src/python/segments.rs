//! Python's view of what measures need of many lists. Only bindings here.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::checked::{Check, Checked};
use crate::measures::exact_sums as exact;
use crate::measures::row_selection::{self, SelectableRows};
use crate::measures::running_pairs::LabelledLists;
use crate::measures::segments::{self, ScanOp};
use crate::python::convert::run_rows;

pub(crate) type FloatArray<'py> = Bound<'py, PyArray1<f64>>;
type IntArray<'py> = Bound<'py, PyArray1<i64>>;

fn do_not_fit() -> PyErr {
    PyValueError::new_err("lists and their rows do not fit together")
}

pub(crate) fn require(fits: bool) -> PyResult<()> {
    if fits { Ok(()) } else { Err(do_not_fit()) }
}

/// Arrays that fit together, or an error of Python.
pub(crate) fn checked<T: Check>(arrays: T) -> PyResult<Checked<T>> {
    Checked::new(arrays).ok_or_else(do_not_fit)
}

/// The sum of each list.
#[pyfunction]
pub(crate) fn list_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<FloatArray<'py>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    require(segments::valid_starts(starts, values.len()))?;
    Ok(run_rows(py, values.len(), || segments::list_sums(values, starts))?.into_pyarray(py))
}

/// The sum of each list, rounded once.
#[pyfunction]
pub(crate) fn exact_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<FloatArray<'py>>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    require(segments::valid_starts(starts, values.len()))?;
    Ok(run_rows(py, values.len(), || exact::exact_sums(values, starts))?.map(|result| result.into_pyarray(py)))
}

/// What rows come to down to each row, or from it on.
#[pyfunction]
pub(crate) fn running_values<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
    combine: &str,
    upward: bool,
) -> PyResult<Option<FloatArray<'py>>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    require(segments::valid_starts(starts, values.len()))?;
    let combine = ScanOp::parse(combine).ok_or_else(|| PyValueError::new_err(format!("no way {combine:?}")))?;
    let result = run_rows(py, values.len(), || segments::running_values(values, starts, combine, upward))?;
    Ok(result.map(|result| result.into_pyarray(py)))
}

/// The product over the rows above each row.
#[pyfunction]
pub(crate) fn products_before<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<FloatArray<'py>>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    require(segments::valid_starts(starts, values.len()))?;
    let result = run_rows(py, values.len(), || segments::products_before(values, starts))?;
    Ok(result.map(|result| result.into_pyarray(py)))
}

/// The chance of each row to be the first at which something happens.
#[pyfunction]
pub(crate) fn first_chances<'py>(
    py: Python<'py>,
    chances: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<FloatArray<'py>>> {
    let (chances, starts) = (chances.as_slice()?, starts.as_slice()?);
    require(segments::valid_starts(starts, chances.len()))?;
    let result = run_rows(py, chances.len(), || segments::first_chances(chances, starts))?;
    Ok(result.map(|result| result.into_pyarray(py)))
}

/// How many rows of each list are mask.
#[pyfunction]
pub(crate) fn list_counts<'py>(
    py: Python<'py>,
    mask: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<FloatArray<'py>> {
    let (mask, starts) = (mask.as_slice()?, starts.as_slice()?);
    require(segments::valid_starts(starts, mask.len()))?;
    Ok(run_rows(py, mask.len(), || segments::list_counts(mask, starts))?.into_pyarray(py))
}

/// How many rows are mask down to each row.
#[pyfunction]
pub(crate) fn running_counts<'py>(
    py: Python<'py>,
    mask: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<IntArray<'py>> {
    let (mask, starts) = (mask.as_slice()?, starts.as_slice()?);
    require(segments::valid_starts(starts, mask.len()))?;
    Ok(run_rows(py, mask.len(), || segments::running_counts(mask, starts))?.into_pyarray(py))
}

/// Pairs put right and wrong down to each row.
#[pyfunction]
pub(crate) fn running_pairs<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    document: PyReadonlyArray1<'py, i64>,
    labels: usize,
    label_index: PyReadonlyArray1<'py, i64>,
    lower: PyReadonlyArray1<'py, f64>,
    higher: PyReadonlyArray1<'py, f64>,
) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
    let judged = checked(LabelledLists {
        starts: starts.as_slice()?,
        document: document.as_slice()?,
        labels,
        label_index: label_index.as_slice()?,
        lower: lower.as_slice()?,
        higher: higher.as_slice()?,
    })?;
    let result = run_rows(py, judged.document.len(), || judged.running_pairs())?;
    Ok((result.right.into_pyarray(py), result.wrong.into_pyarray(py)))
}

/// The mask rows of lists: where each list begins, ranks, documents, grades, and their places among all rows.
#[pyfunction]
#[allow(clippy::type_complexity)] // five columns
pub(crate) fn select_rows<'py>(
    py: Python<'py>,
    mask: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    document: PyReadonlyArray1<'py, i64>,
    grade: PyReadonlyArray1<'py, f64>,
) -> PyResult<(IntArray<'py>, IntArray<'py>, IntArray<'py>, FloatArray<'py>, IntArray<'py>)> {
    let (starts, rank, document, grade) =
        (starts.as_slice()?, rank.as_slice()?, document.as_slice()?, grade.as_slice()?);
    let rows = checked(SelectableRows { mask: mask.as_slice()?, starts, rank, document, grade })?;
    let selected = run_rows(py, rows.mask.len(), || rows.select_rows())?;
    let [starts, rank, document] =
        [selected.starts, selected.rank, selected.document].map(|column| column.into_pyarray(py));
    Ok((starts, rank, document, selected.grade.into_pyarray(py), selected.position.into_pyarray(py)))
}

/// One past the last row of each list down to a rank of its own.
#[pyfunction]
pub(crate) fn rows_down_to<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    depth: PyReadonlyArray1<'py, i64>,
) -> PyResult<IntArray<'py>> {
    let (starts, rank, depth) = (starts.as_slice()?, rank.as_slice()?, depth.as_slice()?);
    require(segments::valid_starts(starts, rank.len()) && starts.len() == depth.len() + 1)?;
    Ok(run_rows(py, depth.len(), || row_selection::rows_down_to(starts, rank, depth))?.into_pyarray(py))
}

/// The place of each row among those of its list.
#[pyfunction]
pub(crate) fn list_positions<'py>(py: Python<'py>, starts: PyReadonlyArray1<'py, i64>) -> PyResult<IntArray<'py>> {
    let starts = starts.as_slice()?;
    let rows = starts.last().and_then(|&rows| usize::try_from(rows).ok()).unwrap_or(0);
    require(segments::valid_starts(starts, rows))?;
    Ok(run_rows(py, rows, || segments::list_positions(starts, rows))?.into_pyarray(py))
}
