//! What Python hands over: words as the choices that they name, and tables row by row.

use numpy::{Element, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::judging::piece::JudgeOptions;
use crate::ranking::tie_order;
use crate::trec::run_lines;

/// The layout of a run by its name.
pub(crate) fn parse_layout(word: &str) -> PyResult<run_lines::Layout> {
    run_lines::Layout::parse(word).ok_or_else(|| PyValueError::new_err(format!("no layout {word:?}")))
}

/// How a run is judged, by the names of its tie policy and of what becomes of duplicates.
pub(crate) fn judge_options(
    ties: &str,
    on_duplicate: &str,
    layout: run_lines::Layout,
    threads: usize,
) -> PyResult<JudgeOptions> {
    let groups = tie_order::needs_tie_groups(ties);
    let ties =
        tie_order::TieBreak::parse(ties).ok_or_else(|| PyValueError::new_err(format!("no tie policy {ties:?}")))?;
    Ok(JudgeOptions { layout, ties, keep_first: on_duplicate == "first", groups, threads })
}

/// The cells of a table, row by row.
///
/// `as_slice` alone also hands out a table that lies in memory column by column, such as a transposed one.
pub(crate) fn rows<'a, T: Element>(table: &'a PyReadonlyArray2<'_, T>) -> PyResult<&'a [T]> {
    if !table.is_c_contiguous() {
        return Err(PyValueError::new_err("a table should lie in memory row by row"));
    }
    Ok(table.as_slice()?)
}
