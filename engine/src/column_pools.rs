//! Python's view of judgments and lists in flat columns; `cranfield.contract` describes it.

use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::above::{Batch, Met, Standing, met};
use crate::column_judged::Lists;
use crate::column_lists::ListsGathered;
use crate::column_standing::DocumentsStanding;
use crate::columnar::{Judge, Wanted};
use crate::guard::guarded;
use crate::kinds::{Kind, TextRows, Texts, Whole};
use crate::noticed::{Noticed, OF_DOCUMENT};
use crate::order::{Ties, groups_wanted};
use crate::pools::{Gathered, Pools, end_of};
use crate::python::raise;

/// A column of ids: whole numbers, or the data and offsets of text.
#[derive(FromPyObject)]
pub(crate) enum Column<'py> {
    Whole(PyReadonlyArray1<'py, i64>),
    Text(PyReadonlyArray1<'py, u8>, PyReadonlyArray1<'py, i64>),
}

/// The ids of a column, where they are of this kind.
pub(crate) trait Given: Kind {
    fn given<'a>(column: &'a Column) -> PyResult<(Self::Rows<'a>, usize)>;
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

pub(crate) fn unfit<T>() -> PyResult<T> {
    Err(PyValueError::new_err("the columns are of other kinds or lengths, or hold something that is no id"))
}

impl Given for Whole {
    fn given<'a>(column: &'a Column) -> PyResult<(&'a [i64], usize)> {
        let Column::Whole(numbers) = column else { return unfit() };
        let numbers = numbers.as_slice()?;
        Ok((numbers, numbers.len()))
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.0.clone().into_pyarray(py).into_any())
    }
}

impl Given for Texts {
    fn given<'a>(column: &'a Column) -> PyResult<(TextRows<'a>, usize)> {
        let Column::Text(data, offsets) = column else { return unfit() };
        let Some(rows) = TextRows::new(data.as_slice()?, offsets.as_slice()?) else { return unfit() };
        Ok((rows, rows.count()))
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let arrays = (self.data.clone().into_pyarray(py), self.offsets.clone().into_pyarray(py));
        Ok(arrays.into_pyobject(py)?.into_any())
    }
}

/// Topics, documents and a number of each row.
pub(crate) fn rows_of<'a, T: Given, D: Given>(
    topics: &'a Column,
    documents: &'a Column,
    number: &'a PyReadonlyArray1<f64>,
) -> PyResult<(T::Rows<'a>, D::Rows<'a>, &'a [f64])> {
    let ((topics, one), (documents, other), number) = (T::given(topics)?, D::given(documents)?, number.as_slice()?);
    if one != number.len() || other != number.len() || number.len() >= u32::MAX as usize {
        return unfit();
    }
    Ok((topics, documents, number))
}

