//! Python's view of judgments and lists in flat columns; `cranfield.engine.protocol` describes it.

use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::columns::list_judge::ListJudge;
use crate::columns::pools::{PoolBuilder, Pools, RowBatch, run_end};
use crate::error::{Error, InputError};
use crate::ids::column::{IdType, IntIds, TextIds};
use crate::memory::{AllocError, try_collect_exact};
use crate::python::convert::{run, run_attached, run_rows};
use crate::python::id_columns::{
    ColumnPools, FromIdColumn, IdColumn, PoolsVariant, any_bytes, columns_do_not_fit, extract_rows, lists_to_dict,
    of_kinds, parse_list_options,
};
use crate::python::unordered_lists::PyUnorderedRows;

enum PoolBuilderVariant {
    WholeWhole(PoolBuilder<IntIds, IntIds>),
    WholeText(PoolBuilder<IntIds, TextIds>),
    TextWhole(PoolBuilder<TextIds, IntIds>),
    TextText(PoolBuilder<TextIds, TextIds>),
}

/// Judgments in columns, as they come.
#[pyclass(frozen, name = "PoolBuilder")]
pub(crate) struct PyPoolBuilder(Mutex<Option<PoolBuilderVariant>>);

/// Judgments to be gathered; about this number of rows is expected.
#[pyfunction]
pub(crate) fn gather_pools(
    py: Python,
    whole_topics: bool,
    whole_documents: bool,
    rows: usize,
) -> PyResult<PyPoolBuilder> {
    let make = || -> Result<_, AllocError> {
        Ok(match (whole_topics, whole_documents) {
            (true, true) => PoolBuilderVariant::WholeWhole(PoolBuilder::new(rows)?),
            (true, false) => PoolBuilderVariant::WholeText(PoolBuilder::new(rows)?),
            (false, true) => PoolBuilderVariant::TextWhole(PoolBuilder::new(rows)?),
            (false, false) => PoolBuilderVariant::TextText(PoolBuilder::new(rows)?),
        })
    };
    let built = run_attached(py, make)?;
    Ok(PyPoolBuilder(Mutex::new(Some(built))))
}

/// Where the rows of the first topic of a column end, and where those of the last one begin.
#[pyfunction]
pub(crate) fn topic_edges(py: Python, topics: IdColumn) -> PyResult<(usize, usize)> {
    fn edges<T: IdType>(topics: T::Slice<'_>, rows: usize) -> (usize, usize) {
        if rows == 0 {
            return (0, 0);
        }
        let mut last = rows - 1;
        while last > 0 && T::eq(T::id(topics, last - 1), T::id(topics, rows - 1)) {
            last -= 1;
        }
        (run_end::<T>(topics, 0, rows), last)
    }
    match &topics {
        IdColumn::Whole(numbers) => {
            let numbers = numbers.as_slice()?;
            run_attached(py, || Ok::<_, Error>(edges::<IntIds>(numbers, numbers.len())))
        }
        IdColumn::Text(arrays) => {
            let Some(rows) = any_bytes(arrays)? else { return columns_do_not_fit() };
            run_attached(py, || Ok::<_, Error>(edges::<TextIds>(rows, rows.len())))
        }
    }
}

/// Pools of gathered judgments, where the documents of each topic begin, and their labels.
fn finish_pools<T: IdType, D: IdType>(
    py: Python<'_>,
    gathered: PoolBuilder<T, D>,
    wrap: fn(Pools<T, D>) -> PoolsVariant,
) -> PyResult<Bound<'_, PyTuple>> {
    let (pools, label) = run(py, || gathered.finish())?;
    let starts = run_attached(py, || try_collect_exact(pools.starts.iter().map(|&start| start as i64)))?;
    let pools = Bound::new(py, ColumnPools(wrap(pools)))?;
    (pools, starts.into_pyarray(py), label.into_pyarray(py)).into_pyobject(py)
}

#[pymethods]
impl PyPoolBuilder {
    fn add(&self, py: Python, topics: IdColumn, documents: IdColumn, label: PyReadonlyArray1<f64>) -> PyResult<()> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(gathered) = held.as_mut() else { return columns_do_not_fit() };
        of_kinds!(PoolBuilderVariant, gathered, gathered => {
            let RowBatch { topics, documents, number: label } = extract_rows::<T, D>(&topics, &documents, &label)?;
            run(py, || gathered.add(topics, documents, label))
        })
    }

    /// The pools, where the documents of each topic begin, and the label of each document.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(gathered) = taken else { return columns_do_not_fit() };
        match gathered {
            PoolBuilderVariant::WholeWhole(gathered) => finish_pools(py, gathered, PoolsVariant::WholeWhole),
            PoolBuilderVariant::WholeText(gathered) => finish_pools(py, gathered, PoolsVariant::WholeText),
            PoolBuilderVariant::TextWhole(gathered) => finish_pools(py, gathered, PoolsVariant::TextWhole),
            PoolBuilderVariant::TextText(gathered) => finish_pools(py, gathered, PoolsVariant::TextText),
        }
    }
}

#[pymethods]
impl ColumnPools {
    /// Ids of the topics, in order of first appearance.
    fn topics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_kinds!(PoolsVariant, &self.0, pools => pools.topics.names().to_python(py))
    }

    /// Ids of the documents, by topic and in the order of their text.
    fn documents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_kinds!(PoolsVariant, &self.0, pools => pools.documents.to_python(py))
    }

    /// Numbers of these topics, -1 where one is not judged.
    fn find<'py>(&self, py: Python<'py>, topics: IdColumn) -> PyResult<Bound<'py, PyAny>> {
        of_kinds!(PoolsVariant, &self.0, pools => {
            let (topics, rows) = T::from_column(&topics)?;
            let number = |row| pools.topics.find(T::id(topics, row)).map_or(-1, |number| number as i64);
            let numbers = run_rows(py, rows, || try_collect_exact((0..rows).map(number)))?;
            Ok(numbers.into_pyarray(py).into_any())
        })
    }

    /// Lists whose rows are together.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        topics: IdColumn,
        documents: IdColumn,
        score: PyReadonlyArray1<f64>,
        ties: &str,
        on_duplicate: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = parse_list_options(ties, on_duplicate)?;
        of_kinds!(PoolsVariant, &self.0, pools => {
            let batch = extract_rows::<T, D>(&topics, &documents, &score)?;
            let work = || -> Result<_, InputError> {
                let mut judge = ListJudge::new(pools, options);
                judge.judge_grouped(batch)?;
                Ok(judge.done)
            };
            let done = run(py, work)?;
            lists_to_dict(py, done)
        })
    }

    /// Rows in any order, of topics with these numbers, to be judged when all have come.
    fn gather(&self, low: usize, high: usize) -> PyUnorderedRows {
        PyUnorderedRows::new(&self.0, low, high)
    }
}
