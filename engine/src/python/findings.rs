//! What a reader noticed, as Python reads it.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::notice::{DocumentNotice, LabelsNotice, LineNotice, NamesNotice, TagNotice, TopicLineNotice, TopicNotice};

/// Sets what was noticed by the names of its parts.
pub(crate) trait Parts {
    fn set(self, parts: &Bound<PyDict>) -> PyResult<()>;
}

/// The parts of a notice are its fields.
macro_rules! fields_are_parts {
    ($($notice:ident { $($field:ident),* })*) => {
        $(impl Parts for $notice {
            fn set(self, parts: &Bound<PyDict>) -> PyResult<()> {
                let $notice { $($field),* } = self;
                $(parts.set_item(stringify!($field), $field)?;)*
                Ok(())
            }
        })*
    };
}

fields_are_parts! {
    LineNotice { count, line, value }
    DocumentNotice { count, line, topic, document }
    TopicLineNotice { count, line, topic }
    TopicNotice { count, topic }
    NamesNotice { count, names }
    LabelsNotice { count, differing, topic, document }
}

/// A tag that differs, and the first of its run.
impl Parts for (TagNotice, &str) {
    fn set(self, parts: &Bound<PyDict>) -> PyResult<()> {
        let (TagNotice { line, value }, first) = self;
        parts.set_item("line", line)?;
        parts.set_item("value", value)?;
        parts.set_item("first", first)
    }
}

/// What was noticed: the code of a finding (`cranfield.findings.catalogue`), and the parts of its sentence by their names.
pub(crate) struct Findings<'py>(Bound<'py, PyDict>);

impl<'py> Findings<'py> {
    pub(crate) fn new(facts: &Bound<'py, PyDict>) -> PyResult<Self> {
        let noticed = PyDict::new(facts.py());
        facts.set_item("noticed", &noticed)?;
        Ok(Findings(noticed))
    }

    pub(crate) fn add(&self, code: &str, notice: Option<impl Parts>) -> PyResult<()> {
        let Some(notice) = notice else { return Ok(()) };
        let parts = PyDict::new(self.0.py());
        notice.set(&parts)?;
        self.0.set_item(code, parts)
    }
}
