//! Rows in Python's own objects: dicts of dicts and lists, read without a line of Python a row.
//!
//! What is plain is read here: dicts of text or whole numbers to numbers. Anything else is left to Python, which knows
//! every object and words what is wrong: then nothing is returned.

use std::collections::HashSet;
use std::hash::Hash;

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::columns::row_groups::{NumberedIds, sort_by_id};
use crate::error::Error;
use crate::ids::column::{IdType, TextIds};
use crate::memory::TryVec;
use crate::python::convert::run_attached;
use crate::python::id_columns::to_arrays;
use crate::text::fields::MAX_ID_BYTES;

/// NumPy's numbers, which people find in the arrays that their models return. No code of Python runs where they are read.
const FLOATS: [&str; 2] = ["float32", "float16"];
const WHOLE: [&str; 8] = ["int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8"];

/// What of Python's types is plain, besides those that the interpreter itself names.
struct PlainTypes<'py> {
    floats: Vec<Bound<'py, PyAny>>,
    integers: Vec<Bound<'py, PyAny>>,
    growing: Bound<'py, PyAny>,
}

impl<'py> PlainTypes<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        let numpy = py.import("numpy")?;
        let named = |names: &[&str]| names.iter().map(|name| numpy.getattr(*name)).collect::<PyResult<Vec<_>>>();
        let growing = py.import("collections")?.getattr("defaultdict")?;
        Ok(PlainTypes { floats: named(&FLOATS)?, integers: named(&WHOLE)?, growing })
    }

    /// A dict that iterates as dicts do.
    fn dict<'a>(&self, value: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyDict>> {
        let plain = value.is_exact_instance_of::<PyDict>() || value.get_type().is(&self.growing);
        if plain { value.cast::<PyDict>().ok() } else { None }
    }

    /// A finite number.
    #[inline(always)]
    fn number(&self, value: &Bound<'py, PyAny>) -> Option<f64> {
        let number = match value.cast::<PyFloat>() {
            Ok(number) => number.extract().ok()?,
            Err(_) => match small_int(value) {
                Some(number) => number,
                None if self.is_number(value) => value.extract::<f64>().ok()?,
                None => return None,
            },
        };
        f64::is_finite(number).then_some(number)
    }

    #[cold]
    fn is_number(&self, value: &Bound<'py, PyAny>) -> bool {
        let class = value.get_type();
        value.is_exact_instance_of::<PyInt>()
            || value.is_exact_instance_of::<PyBool>()
            || is_one_of(&self.floats, &class)
            || is_one_of(&self.integers, &class)
    }

    /// Put an id behind others.
    #[inline(always)]
    fn add_id(&self, value: &Bound<'py, PyAny>, ids: &mut TextIds) -> Option<()> {
        match value.cast::<PyString>() {
            Ok(text) => add(text.to_str().ok()?, ids),
            Err(_) => self.whole_id(value, ids),
        }
    }

    #[cold]
    fn whole_id(&self, value: &Bound<'py, PyAny>, ids: &mut TextIds) -> Option<()> {
        let plain = value.is_exact_instance_of::<PyInt>() || is_one_of(&self.integers, &value.get_type());
        if !plain {
            return None;
        }
        add(&value.extract::<i128>().ok()?.to_string(), ids)
    }
}

/// A label as Python has most of them: a whole number that a double holds exactly.
#[inline(always)]
fn small_int(value: &Bound<PyAny>) -> Option<f64> {
    let number = value.cast_exact::<PyInt>().ok()?.extract::<i32>().ok()?;
    Some(f64::from(number))
}

fn is_one_of(types: &[Bound<PyAny>], class: &Bound<PyType>) -> bool {
    types.iter().any(|candidate| class.is(candidate))
}

#[inline(always)]
fn add(id: &str, ids: &mut TextIds) -> Option<()> {
    if id.is_empty() || id.len() > MAX_ID_BYTES {
        return None;
    }
    ids.try_push(id.as_bytes()).ok()
}

/// Whether all are ids, which are of good lengths; a NUL is looked for once, in all of them.
fn are_sound(ids: &TextIds) -> bool {
    memchr::memchr(0, &ids.data).is_none()
}

/// Topics and their rows.
struct NestedRows {
    topics: TextIds,
    starts: Vec<i64>,
    documents: TextIds,
    number: Vec<f64>,
}

/// Read topic -> document -> number; topics without documents have no rows, and are left out or refused.
fn read_nested<'py>(plain: &PlainTypes<'py>, nested: &Bound<'py, PyAny>, empty: bool) -> Option<NestedRows> {
    let mut out =
        NestedRows { topics: TextIds::default(), starts: vec![0], documents: TextIds::default(), number: Vec::new() };
    for (topic, inner) in plain.dict(nested)?.iter() {
        let inner = plain.dict(&inner)?;
        if inner.is_empty() {
            if empty {
                continue;
            }
            return None;
        }
        plain.add_id(&topic, &mut out.topics)?;
        for (document, number) in inner.iter() {
            plain.add_id(&document, &mut out.documents)?;
            out.number.try_push(plain.number(&number)?).ok()?;
        }
        out.starts.try_push(out.number.len() as i64).ok()?;
    }
    let topics = out.topics.len();
    let sound = are_sound(&out.topics) && are_sound(&out.documents) && topics > 0;
    (sound && all_distinct((0..topics).map(|topic| out.topics.get(topic)))).then_some(out)
}

/// Whether no two are equal: 1 and "1" are one id.
fn all_distinct<T: Eq + Hash>(mut items: impl Iterator<Item = T>) -> bool {
    let mut seen = HashSet::new();
    items.all(|item| seen.try_reserve(1).is_ok() && seen.insert(item))
}

/// The same with the documents of each topic in id byte order; none where one occurs twice.
fn sort_documents(rows: NestedRows) -> Option<NestedRows> {
    let NumberedIds { documents, number } =
        sort_by_id(&rows.starts, rows.documents.as_slice(), &rows.number).ok()??;
    Some(NestedRows { documents, number, ..rows })
}

/// Columns of topic -> document -> number: topics, starts, data and offsets of documents, numbers.
///
/// With `pools` documents of a topic are in id byte order, and a topic without any is not plain.
#[pyfunction]
pub(crate) fn nested_rows<'py>(nested: &Bound<'py, PyAny>, pools: bool) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let py = nested.py();
    let plain = PlainTypes::new(py)?;
    let read = || {
        let rows = read_nested(&plain, nested, !pools);
        if pools { rows.and_then(sort_documents) } else { rows }
    };
    let Some(rows) = run_attached(py, || Ok::<_, Error>(read()))? else { return Ok(None) };
    let names = (0..rows.topics.len()).map(|topic| String::from_utf8_lossy(rows.topics.get(topic)));
    let topics = PyList::new(py, names.collect::<Vec<_>>())?;
    let (data, offsets) = to_arrays(py, rows.documents);
    (topics, rows.starts.into_pyarray(py), data, offsets, rows.number.into_pyarray(py)).into_pyobject(py).map(Some)
}

/// Ids of a list as data and offsets.
#[pyfunction]
pub(crate) fn packed_ids<'py>(values: &Bound<'py, PyList>) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let py = values.py();
    let plain = PlainTypes::new(py)?;
    let read = || {
        let mut ids = TextIds::default();
        values.iter().try_for_each(|value| plain.add_id(&value, &mut ids))?;
        are_sound(&ids).then_some(ids)
    };
    let Some(ids) = run_attached(py, || Ok::<_, Error>(read()))? else { return Ok(None) };
    to_arrays(py, ids).into_pyobject(py).map(Some)
}
