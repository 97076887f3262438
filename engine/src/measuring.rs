//! Python's view of what measures need of many lists. Only bindings here.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::guard::guarded;
use crate::hoping::Lists;
use crate::pairs_down::Judged;
use crate::python::raise;
use crate::room::Refused;
use crate::segments::{self, Combine};

type Numbers<'py> = Bound<'py, PyArray1<f64>>;

/// Rows up to which others wait for this thread: it is done before they could begin.
const SHORT: usize = 1 << 18;

fn done<R: Send>(py: Python, rows: usize, work: impl FnOnce() -> Result<R, Refused> + Send) -> PyResult<R> {
    let work = || guarded(|| Ok(work()?));
    let done = if rows < SHORT { work() } else { py.detach(work) };
    done.map_err(|failure| raise(py, failure))
}

fn refuse_unless(fits: bool) -> PyResult<()> {
    if fits { Ok(()) } else { Err(PyValueError::new_err("lists and their rows do not fit together")) }
}

/// The sum of each list.
#[pyfunction]
pub fn list_sums<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Numbers<'py>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::fits(starts, values.len()))?;
    Ok(done(py, values.len(), || segments::sums(values, starts))?.into_pyarray(py))
}

/// What rows come to down to each row, or from it on.
#[pyfunction]
pub fn running_values<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    starts: PyReadonlyArray1<'py, i64>,
    combine: &str,
    upward: bool,
) -> PyResult<Option<Numbers<'py>>> {
    let (values, starts) = (values.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::fits(starts, values.len()))?;
    let combine = Combine::parse(combine).ok_or_else(|| PyValueError::new_err(format!("no way {combine:?}")))?;
    let found = done(py, values.len(), || segments::running(values, starts, combine, upward))?;
    Ok(found.map(|found| found.into_pyarray(py)))
}

/// How many rows are marked down to each row.
#[pyfunction]
pub fn running_counts<'py>(
    py: Python<'py>,
    marked: PyReadonlyArray1<'py, bool>,
    starts: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (marked, starts) = (marked.as_slice()?, starts.as_slice()?);
    refuse_unless(segments::fits(starts, marked.len()))?;
    Ok(done(py, marked.len(), || segments::running_count(marked, starts))?.into_pyarray(py))
}

/// Pairs put right and wrong down to each row.
#[pyfunction]
pub fn pairs_down<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    grade: PyReadonlyArray1<'py, f64>,
    labels: PyReadonlyArray1<'py, f64>,
    document: PyReadonlyArray1<'py, i64>,
    lower: PyReadonlyArray1<'py, f64>,
    higher: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let judged = Judged {
        starts: starts.as_slice()?,
        grade: grade.as_slice()?,
        labels: labels.as_slice()?,
        document: document.as_slice()?,
        lower: lower.as_slice()?,
        higher: higher.as_slice()?,
    };
    refuse_unless(judged.fits())?;
    let found = done(py, judged.grade.len(), || judged.count())?;
    let found = found.ok_or_else(|| PyValueError::new_err("a row has a label that there is not"))?;
    Ok((found.right.into_pyarray(py), found.wrong.into_pyarray(py)))
}

/// What a user reads of each list who hopes for half of `hope`: ranks seen, gain met, the chance of going on, and all gain.
#[pyfunction]
pub fn read_in_hope<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    gain: PyReadonlyArray1<'py, f64>,
    depth: i64,
    hope: f64,
) -> PyResult<[Numbers<'py>; 4]> {
    let lists = Lists { starts: starts.as_slice()?, rank: rank.as_slice()?, gain: gain.as_slice()?, depth };
    refuse_unless(lists.fits())?;
    let cells = usize::try_from(depth).unwrap_or(0).saturating_mul(lists.starts.len());
    let found = done(py, cells, || lists.read(hope))?;
    Ok([found.seen, found.utility, found.past, found.gained].map(|numbers| numbers.into_pyarray(py)))
}
