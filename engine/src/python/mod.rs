//! The engine as Python sees it: functions and classes of the module `_engine`, which `cranfield.engine.protocol` describes.
//!
//! Data come in as flat NumPy arrays, text and numbers, which are borrowed for the time of a call; what comes back are new
//! arrays, dicts and tuples of them. Each function checks that its arrays fit together, lets other threads of Python run
//! while it works (`convert::run`), but where it reads objects of Python, makes a copy or has few rows, and works behind the
//! guard against panics. A failure becomes an exception: `OSError` for
//! what the system refuses, `EngineError` with a code for what is wrong with an input, `ValueError` for arrays that do not
//! fit together.
//!
//! This is the only folder that names pyo3 or numpy: all others can be built, tested and fuzzed without Python. Nothing is
//! computed here.

pub(crate) mod arguments;
pub(crate) mod comparison;
pub(crate) mod convert;
pub(crate) mod findings;
pub(crate) mod id_columns;
pub(crate) mod ids;
pub(crate) mod measures;
pub(crate) mod module;
pub(crate) mod objects;
pub(crate) mod pools;
pub(crate) mod probe;
pub(crate) mod reading;
pub(crate) mod row_groups;
pub(crate) mod samples;
pub(crate) mod segments;
pub(crate) mod sign_regression;
pub(crate) mod unordered_lists;
pub(crate) mod writers;
