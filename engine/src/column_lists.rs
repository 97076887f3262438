//! Python's view of lists in flat columns whose rows come in any order.

use std::sync::{Mutex, PoisonError};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::column_pools::{AnyPools, Column, ColumnPools, Given, lists, of_kinds, rows_of, unfit, wanted};
use crate::columnar::Judge;
use crate::guard::guarded;
use crate::kinds::{Kind, Texts, Whole};
use crate::pools::{Pools, Rows, end_of};
use crate::problem::Problem;
use crate::python::raise;
use crate::unpack::Failure;

enum AnyRows {
    Whole(Rows<Whole>),
    Text(Rows<Texts>),
}

/// Rows of lists, in any order.
#[pyclass(frozen)]
pub struct ListsGathered {
    held: Mutex<Option<AnyRows>>,
    low: usize,
    high: usize,
}

impl ListsGathered {
    /// None yet, of topics with these numbers.
    pub fn new(pools: &AnyPools, low: usize, high: usize) -> ListsGathered {
        let rows = match pools {
            AnyPools::WholeWhole(_) | AnyPools::TextWhole(_) => AnyRows::Whole(Rows::default()),
            AnyPools::WholeText(_) | AnyPools::TextText(_) => AnyRows::Text(Rows::default()),
        };
        ListsGathered { held: Mutex::new(Some(rows)), low, high }
    }
}

/// Rows of a kind of documents.
trait Held: Given {
    fn held(rows: &mut AnyRows) -> Option<&mut Rows<Self>>;
    fn taken(rows: AnyRows) -> Option<Rows<Self>>;
}

impl Held for Whole {
    fn held(rows: &mut AnyRows) -> Option<&mut Rows<Whole>> {
        if let AnyRows::Whole(rows) = rows { Some(rows) } else { None }
    }

    fn taken(rows: AnyRows) -> Option<Rows<Whole>> {
        if let AnyRows::Whole(rows) = rows { Some(rows) } else { None }
    }
}

impl Held for Texts {
    fn held(rows: &mut AnyRows) -> Option<&mut Rows<Texts>> {
        if let AnyRows::Text(rows) = rows { Some(rows) } else { None }
    }

    fn taken(rows: AnyRows) -> Option<Rows<Texts>> {
        if let AnyRows::Text(rows) = rows { Some(rows) } else { None }
    }
}

/// Keep the rows of judged topics between `low` and `high`.
fn keep<T: Kind, D: Kind>(
    rows: &mut Rows<D>,
    pools: &Pools<T, D>,
    between: (usize, usize),
    (topics, documents, score): (T::Rows<'_>, D::Rows<'_>, &[f64]),
    first: u64,
) -> Result<(), Problem> {
    let mut from = 0;
    while from < score.len() {
        let to = end_of::<T>(topics, from, score.len());
        if let Some(number) = pools.topics.find(T::id(topics, from)).filter(|&at| between.0 <= at && at < between.1) {
            for (row, &score) in (from..to).zip(&score[from..to]) {
                rows.add(number, D::id(documents, row), score)?;
                rows.came_from(first + row as u64)?;
            }
        }
        from = to;
    }
    if rows.len() >= u32::MAX as usize {
        return Err(Problem::new("too-many", 0));
    }
    Ok(())
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
            let work = || keep::<T, D>(rows, pools, (self.low, self.high), given, first).map_err(Failure::from);
            py.detach(|| guarded(work)).map_err(|failure| raise(py, failure))
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
            let work = || {
                let (rows, starts) = rows.by_topic(pools.topics.len(), false)?;
                let mut judge = Judge::<T, D>::new(pools, wanted);
                judge.scattered(&rows, &starts)?;
                Ok(judge.done)
            };
            let done = py.detach(|| guarded(work)).map_err(|failure| raise(py, failure))?;
            lists(py, done)
        })
    }
}
