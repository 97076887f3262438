//! Ids in flat arrays, for Python.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::Error;
use crate::ids::flat::{collect_ids, ints_to_ids, resolve_string_view, slice_at};
use crate::python::convert::run_rows;
use crate::python::id_columns::to_arrays;

/// Whole numbers as ids.
#[pyfunction]
pub(crate) fn written_ids<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let numbers = numbers.as_slice()?;
    let ids = run_rows(py, numbers.len(), || Ok::<_, Error>(ints_to_ids(numbers).ok()))?;
    ids.map(|ids| to_arrays(py, ids).into_pyobject(py)).transpose()
}

/// The ids of these rows, in that order; None where there is no such row.
#[pyfunction]
pub(crate) fn take_text<'py>(
    py: Python<'py>,
    data: PyReadonlyArray1<'py, u8>,
    offsets: PyReadonlyArray1<'py, i64>,
    rows: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let (data, offsets, rows) = (data.as_slice()?, offsets.as_slice()?, rows.as_slice()?);
    let id = |&row: &i64| {
        let row = usize::try_from(row).ok()?;
        slice_at(data, *offsets.get(row)?, *offsets.get(row + 1)?)
    };
    let ids = run_rows(py, rows.len(), || Ok::<_, Error>(collect_ids(rows.len(), rows.iter().map(id)).ok()))?;
    ids.flatten().map(|ids| to_arrays(py, ids).into_pyobject(py)).transpose()
}

/// The ids of string views; None where one points to no text.
#[pyfunction]
pub(crate) fn viewed_ids<'py>(
    py: Python<'py>,
    views: PyReadonlyArray1<'py, u8>,
    buffers: Vec<PyReadonlyArray1<'py, u8>>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let buffers = buffers.iter().map(PyReadonlyArray1::as_slice).collect::<Result<Vec<_>, _>>()?;
    let views = views.as_slice()?.chunks_exact(16);
    let id = |view| resolve_string_view(view, &buffers);
    let ids = run_rows(py, views.len(), || Ok::<_, Error>(collect_ids(views.len(), views.map(id)).ok()))?;
    ids.flatten().map(|ids| to_arrays(py, ids).into_pyobject(py)).transpose()
}
