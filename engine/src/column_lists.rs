//! Python's view of lists in flat columns whose rows come in any order.

use std::sync::{Mutex, PoisonError};

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::column_pools::{AnyPools, Column, ColumnPools, Given, lists, of_kinds, rows_of, unfit, wanted};
use crate::columnar::{Judge, Lists, Wanted};
use crate::guard::guarded;
use crate::kinds::{Kind, Texts, Whole};
use crate::pools::{Pools, Rows};
use crate::problem::Problem;
use crate::python::raise;
use crate::unpack::Failure;

/// Rows of topic t are in part `t % PARTS`: few enough to be put in order within the nearest caches.
const PARTS: usize = 64;
/// Rows whose topics are looked up side by side.
const AT_ONCE: usize = 256;
/// What stands for a topic without judgments.
const NONE: usize = usize::MAX;

type Parted<D> = Vec<Rows<D>>;

enum AnyRows {
    Whole(Parted<Whole>),
    Text(Parted<Texts>),
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
        fn none<D: Kind>() -> Parted<D> {
            (0..PARTS).map(|_| Rows::default()).collect()
        }
        let rows = match pools {
            AnyPools::WholeWhole(_) | AnyPools::TextWhole(_) => AnyRows::Whole(none()),
            AnyPools::WholeText(_) | AnyPools::TextText(_) => AnyRows::Text(none()),
        };
        ListsGathered { held: Mutex::new(Some(rows)), low, high }
    }
}

/// Rows of a kind of documents.
trait Held: Given {
    fn held(rows: &mut AnyRows) -> Option<&mut Parted<Self>>;
    fn taken(rows: AnyRows) -> Option<Parted<Self>>;
}

impl Held for Whole {
    fn held(rows: &mut AnyRows) -> Option<&mut Parted<Whole>> {
        if let AnyRows::Whole(rows) = rows { Some(rows) } else { None }
    }

    fn taken(rows: AnyRows) -> Option<Parted<Whole>> {
        if let AnyRows::Whole(rows) = rows { Some(rows) } else { None }
    }
}

impl Held for Texts {
    fn held(rows: &mut AnyRows) -> Option<&mut Parted<Texts>> {
        if let AnyRows::Text(rows) = rows { Some(rows) } else { None }
    }

    fn taken(rows: AnyRows) -> Option<Parted<Texts>> {
        if let AnyRows::Text(rows) = rows { Some(rows) } else { None }
    }
}

/// Keep the rows of judged topics between `low` and `high`.
fn keep<T: Kind, D: Kind>(
    parts: &mut [Rows<D>],
    pools: &Pools<T, D>,
    between: (usize, usize),
    (topics, documents, score): (T::Rows<'_>, D::Rows<'_>, &[f64]),
    first: u64,
) -> Result<(), Problem> {
    let mut numbers = [NONE; AT_ONCE];
    for from in (0..score.len()).step_by(AT_ONCE) {
        let rows = from..(from + AT_ONCE).min(score.len());
        for (number, row) in numbers.iter_mut().zip(rows.clone()) {
            *number = pools.topics.find(T::id(topics, row)).unwrap_or(NONE);
        }
        for (row, number) in rows.zip(numbers) {
            if between.0 <= number && number < between.1 {
                let part = &mut parts[number % PARTS];
                part.add(number / PARTS, D::id(documents, row), score[row])?;
                part.came_from(first + row as u64)?;
            }
        }
    }
    if parts.iter().any(|rows| rows.len() >= u32::MAX as usize) {
        return Err(Problem::new("too-many", 0));
    }
    Ok(())
}

/// The lists of all rows, by topic. Of what is wrong, that in the first topic is the problem.
fn judged<T: Kind, D: Kind>(parts: Parted<D>, pools: &Pools<T, D>, wanted: Wanted) -> Result<Lists, Problem> {
    let mut judge = Judge::<T, D>::new(pools, wanted);
    let mut wrong: Option<(usize, Problem)> = None;
    for (part, rows) in parts.into_iter().enumerate().filter(|(_, rows)| rows.len() > 0) {
        let (rows, starts) = rows.by_topic(pools.topics.len().div_ceil(PARTS), false)?;
        let found = judge.scattered(&rows, &starts, |number| number * PARTS + part);
        wrong = wrong.into_iter().chain(found.err()).min_by_key(|(topic, _)| *topic);
    }
    wrong.map_or_else(|| Ok(judge.done.by_topic()?), |(_, problem)| Err(problem))
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
            let done = py.detach(|| guarded(|| Ok(judged::<T, D>(rows, pools, wanted)?)));
            let done = done.map_err(|failure| raise(py, failure))?;
            lists(py, done)
        })
    }
}
