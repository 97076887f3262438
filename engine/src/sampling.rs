//! Python's view of what is counted over samples. Only bindings here.

use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::guard::guarded;
use crate::python::raise;
use crate::reaching::Pairs;

/// How many samples reach the level of each pair, alone and with the pairs before it.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays
pub fn count_reached<'py>(
    py: Python<'py>,
    sums: PyReadonlyArray2<'py, f64>,
    left: PyReadonlyArray1<'py, i64>,
    right: PyReadonlyArray1<'py, i64>,
    signed: bool,
    scale: PyReadonlyArray1<'py, f64>,
    squares: Option<PyReadonlyArray2<'py, f64>>,
    levels: PyReadonlyArray1<'py, f64>,
    largest: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let pairs = Pairs {
        sums: sums.as_slice()?,
        left: left.as_slice()?,
        right: right.as_slice()?,
        signed,
        scale: scale.as_slice()?,
        squares: squares.as_ref().map(PyReadonlyArray2::as_slice).transpose()?,
        levels: levels.as_slice()?,
    };
    let mut largest = largest.as_slice()?.to_vec();
    if sums.shape()[1] != largest.len() || !pairs.fits(largest.len()) {
        return Err(PyValueError::new_err("sums, pairs and samples do not fit together"));
    }
    let done = py.detach(|| guarded(|| Ok(pairs.count(&mut largest)?)));
    let found = done.map_err(|failure| raise(py, failure))?;
    let out = PyDict::new(py);
    out.set_item("alone", found.alone.into_pyarray(py))?;
    out.set_item("together", found.together.into_pyarray(py))?;
    out.set_item("largest", largest.into_pyarray(py))?;
    Ok(out)
}
