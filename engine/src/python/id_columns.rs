//! Columns of ids as Python hands them over, and the same work for each of their kinds.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::judged_lists::JudgedLists;
use crate::columns::list_judge::ListOptions;
use crate::columns::pools::{Pools, RowBatch};
use crate::ids::column::{IdType, IntIds, TextIdSlice, TextIds};
use crate::memory::try_to_vec;
use crate::notice::NamesNotice;
use crate::python::convert::{run_attached, set_judged};
use crate::python::findings::Findings;
use crate::ranking::tie_order::{TieBreak, needs_tie_groups};

/// A column of ids: whole numbers, or the data and offsets of text.
#[derive(FromPyObject)]
pub(crate) enum IdColumn<'py> {
    Whole(PyReadonlyArray1<'py, i64>),
    Text(TextArrays<'py>),
}

/// Text ids as Python has them: data and offsets.
pub(crate) type TextArrays<'py> = (PyReadonlyArray1<'py, u8>, PyReadonlyArray1<'py, i64>);

/// The same as ids of whatever bytes; None where data and offsets do not fit together.
pub(crate) fn any_bytes<'a>((data, offsets): &'a TextArrays) -> PyResult<Option<TextIdSlice<'a>>> {
    Ok(TextIdSlice::of_any_bytes(data.as_slice()?, offsets.as_slice()?))
}

/// Text ids to Python.
pub(crate) fn to_arrays(py: Python<'_>, ids: TextIds) -> (Bound<'_, PyArray1<u8>>, Bound<'_, PyArray1<i64>>) {
    (ids.data.into_pyarray(py), ids.offsets.into_pyarray(py))
}

/// Text ids among what Python is given by name.
pub(crate) fn set_ids(out: &Bound<PyDict>, ids: TextIds) -> PyResult<()> {
    let (data, offsets) = to_arrays(out.py(), ids);
    out.set_item("data", data)?;
    out.set_item("offsets", offsets)
}

/// The ids of a column, where they are of this kind.
pub(crate) trait FromIdColumn: IdType {
    fn from_column<'a>(column: &'a IdColumn) -> PyResult<(Self::Slice<'a>, usize)>;
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
}

pub(crate) fn columns_do_not_fit<T>() -> PyResult<T> {
    Err(PyValueError::new_err("the columns are of other kinds or lengths, or hold something that is not an id"))
}

impl FromIdColumn for IntIds {
    fn from_column<'a>(column: &'a IdColumn) -> PyResult<(&'a [i64], usize)> {
        let IdColumn::Whole(numbers) = column else { return columns_do_not_fit() };
        let numbers = numbers.as_slice()?;
        Ok((numbers, numbers.len()))
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(run_attached(py, || try_to_vec(&self.0))?.into_pyarray(py).into_any())
    }
}

impl FromIdColumn for TextIds {
    fn from_column<'a>(column: &'a IdColumn) -> PyResult<(TextIdSlice<'a>, usize)> {
        let IdColumn::Text((data, offsets)) = column else { return columns_do_not_fit() };
        let Some(rows) = TextIdSlice::new(data.as_slice()?, offsets.as_slice()?) else { return columns_do_not_fit() };
        Ok((rows, rows.len()))
    }

    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let copy = run_attached(py, || self.as_slice().to_owned())?;
        Ok(to_arrays(py, copy).into_pyobject(py)?.into_any())
    }
}

/// Topics, documents and a number of each row.
pub(crate) fn extract_rows<'a, T: FromIdColumn, D: FromIdColumn>(
    topics: &'a IdColumn,
    documents: &'a IdColumn,
    number: &'a PyReadonlyArray1<f64>,
) -> PyResult<RowBatch<'a, T, D>> {
    let ((topics, topic_rows), (documents, document_rows), number) =
        (T::from_column(topics)?, D::from_column(documents)?, number.as_slice()?);
    if topic_rows != number.len() || document_rows != number.len() || number.len() >= u32::MAX as usize {
        return columns_do_not_fit();
    }
    Ok(RowBatch { topics, documents, number })
}

pub(crate) fn lists_to_dict(py: Python<'_>, lists: JudgedLists) -> PyResult<Bound<'_, PyDict>> {
    let (out, facts) = (PyDict::new(py), PyDict::new(py));
    let seen = Findings::new(&facts)?;
    seen.add(
        "extra-topics",
        (lists.unjudged_topics > 0)
            .then_some(NamesNotice { count: lists.unjudged_topics, names: lists.unjudged_names }),
    )?;
    let repeated = lists.first_duplicate.map(|repeat| repeat.into_notice(lists.dropped));
    seen.add("duplicate", repeated)?;
    for (name, values) in
        [("topic", lists.topic), ("row", lists.row), ("length", lists.length), ("starts", lists.starts)]
    {
        out.set_item(name, values.into_pyarray(py))?;
    }
    set_judged(&out, lists.judged)?;
    out.set_item("facts", facts)?;
    Ok(out)
}

pub(crate) fn parse_list_options(ties: &str, on_duplicate: &str) -> PyResult<ListOptions> {
    let keep_first = on_duplicate == "first";
    match TieBreak::parse(ties) {
        Some(parsed) if parsed != TieBreak::Rank => {
            Ok(ListOptions { ties: parsed, groups: needs_tie_groups(ties), keep_first })
        }
        _ => Err(PyValueError::new_err(format!("no tie policy of columns {ties:?}"))),
    }
}

/// The same for each combination of kinds of topics and documents.
macro_rules! of_kinds {
    ($enum:ident, $value:expr, $inner:ident => $body:expr) => {
        match $value {
            $enum::WholeWhole($inner) => {
                #[allow(dead_code)]
                type T = IntIds;
                #[allow(dead_code)]
                type D = IntIds;
                $body
            }
            $enum::WholeText($inner) => {
                #[allow(dead_code)]
                type T = IntIds;
                #[allow(dead_code)]
                type D = TextIds;
                $body
            }
            $enum::TextWhole($inner) => {
                #[allow(dead_code)]
                type T = TextIds;
                #[allow(dead_code)]
                type D = IntIds;
                $body
            }
            $enum::TextText($inner) => {
                #[allow(dead_code)]
                type T = TextIds;
                #[allow(dead_code)]
                type D = TextIds;
                $body
            }
        }
    };
}

pub(crate) use of_kinds;

pub(crate) enum PoolsVariant {
    WholeWhole(Pools<IntIds, IntIds>),
    WholeText(Pools<IntIds, TextIds>),
    TextWhole(Pools<TextIds, IntIds>),
    TextText(Pools<TextIds, TextIds>),
}

/// Judged documents by topic, to look up those of columns.
#[pyclass(frozen)]
pub(crate) struct ColumnPools(pub PoolsVariant);
