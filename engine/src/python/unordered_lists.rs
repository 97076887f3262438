//! Python's view of lists in flat columns whose rows come in any order.

use std::sync::{Mutex, PoisonError};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::unordered_rows::UnorderedRows;
use crate::error::Error;
use crate::ids::column::{IntIds, TextIds};
use crate::python::convert::run;
use crate::python::id_columns::{
    ColumnPools, FromIdColumn, IdColumn, PoolsVariant, columns_do_not_fit, extract_rows, lists_to_dict, of_kinds,
    parse_list_options,
};

enum RowsVariant {
    Whole(UnorderedRows<IntIds>),
    Text(UnorderedRows<TextIds>),
}

/// Rows of lists, in any order.
#[pyclass(frozen, name = "UnorderedRows")]
pub(crate) struct PyUnorderedRows {
    gathered: Mutex<Option<RowsVariant>>,
}

impl PyUnorderedRows {
    /// None yet, of topics with these numbers.
    pub(crate) fn new(pools: &PoolsVariant, low: usize, high: usize) -> PyUnorderedRows {
        let rows = match pools {
            PoolsVariant::WholeWhole(_) | PoolsVariant::TextWhole(_) => {
                RowsVariant::Whole(UnorderedRows::new(low, high))
            }
            PoolsVariant::WholeText(_) | PoolsVariant::TextText(_) => RowsVariant::Text(UnorderedRows::new(low, high)),
        };
        PyUnorderedRows { gathered: Mutex::new(Some(rows)) }
    }
}

/// Rows of a kind of documents.
trait DocumentVariant: FromIdColumn {
    fn rows_mut(rows: &mut RowsVariant) -> Option<&mut UnorderedRows<Self>>;
    fn into_rows(rows: RowsVariant) -> Option<UnorderedRows<Self>>;
}

impl DocumentVariant for IntIds {
    fn rows_mut(rows: &mut RowsVariant) -> Option<&mut UnorderedRows<IntIds>> {
        if let RowsVariant::Whole(rows) = rows { Some(rows) } else { None }
    }

    fn into_rows(rows: RowsVariant) -> Option<UnorderedRows<IntIds>> {
        if let RowsVariant::Whole(rows) = rows { Some(rows) } else { None }
    }
}

impl DocumentVariant for TextIds {
    fn rows_mut(rows: &mut RowsVariant) -> Option<&mut UnorderedRows<TextIds>> {
        if let RowsVariant::Text(rows) = rows { Some(rows) } else { None }
    }

    fn into_rows(rows: RowsVariant) -> Option<UnorderedRows<TextIds>> {
        if let RowsVariant::Text(rows) = rows { Some(rows) } else { None }
    }
}

#[pymethods]
impl PyUnorderedRows {
    /// Rows of a batch, of which the first is number `first` of its file.
    fn add(
        &self,
        py: Python,
        pools: &ColumnPools,
        topics: IdColumn,
        documents: IdColumn,
        score: PyReadonlyArray1<f64>,
        first: u64,
    ) -> PyResult<()> {
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(gathered) = gathered.as_mut() else { return columns_do_not_fit() };
        of_kinds!(PoolsVariant, &pools.0, pools => {
            let batch = extract_rows::<T, D>(&topics, &documents, &score)?;
            let Some(rows) = D::rows_mut(gathered) else { return columns_do_not_fit() };
            let work = || rows.add::<T>(pools, batch, first).map_err(Error::from);
            run(py, work)
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
        let options = parse_list_options(ties, on_duplicate)?;
        let Some(taken) = self.gathered.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return columns_do_not_fit();
        };
        of_kinds!(PoolsVariant, &pools.0, pools => {
            let Some(rows) = D::into_rows(taken) else { return columns_do_not_fit() };
            let done = run(py, || rows.judge::<T>(pools, options))?;
            lists_to_dict(py, done)
        })
    }
}
