//! Python's view of what compares the lists of several runs. Only bindings here.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::agreements::{self, Agreements};
use crate::ascending;
use crate::guard::guarded;
use crate::majority::Ranks;
use crate::outcomes::{self, Cells, Places};
use crate::python::raise;
use crate::union::{Lists, Union, unite};

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

/// How often every two systems say the same, and the opposite, of pairs of documents.
#[pyfunction]
pub fn count_agreements<'py>(
    py: Python<'py>,
    place: Table<'py>,
    order: PyReadonlyArray1<'py, i64>,
    cuts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyDict>> {
    let (order, cuts) = (order.as_slice()?, cuts.as_slice()?);
    let (systems, found) = match place {
        Table::Small(place) => (place.shape()[0], agreed(py, &place, order, cuts, i16::MAX)?),
        Table::Large(place) => (place.shape()[0], agreed(py, &place, order, cuts, i32::MAX)?),
    };
    let out = PyDict::new(py);
    for (name, table) in [("toward", found.toward), ("against", found.against), ("opposite", found.opposite)] {
        out.set_item(name, table.into_pyarray(py).reshape([systems, systems])?)?;
    }
    Ok(out)
}

fn agreed<P>(py: Python, place: &PyReadonlyArray2<P>, order: &[i64], cuts: &[i64], absent: P) -> PyResult<Agreements>
where
    P: Element + Copy + Ord + Sync,
{
    let (shape, table) = (place.shape(), place.as_slice()?);
    let count = || {
        let cuts = outcomes::sizes(cuts)?.filter(|cuts| outcomes::fits(cuts, order.len()));
        let lists = agreements::Lists::new(table, [shape[0], shape[1]], order, absent)?;
        Ok(match (cuts, lists) {
            (Some(cuts), Some(lists)) => Some(lists.count(&cuts)?),
            _ => None,
        })
    };
    let done = py.detach(|| guarded(count)).map_err(|failure| raise(py, failure))?;
    done.ok_or_else(|| PyValueError::new_err("places, order and cuts do not fit together"))
}

/// Documents of every list in the order of the majority of runs.
#[pyfunction]
pub fn majority_order<'py>(
    py: Python<'py>,
    rank: Table<'py>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let starts = starts.as_slice()?;
    let order = match rank {
        Table::Small(rank) => by_majority(py, &rank, starts),
        Table::Large(rank) => by_majority(py, &rank, starts),
    }?;
    Ok(order.into_pyarray(py))
}

fn by_majority<R>(py: Python, rank: &PyReadonlyArray2<R>, starts: &[i64]) -> PyResult<Vec<i64>>
where
    R: Element + Copy + Ord + Sync,
{
    let (documents, runs, table) = (rank.shape()[0], rank.shape()[1], rank.as_slice()?);
    let order = || {
        let starts = outcomes::sizes(starts)?.filter(|starts| outcomes::fits(starts, documents));
        Ok(match starts {
            Some(starts) => Some(Ranks { rank: table, runs }.order(&starts)?),
            None => None,
        })
    };
    let done = py.detach(|| guarded(order)).map_err(|failure| raise(py, failure))?;
    done.ok_or_else(|| PyValueError::new_err("ranks and starts do not fit together"))
}

/// Of each row, the sum of its values from the smallest on.
#[pyfunction]
pub fn sum_ascending<'py>(
    py: Python<'py>,
    row: PyReadonlyArray1<'py, i64>,
    values: PyReadonlyArray1<'py, f64>,
    rows: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (row, values) = (row.as_slice()?, values.as_slice()?);
    let done = py.detach(|| guarded(|| Ok(ascending::sums(row, values, rows)?)));
    let sums = done.map_err(|failure| raise(py, failure))?;
    let sums = sums.ok_or_else(|| PyValueError::new_err("rows and values do not fit together"))?;
    Ok(sums.into_pyarray(py))
}

/// The ids of a run, where its topics begin, and their numbers.
type Given<'py> =
    (PyReadonlyArray1<'py, u8>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>);

/// All documents of several runs.
#[pyfunction]
pub fn unite_documents<'py>(py: Python<'py>, runs: Vec<Given<'py>>, topics: usize) -> PyResult<Bound<'py, PyDict>> {
    let lists = runs.iter().map(|(data, offsets, starts, topics)| {
        let (data, offsets) = (data.as_slice()?, offsets.as_slice()?);
        Ok(Lists { data, offsets, starts: starts.as_slice()?, topics: topics.as_slice()? })
    });
    let lists = lists.collect::<PyResult<Vec<Lists>>>()?;
    let fit = lists.iter().all(|run| run.fits(topics));
    let done = py.detach(|| guarded(|| Ok(if fit { unite(&lists, topics)? } else { None })));
    let done = done.map_err(|failure| raise(py, failure))?;
    let Union { data, offsets, starts, rows } =
        done.ok_or_else(|| PyValueError::new_err("ids, offsets, starts and topics do not fit together"))?;
    let out = PyDict::new(py);
    out.set_item("data", data.into_pyarray(py))?;
    out.set_item("offsets", offsets.into_pyarray(py))?;
    out.set_item("starts", starts.into_pyarray(py))?;
    out.set_item("rows", PyList::new(py, rows.into_iter().map(|rows| rows.into_pyarray(py)))?)?;
    Ok(out)
}
