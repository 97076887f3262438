//! Between Python and the engine: sources that Python names, and failures as its exceptions.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::error::{Error, ErrorFacts};
use crate::input::source::Source;
use crate::judging::piece::JudgedRun;
use crate::memory;
use crate::panics::catch_panic;
use crate::python::findings::Findings;
use crate::ranking::judged_ranks::JudgedRanks;

pub(crate) fn extract_source(source: &Bound<PyAny>) -> PyResult<Source> {
    if source.is_instance_of::<PyString>() {
        Ok(Source::Path(source.extract()?))
    } else if let Ok(bytes) = source.cast::<PyBytes>() {
        let copy = memory::try_to_vec(bytes.as_bytes());
        copy.map(Source::Bytes).map_err(|refused| to_py_err(source.py(), refused.into()))
    } else {
        Err(PyTypeError::new_err("source should be a path or bytes"))
    }
}

/// Do `work` behind the guard against panics while other threads of Python run; an error of it as an exception.
pub(crate) fn run<R: Send, E: Into<Error>>(py: Python, work: impl FnOnce() -> Result<R, E> + Send) -> PyResult<R> {
    py.detach(|| catch_panic(|| work().map_err(Into::into))).map_err(|error| to_py_err(py, error))
}

/// The same while this thread keeps the interpreter: for what is done at once, or reads objects of Python.
pub(crate) fn run_attached<R, E: Into<Error>>(py: Python, work: impl FnOnce() -> Result<R, E>) -> PyResult<R> {
    catch_panic(|| work().map_err(Into::into)).map_err(|error| to_py_err(py, error))
}

/// Rows up to which others wait for this thread: it is done before they could begin.
const DETACH_MIN_ROWS: usize = 1 << 18;

/// `run` for many rows, and `run_attached` for few.
pub(crate) fn run_rows<R: Send, E: Into<Error>>(
    py: Python,
    rows: usize,
    work: impl FnOnce() -> Result<R, E> + Send,
) -> PyResult<R> {
    if rows < DETACH_MIN_ROWS { run_attached(py, work) } else { run(py, work) }
}

/// `run`, whose work returns None where `arrays` do not fit together.
pub(crate) fn run_fitting<R: Send, E: Into<Error>>(
    py: Python,
    arrays: &str,
    work: impl FnOnce() -> Result<Option<R>, E> + Send,
) -> PyResult<R> {
    run(py, work)?.ok_or_else(|| PyValueError::new_err(format!("{arrays} do not fit together")))
}

pub(crate) fn to_py_err(py: Python, failure: Error) -> PyErr {
    let ErrorFacts { code, line, value, number, detail } = match failure.facts() {
        Err(error) => return os_error(error),
        Ok(facts) => facts,
    };
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let raised = py
        .import("cranfield.errors")
        .and_then(|errors| errors.getattr("EngineError"))
        .and_then(|class| class.call1((code, line, value, number, detail)));
    raised.map_or_else(|error| error, PyErr::from_value)
}

/// As Python raises it: the number decides the class, and the text is the system's alone.
fn os_error(error: std::io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else { return error.into() };
    let text = error.to_string();
    let text = text.rsplit_once(" (os error").map_or(text.as_str(), |(text, _)| text);
    let text = text.to_owned();
    if cfg!(windows) {
        // The number is one of Windows, the fourth argument there, from which Python takes that of POSIX.
        PyOSError::new_err((0, text, None::<String>, number))
    } else {
        PyOSError::new_err((number, text))
    }
}

/// Look up what is needed of NumPy, and keep it. Where it is looked up at the first array, a signal that came meanwhile is
/// raised in the middle of that, which is a panic. Here it is raised by the import, or after: the rest is done on a thread
/// of its own, where Python raises no signals.
#[pyfunction]
#[pyo3(name = "ask_for_numpy")]
pub(crate) fn warm_numpy(py: Python) -> PyResult<()> {
    py.import("numpy")?;
    let load = || Python::attach(|py| PyArray1::<u8>::zeros(py, 0, false).try_readonly().is_ok());
    py.detach(|| {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, load);
            thread.is_ok_and(|thread| thread.join().is_ok_and(|loaded| loaded)) || load()
        })
    });
    Ok(())
}

/// The ranks of judged documents, by the names that Python knows.
pub(crate) fn set_judged(out: &Bound<PyDict>, judged: JudgedRanks<i64>) -> PyResult<()> {
    let JudgedRanks { rank, document, first, last } = judged;
    for (name, values) in [("rank", rank), ("document", document), ("first", first), ("last", last)] {
        out.set_item(name, values.into_pyarray(out.py()))?;
    }
    Ok(())
}

/// What was found of a run, by the names that Python knows.
pub(crate) fn judged_to_dict(py: Python<'_>, judged: JudgedRun) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("rows", judged.facts.rows)?;
    facts.set_item("skipped", judged.facts.skipped)?;
    facts.set_item("tag", &judged.facts.tag)?;
    let (seen, tag) = (Findings::new(&facts)?, &judged.facts.tag);
    seen.add("mixed-tags", judged.facts.other_tag.map(|other| (other, tag.as_str())))?;
    seen.add("rank-text", judged.facts.rank_text)?;
    seen.add("commented-rows", judged.facts.commented)?;
    seen.add("rank-contradicts-score", judged.facts.contradicts)?;
    seen.add("extra-topics", judged.facts.unjudged)?;
    seen.add("duplicate", judged.facts.duplicates)?;
    let out = PyDict::new(py);
    out.set_item("length", judged.length.into_pyarray(py))?;
    out.set_item("starts", judged.starts.into_pyarray(py))?;
    set_judged(&out, judged.judged)?;
    out.set_item("facts", facts)?;
    Ok(out)
}
