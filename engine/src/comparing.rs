//! Python's view of what compares the lists of several runs. Only bindings here.

use numpy::{Element, IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::guard::guarded;
use crate::outcomes::{self, Cells, Places};
use crate::raise;

/// Places or ranks, [rows, columns], in the smaller or the larger whole numbers.
#[derive(FromPyObject)]
pub enum Table<'py> {
    Small(PyReadonlyArray2<'py, i16>),
    Large(PyReadonlyArray2<'py, i32>),
}

/// How often systems together say what of pairs of documents.
#[pyfunction]
pub fn count_outcomes<'py>(
    py: Python<'py>,
    place: Table<'py>,
    order: PyReadonlyArray1<'py, i64>,
    cuts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (order, cuts) = (order.as_slice()?, cuts.as_slice()?);
    let cells = match place {
        Table::Small(place) => counted(py, &place, order, cuts),
        Table::Large(place) => counted(py, &place, order, cuts),
    }?;
    let out = PyDict::new(py);
    out.set_item("toward", cells.toward.into_pyarray(py))?;
    out.set_item("against", cells.against.into_pyarray(py))?;
    out.set_item("first", cells.first.into_pyarray(py))?;
    out.set_item("second", cells.second.into_pyarray(py))?;
    Ok(out)
}

fn counted<P>(py: Python, place: &PyReadonlyArray2<P>, order: &[i64], cuts: &[i64]) -> PyResult<Cells>
where
    P: Element + Copy + Ord + Sync,
{
    let (documents, table) = (place.shape()[1], place.as_slice()?);
    let count = || {
        let (Some(cuts), Some(places)) = (outcomes::sizes(cuts)?, Places::new(table, documents, order)?) else {
            return Ok(None);
        };
        Ok(if outcomes::fits(&cuts, order.len()) { Some(places.count(&cuts, order)?) } else { None })
    };
    let done = py.detach(|| guarded(count)).map_err(|failure| raise(py, failure))?;
    done.ok_or_else(|| PyValueError::new_err("places, order and cuts do not fit together"))
}
