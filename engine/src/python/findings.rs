//! What a reader noticed, as Python reads it.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Parts of the facts that several readers notice.
pub(crate) const DOCUMENT_PARTS: [&str; 4] = ["count", "line", "topic", "document"];
pub(crate) const LINE_PARTS: [&str; 3] = ["count", "line", "value"];
pub(crate) const MIXED_TAGS_PARTS: [&str; 3] = ["line", "value", "first"];

/// What was noticed: the code of a finding (`cranfield.findings.catalogue`), and the parts of its sentence by their names.
pub(crate) struct Findings<'py>(Bound<'py, PyDict>);

impl<'py> Findings<'py> {
    pub(crate) fn new(facts: &Bound<'py, PyDict>) -> PyResult<Self> {
        let noticed = PyDict::new(facts.py());
        facts.set_item("noticed", &noticed)?;
        Ok(Findings(noticed))
    }

    pub(crate) fn add<T, const N: usize>(&self, code: &str, parts: [&str; N], fact: Option<T>) -> PyResult<()>
    where
        T: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
    {
        let Some(fact) = fact else { return Ok(()) };
        let named = PyDict::new(self.0.py());
        for (part, value) in parts.into_iter().zip(fact.into_pyobject(self.0.py())?) {
            named.set_item(part, value)?;
        }
        self.0.set_item(code, named)
    }
}
