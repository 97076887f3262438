//! Python's view of what measures need of many lists. Only bindings here.

use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::checked::{Check, Checked};
use crate::measures::row_selection::{CutLists, SelectableRows};
use crate::measures::running_pairs::LabelledLists;
use crate::measures::segments::{ListLengths, ListValues, ScanOp};
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

/// A value of each row of lists, which fit together.
fn list_values<'a, T: Element>(
    values: &'a PyReadonlyArray1<'_, T>,
    starts: &'a PyReadonlyArray1<'_, i64>,
) -> PyResult<Checked<ListValues<'a, T>>> {
    checked(ListValues { values: values.as_slice()?, starts: starts.as_slice()? })
}

/// The sum of each list.
#[pyfunction]
pub(crate) fn list_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<FloatArray<'py>> {
    let lists = list_values(&values, &starts)?;
    Ok(run_rows(py, lists.values.len(), || lists.list_sums())?.into_pyarray(py))
}

/// The sum of each list, rounded once.
#[pyfunction]
pub(crate) fn exact_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<FloatArray<'py>>> {
    let lists = list_values(&values, &starts)?;
    Ok(run_rows(py, lists.values.len(), || lists.exact_sums())?.map(|result| result.into_pyarray(py)))
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
    let lists = list_values(&values, &starts)?;
    let combine = ScanOp::parse(combine).ok_or_else(|| PyValueError::new_err(format!("no way {combine:?}")))?;
    let result = run_rows(py, lists.values.len(), || lists.running_values(combine, upward))?;
    Ok(result.map(|result| result.into_pyarray(py)))
}

/// The product over the rows above each row.
#[pyfunction]
pub(crate) fn products_before<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<FloatArray<'py>>> {
    let lists = list_values(&values, &starts)?;
    let result = run_rows(py, lists.values.len(), || lists.products_before())?;
    Ok(result.map(|result| result.into_pyarray(py)))
}

/// The chance of each row to be the first at which something happens.
#[pyfunction]
pub(crate) fn first_chances<'py>(
    py: Python<'py>,
    chances: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<FloatArray<'py>>> {
    let lists = list_values(&chances, &starts)?;
    let result = run_rows(py, lists.values.len(), || lists.first_chances())?;
    Ok(result.map(|result| result.into_pyarray(py)))
}

/// How many rows of each list are mask.
#[pyfunction]
pub(crate) fn list_counts<'py>(
    py: Python<'py>,
    mask: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<FloatArray<'py>> {
    let lists = list_values(&mask, &starts)?;
    Ok(run_rows(py, lists.values.len(), || lists.list_counts())?.into_pyarray(py))
}

/// How many rows are mask down to each row.
#[pyfunction]
pub(crate) fn running_counts<'py>(
    py: Python<'py>,
    mask: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<IntArray<'py>> {
    let lists = list_values(&mask, &starts)?;
    Ok(run_rows(py, lists.values.len(), || lists.running_counts())?.into_pyarray(py))
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
    let lists = checked(CutLists { starts: starts.as_slice()?, rank: rank.as_slice()?, depth: depth.as_slice()? })?;
    Ok(run_rows(py, lists.depth.len(), || lists.rows_down_to())?.into_pyarray(py))
}

/// The place of each row among those of its list.
#[pyfunction]
pub(crate) fn list_positions<'py>(py: Python<'py>, starts: PyReadonlyArray1<'py, i64>) -> PyResult<IntArray<'py>> {
    let lists = checked(ListLengths { starts: starts.as_slice()? })?;
    Ok(run_rows(py, lists.rows(), || lists.list_positions())?.into_pyarray(py))
}