pub(crate) fn lists(py: Python<'_>, lists: Lists) -> PyResult<Bound<'_, PyDict>> {
    let (out, facts) = (PyDict::new(py), PyDict::new(py));
    let seen = Noticed::new(&facts)?;
    seen.note("extra-topics", ["count", "names"], (lists.others > 0).then_some((lists.others, lists.names)))?;
    let repeated = lists.repeat.map(|repeat| (lists.dropped, repeat.line, repeat.value, repeat.more));
    seen.note("duplicate", OF_DOCUMENT, repeated)?;
    for (name, values) in [
        ("topic", lists.topic),
        ("row", lists.row),
        ("length", lists.length),
        ("starts", lists.starts),
        ("rank", lists.rank),
        ("document", lists.document),
        ("first", lists.first),
        ("last", lists.last),
    ] {
        out.set_item(name, values.into_pyarray(py))?;
    }
    out.set_item("facts", facts)?;
    Ok(out)
}

pub(crate) fn wanted(ties: &str, on_duplicate: &str) -> PyResult<Wanted> {
    let keep_first = on_duplicate == "first";
    match Ties::parse(ties) {
        Some(parsed) if parsed != Ties::Rank => Ok(Wanted { ties: parsed, groups: groups_wanted(ties), keep_first }),
        _ => Err(PyValueError::new_err(format!("no tie policy of columns {ties:?}"))),
    }
}

/// The same for each combination of kinds of topics and documents.
macro_rules! of_kinds {
    ($enum:ident, $value:expr, $found:ident => $body:expr) => {
        match $value {
            $enum::WholeWhole($found) => {
                #[allow(dead_code)]
                type T = Whole;
                #[allow(dead_code)]
                type D = Whole;
                $body
            }
            $enum::WholeText($found) => {
                #[allow(dead_code)]
                type T = Whole;
                #[allow(dead_code)]
                type D = Texts;
                $body
            }
            $enum::TextWhole($found) => {
                #[allow(dead_code)]
                type T = Texts;
                #[allow(dead_code)]
                type D = Whole;
                $body
            }
            $enum::TextText($found) => {
                #[allow(dead_code)]
                type T = Texts;
                #[allow(dead_code)]
                type D = Texts;
                $body
            }
        }
    };
}

pub(crate) use of_kinds;

pub enum AnyPools {
    WholeWhole(Pools<Whole, Whole>),
    WholeText(Pools<Whole, Texts>),
    TextWhole(Pools<Texts, Whole>),
    TextText(Pools<Texts, Texts>),
}

enum AnyGathered {
    WholeWhole(Gathered<Whole, Whole>),
    WholeText(Gathered<Whole, Texts>),
    TextWhole(Gathered<Texts, Whole>),
    TextText(Gathered<Texts, Texts>),
}

/// Judgments in columns, as they come.
#[pyclass(frozen)]
pub struct PoolsGathered(Mutex<Option<AnyGathered>>);

/// Judged documents by topic, to look up those of columns.
#[pyclass(frozen)]
pub struct ColumnPools(pub AnyPools);

/// Judgments to be gathered; so many rows are expected.
#[pyfunction]
pub(crate) fn gather_pools(
    py: Python,
    whole_topics: bool,
    whole_documents: bool,
    rows: usize,
) -> PyResult<PoolsGathered> {
    let make = || {
        Ok(match (whole_topics, whole_documents) {
            (true, true) => AnyGathered::WholeWhole(Gathered::new(rows)?),
            (true, false) => AnyGathered::WholeText(Gathered::new(rows)?),
            (false, true) => AnyGathered::TextWhole(Gathered::new(rows)?),
            (false, false) => AnyGathered::TextText(Gathered::new(rows)?),
        })
    };
    let made = guarded(make).map_err(|failure| raise(py, failure))?;
    Ok(PoolsGathered(Mutex::new(Some(made))))
}

/// Where the rows of the first topic of a column end, and where those of the last one begin.
#[pyfunction]
pub(crate) fn topic_edges(py: Python, topics: Column) -> PyResult<(usize, usize)> {
    fn edges<T: Kind>(topics: T::Rows<'_>, rows: usize) -> (usize, usize) {
        if rows == 0 {
            return (0, 0);
        }
        let mut last = rows - 1;
        while last > 0 && T::same(T::id(topics, last - 1), T::id(topics, rows - 1)) {
            last -= 1;
        }
        (end_of::<T>(topics, 0, rows), last)
    }
    let found = match &topics {
        Column::Whole(numbers) => {
            let numbers = numbers.as_slice()?;
            guarded(|| Ok(edges::<Whole>(numbers, numbers.len())))
        }
        Column::Text(data, offsets) => {
            let Some(rows) = TextRows::unseen(data.as_slice()?, offsets.as_slice()?) else { return unfit() };
            guarded(|| Ok(edges::<Texts>(rows, rows.count())))
        }
    };
    found.map_err(|failure| raise(py, failure))
}

/// Pools of gathered judgments, where the documents of each topic begin, and their labels.
fn finished<T: Kind, D: Kind>(
    py: Python<'_>,
    gathered: Gathered<T, D>,
    wrap: fn(Pools<T, D>) -> AnyPools,
) -> PyResult<Bound<'_, PyTuple>> {
    let made = py.detach(|| guarded(|| Ok(gathered.finish()?)));
    let (pools, label) = made.map_err(|failure| raise(py, failure))?;
    let starts: Vec<i64> = pools.starts.iter().map(|&start| start as i64).collect();
    let pools = Bound::new(py, ColumnPools(wrap(pools)))?;
    (pools, starts.into_pyarray(py), label.into_pyarray(py)).into_pyobject(py)
}

