//! Python's view of what measures need of many lists. Only bindings here.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::measures::exact_sums as exact;
use crate::measures::rank_sums::RankedRows;
use crate::measures::row_selection::{self, SelectableRows};
use crate::measures::running_pairs::LabelledLists;
use crate::measures::segments::{self, ScanOp};
use crate::memory::AllocError;
use crate::panics::catch_panic;
use crate::python::convert::raise;

pub(crate) type Numbers<'py> = Bound<'py, PyArray1<f64>>;
type Whole<'py> = Bound<'py, PyArray1<i64>>;

/// Rows up to which others wait for this thread: it is done before they could begin.
const SHORT: usize = 1 << 18;

pub(crate) fn done<R: Send>(
    py: Python,
    rows: usize,
    work: impl FnOnce() -> Result<R, AllocError> + Send,
) -> PyResult<R> {
    let work = || catch_panic(|| Ok(work()?));
    let done = if rows < SHORT { work() } else { py.detach(work) };
    done.map_err(|failure| raise(py, failure))
}

pub(crate) fn refuse_unless(fits: bool) -> PyResult<()> {
    if fits { Ok(()) } else { Err(PyValueError::new_err("lists and their rows do not fit together")) }
}

/// The sum of each list.
#[pyfunction]
pub(crate) fn list_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Numbers<'py>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::valid_starts(starts, values.len()))?;
    Ok(done(py, values.len(), || segments::sum_lists(values, starts))?.into_pyarray(py))
}

/// The sum of each list, rounded once.
#[pyfunction]
pub(crate) fn exact_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<Numbers<'py>>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::valid_starts(starts, values.len()))?;
    Ok(done(py, values.len(), || exact::exact_sums(values, starts))?.map(|found| found.into_pyarray(py)))
}

/// What rows come to down to each row, or from it on.
#[pyfunction]
pub(crate) fn running_values<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
    combine: &str,
    upward: bool,
) -> PyResult<Option<Numbers<'py>>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::valid_starts(starts, values.len()))?;
    let combine = ScanOp::parse(combine).ok_or_else(|| PyValueError::new_err(format!("no way {combine:?}")))?;
    let found = done(py, values.len(), || segments::scan(values, starts, combine, upward))?;
    Ok(found.map(|found| found.into_pyarray(py)))
}

/// The product over the rows above each row.
#[pyfunction]
pub(crate) fn products_before<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<Numbers<'py>>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::valid_starts(starts, values.len()))?;
    let found = done(py, values.len(), || segments::exclusive_product(values, starts))?;
    Ok(found.map(|found| found.into_pyarray(py)))
}

/// The chance of each row to be the first at which something happens.
#[pyfunction]
pub(crate) fn first_chances<'py>(
    py: Python<'py>,
    chances: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Option<Numbers<'py>>> {
    let (chances, starts) = (chances.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::valid_starts(starts, chances.len()))?;
    let found = done(py, chances.len(), || segments::first_event_chances(chances, starts))?;
    Ok(found.map(|found| found.into_pyarray(py)))
}

/// How many rows of each list are marked.
#[pyfunction]
pub(crate) fn list_counts<'py>(
    py: Python<'py>,
    marked: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Numbers<'py>> {
    let (marked, starts) = (marked.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::valid_starts(starts, marked.len()))?;
    Ok(done(py, marked.len(), || segments::count_marked(marked, starts))?.into_pyarray(py))
}

/// How many rows are marked down to each row.
#[pyfunction]
pub(crate) fn running_counts<'py>(
    py: Python<'py>,
    marked: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Whole<'py>> {
    let (marked, starts) = (marked.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::valid_starts(starts, marked.len()))?;
    Ok(done(py, marked.len(), || segments::scan_marked(marked, starts))?.into_pyarray(py))
}

/// Pairs put right and wrong down to each row.
#[pyfunction]
pub(crate) fn pairs_down<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    document: PyReadonlyArray1<'py, i64>,
    labels: usize,
    place: PyReadonlyArray1<'py, i64>,
    lower: PyReadonlyArray1<'py, f64>,
    higher: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let judged = LabelledLists {
        starts: starts.as_slice()?,
        document: document.as_slice()?,
        labels,
        place: place.as_slice()?,
        lower: lower.as_slice()?,
        higher: higher.as_slice()?,
    };
    refuse_unless(judged.fits())?;
    let found = done(py, judged.document.len(), || judged.count())?;
    Ok((found.right.into_pyarray(py), found.wrong.into_pyarray(py)))
}

/// The marked rows of lists: where each list begins, ranks, documents, grades, and their places among all rows.
#[pyfunction]
#[allow(clippy::type_complexity)] // five columns
pub(crate) fn kept_rows<'py>(
    py: Python<'py>,
    marked: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    document: PyReadonlyArray1<'py, i64>,
    grade: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Whole<'py>, Whole<'py>, Whole<'py>, Numbers<'py>, Whole<'py>)> {
    let (starts, rank, document, grade) =
        (starts.as_slice()?, rank.as_slice()?, document.as_slice()?, grade.as_slice()?);
    let (marked, rows) = (marked.as_slice()?, SelectableRows { starts, rank, document, grade });
    refuse_unless(rows.fits(marked))?;
    let kept = done(py, marked.len(), || rows.select(marked))?;
    let [starts, rank, document] = [kept.starts, kept.rank, kept.document].map(|column| column.into_pyarray(py));
    Ok((starts, rank, document, kept.grade.into_pyarray(py), kept.place.into_pyarray(py)))
}

/// One past the last row of each list down to a rank of its own.
#[pyfunction]
pub(crate) fn rows_down_to<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    depth: PyReadonlyArray1<'py, i64>,
) -> PyResult<Whole<'py>> {
    let (starts, rank, depth) = (starts.as_slice()?, rank.as_slice()?, depth.as_slice()?);
    refuse_unless(segments::valid_starts(starts, rank.len()) && starts.len() == depth.len() + 1)?;
    Ok(done(py, depth.len(), || row_selection::rows_down_to(starts, rank, depth))?.into_pyarray(py))
}

/// The place of each row among those of its list.
#[pyfunction]
pub(crate) fn list_places<'py>(py: Python<'py>, starts: PyReadonlyArray1<'py, i64>) -> PyResult<Whole<'py>> {
    let starts = starts.as_slice()?;
    let rows = starts.last().and_then(|&rows| usize::try_from(rows).ok()).unwrap_or(0);
    refuse_unless(segments::valid_starts(starts, rows))?;
    Ok(done(py, rows, || RankedRows::places(starts, rows))?.into_pyarray(py))
}
