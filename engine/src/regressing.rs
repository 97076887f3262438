//! Python's view of the sums behind a regression on what systems say. Only bindings here.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::comparing::Table;
use crate::guard::guarded;
use crate::python::raise;
use crate::sign_codes::{self, A_BYTE, KINDS, Kinds};
use crate::substituting;

/// What systems say of pairs of documents, five systems a byte.
#[pyfunction]
pub fn pack_outcomes<'py>(
    py: Python<'py>,
    place: Table<'py>,
    first: PyReadonlyArray1<'py, i64>,
    second: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let (first, second) = (first.as_slice()?, second.as_slice()?);
    let (systems, codes) = match place {
        Table::Small(place) => (place.shape()[0], packed(py, &place, first, second)?),
        Table::Large(place) => (place.shape()[0], packed(py, &place, first, second)?),
    };
    codes.into_pyarray(py).reshape([first.len(), systems.div_ceil(A_BYTE)])
}

fn packed<P>(py: Python, place: &PyReadonlyArray2<P>, first: &[i64], second: &[i64]) -> PyResult<Vec<u8>>
where
    P: Element + Copy + Ord + Sync,
{
    let (documents, table) = (place.shape()[1], place.as_slice()?);
    let done = py.detach(|| guarded(|| Ok(sign_codes::pack(table, documents, first, second)?)));
    let done = done.map_err(|failure| raise(py, failure))?;
    done.ok_or_else(|| PyValueError::new_err("places and pairs do not fit together"))
}

/// What each of so many systems says behind codes.
#[pyfunction]
pub fn unpack_outcomes<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    systems: usize,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (shape, codes) = (codes.shape(), codes.as_slice()?);
    let fits = shape[1] == systems.div_ceil(A_BYTE);
    let done = py.detach(|| guarded(|| Ok(if fits { sign_codes::unpack(codes, systems)? } else { None })));
    let signs = done.map_err(|failure| raise(py, failure))?;
    let signs = signs.ok_or_else(|| PyValueError::new_err("codes and systems do not fit together"))?;
    signs.into_pyarray(py).reshape([shape[0], systems])
}

/// Of each pair, the sum over groups of what a table has for its code.
#[pyfunction]
pub fn look_up_sums<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    tables: PyReadonlyArray2<'py, f32>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    let (shape, table) = (codes.shape(), tables.as_slice()?);
    let rows: Vec<Kinds> = table.chunks_exact(KINDS).filter_map(|row| row.try_into().ok()).collect();
    if tables.shape() != [shape[1], KINDS] {
        return Err(PyValueError::new_err("codes and tables do not fit together"));
    }
    let (pairs, codes) = (shape[0], codes.as_slice()?);
    let sums = py.detach(|| guarded(|| Ok(sign_codes::look_up(codes, pairs, &rows)?)));
    Ok(sums.map_err(|failure| raise(py, failure))?.into_pyarray(py))
}

/// Of each group and code, the sum of the values of its pairs.
#[pyfunction]
pub fn sum_by_code<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    values: PyReadonlyArray1<'py, f32>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (groups, values) = (codes.shape()[1], values.as_slice()?);
    if codes.shape()[0] != values.len() {
        return Err(PyValueError::new_err("codes and values do not fit together"));
    }
    let codes = codes.as_slice()?;
    let sums = py.detach(|| guarded(|| Ok(sign_codes::sum(codes, groups, values)?)));
    let sums = sums.map_err(|failure| raise(py, failure))?;
    sums.into_pyarray(py).reshape([groups, KINDS])
}

/// The x of L L' x = right, from L and L'.
#[pyfunction]
pub fn substitute<'py>(
    py: Python<'py>,
    lower: PyReadonlyArray2<'py, f64>,
    upper: PyReadonlyArray2<'py, f64>,
    right: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (lower, upper, right) = (lower.as_slice()?, upper.as_slice()?, right.as_slice()?);
    let done = py.detach(|| guarded(|| Ok(substituting::solve(lower, upper, right)?)));
    let done = done.map_err(|failure| raise(py, failure))?;
    let x = done.ok_or_else(|| PyValueError::new_err("the triangles and the right side do not fit together"))?;
    Ok(x.into_pyarray(py))
}
