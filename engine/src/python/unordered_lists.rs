//! Python's view of lists in flat columns whose rows come in any order.

use std::sync::{Mutex, PoisonError};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::unordered_rows::UnorderedRows;
use crate::error::Error;
use crate::ids::column::{IntIds, TextIds};
use crate::panics::catch_panic;
use crate::python::convert::raise;
use crate::python::id_columns::{AnyPools, Column, ColumnPools, Given, lists, of_kinds, rows_of, unfit, wanted};

enum AnyRows {
    Whole(UnorderedRows<IntIds>),
    Text(UnorderedRows<TextIds>),
}

/// Rows of lists, in any order.
#[pyclass(frozen)]
pub(crate) struct ListsGathered {
    held: Mutex<Option<AnyRows>>,
}

impl ListsGathered {
    /// None yet, of topics with these numbers.
    pub(crate) fn new(pools: &AnyPools, low: usize, high: usize) -> ListsGathered {
        let rows = match pools {
            AnyPools::WholeWhole(_) | AnyPools::TextWhole(_) => AnyRows::Whole(UnorderedRows::new(low, high)),
            AnyPools::WholeText(_) | AnyPools::TextText(_) => AnyRows::Text(UnorderedRows::new(low, high)),
        };
        ListsGathered { held: Mutex::new(Some(rows)) }
    }
}

/// Rows of a kind of documents.
trait Held: Given {
    fn held(rows: &mut AnyRows) -> Option<&mut UnorderedRows<Self>>;
    fn taken(rows: AnyRows) -> Option<UnorderedRows<Self>>;
}

impl Held for IntIds {
    fn held(rows: &mut AnyRows) -> Option<&mut UnorderedRows<IntIds>> {
        if let AnyRows::Whole(rows) = rows { Some(rows) } else { None }
    }

    fn taken(rows: AnyRows) -> Option<UnorderedRows<IntIds>> {
        if let AnyRows::Whole(rows) = rows { Some(rows) } else { None }
    }
}

impl Held for TextIds {
    fn held(rows: &mut AnyRows) -> Option<&mut UnorderedRows<TextIds>> {
        if let AnyRows::Text(rows) = rows { Some(rows) } else { None }
    }

    fn taken(rows: AnyRows) -> Option<UnorderedRows<TextIds>> {
        if let AnyRows::Text(rows) = rows { Some(rows) } else { None }
    }
}

#[pymethods]
impl ListsGathered {
    /// Rows of a batch, of which the first is number `first` of its file.
    fn add(
        &self,
        py: Python,
        pools: &ColumnPools,
        topics: Column,
        documents: Column,
        score: PyReadonlyArray1<f64>,
        first: u64,
    ) -> PyResult<()> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(held) = held.as_mut() else { return unfit() };
        of_kinds!(AnyPools, &pools.0, pools => {
            let given = rows_of::<T, D>(&topics, &documents, &score)?;
            let Some(rows) = D::held(held) else { return unfit() };
            let work = || rows.add::<T>(pools, given, first).map_err(Error::from);
            py.detach(|| catch_panic(work)).map_err(|failure| raise(py, failure))
        })
    }

    /// The lists of all rows.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        pools: &ColumnPools,
        ties: &str,
        on_duplicate: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let wanted = wanted(ties, on_duplicate)?;
        let Some(taken) = self.held.lock().unwrap_or_else(PoisonError::into_inner).take() else { return unfit() };
        of_kinds!(AnyPools, &pools.0, pools => {
            let Some(rows) = D::taken(taken) else { return unfit() };
            let done = py.detach(|| catch_panic(|| Ok(rows.judge::<T>(pools, wanted)?)));
            let done = done.map_err(|failure| raise(py, failure))?;
            lists(py, done)
        })
    }
}