#[pymethods]
impl PoolsGathered {
    fn add(&self, py: Python, topics: Column, documents: Column, label: PyReadonlyArray1<f64>) -> PyResult<()> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(gathered) = held.as_mut() else { return unfit() };
        of_kinds!(AnyGathered, gathered, gathered => {
            let (topics, documents, label) = rows_of::<T, D>(&topics, &documents, &label)?;
            let done = py.detach(|| guarded(|| Ok(gathered.add(topics, documents, label)?)));
            done.map_err(|failure| raise(py, failure))
        })
    }

    /// The pools, where the documents of each topic begin, and the label of each document.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(gathered) = taken else { return unfit() };
        match gathered {
            AnyGathered::WholeWhole(gathered) => finished(py, gathered, AnyPools::WholeWhole),
            AnyGathered::WholeText(gathered) => finished(py, gathered, AnyPools::WholeText),
            AnyGathered::TextWhole(gathered) => finished(py, gathered, AnyPools::TextWhole),
            AnyGathered::TextText(gathered) => finished(py, gathered, AnyPools::TextText),
        }
    }
}

#[pymethods]
impl ColumnPools {
    /// Ids of the topics, in order of first appearance.
    fn topics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_kinds!(AnyPools, &self.0, pools => pools.topics.names().to_python(py))
    }

    /// Ids of the documents, by topic and in the order of their text.
    fn documents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        of_kinds!(AnyPools, &self.0, pools => pools.documents.to_python(py))
    }

    /// Numbers of these topics, -1 where one is not judged.
    fn find<'py>(&self, py: Python<'py>, topics: Column) -> PyResult<Bound<'py, PyAny>> {
        of_kinds!(AnyPools, &self.0, pools => {
            let (topics, rows) = T::given(&topics)?;
            let number = |row| pools.topics.find(T::id(topics, row)).map_or(-1, |number| number as i64);
            Ok((0..rows).map(number).collect::<Vec<i64>>().into_pyarray(py).into_any())
        })
    }

    /// Lists whose rows are together.
    fn judge<'py>(
        &self,
        py: Python<'py>,
        topics: Column,
        documents: Column,
        score: PyReadonlyArray1<f64>,
        ties: &str,
        on_duplicate: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let wanted = wanted(ties, on_duplicate)?;
        of_kinds!(AnyPools, &self.0, pools => {
            let (topics, documents, score) = rows_of::<T, D>(&topics, &documents, &score)?;
            let work = || {
                let mut judge = Judge::new(pools, wanted);
                judge.together(topics, documents, score)?;
                Ok(judge.done)
            };
            let done = py.detach(|| guarded(work)).map_err(|failure| raise(py, failure))?;
            lists(py, done)
        })
    }

    /// The judged documents among some rows, of topics whose rows are in several files.
    fn met<'py>(
        &self,
        py: Python<'py>,
        topics: Column,
        documents: Column,
        score: PyReadonlyArray1<f64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let found: Met = of_kinds!(AnyPools, &self.0, pools => {
            let (topics, documents, score) = rows_of::<T, D>(&topics, &documents, &score)?;
            let batch = Batch::<T, D> { topics, documents, score };
            py.detach(|| guarded(|| Ok(met(pools, &batch)?))).map_err(|failure| raise(py, failure))?
        });
        let Met { topic, rows, document, score, row, tied } = found;
        let stretches = (topic.into_pyarray(py), rows.into_pyarray(py));
        let judged = (document.into_pyarray(py), score.into_pyarray(py), row.into_pyarray(py));
        (stretches.0, stretches.1, judged.0, judged.1, judged.2, tied).into_pyobject(py)
    }

    /// The judged documents that were retrieved, in their order; the score of each pool row is NaN where it was not.
    fn standing(&self, py: Python, score: PyReadonlyArray1<f64>, ties: &str) -> PyResult<DocumentsStanding> {
        let (score, ties) = (score.as_slice()?, wanted(ties, "error")?.ties);
        let made = of_kinds!(AnyPools, &self.0, pools => {
            if pools.starts.last() != Some(&score.len()) {
                return unfit();
            }
            py.detach(|| guarded(|| Ok(Standing::new(pools, score, ties)?)))
        });
        made.map(DocumentsStanding).map_err(|failure| raise(py, failure))
    }

    /// Rows in any order, of topics with these numbers, to be judged when all have come.
    fn gather(&self, low: usize, high: usize) -> ListsGathered {
        ListsGathered::new(&self.0, low, high)
    }
}
