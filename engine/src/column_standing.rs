//! Python's view of the counts of what is above each judged document, for topics whose rows are in several files.

use numpy::{IntoPyArray, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::above::{Batch, Counts, Standing};
use crate::column_pools::{AnyPools, Column, ColumnPools, of_kinds, rows_of, unfit};
use crate::guard::guarded;
use crate::kinds::{Texts, Whole};
use crate::python::raise;

/// Retrieved judged documents in their order, at which what is above each is counted.
#[pyclass(frozen)]
pub struct DocumentsStanding(pub Standing);

#[pymethods]
impl DocumentsStanding {
    /// How many documents there are.
    fn __len__(&self) -> usize {
        self.0.documents().len()
    }

    /// Add the rows of a batch to the counts.
    fn count(
        &self,
        py: Python,
        pools: &ColumnPools,
        topics: Column,
        documents: Column,
        score: PyReadonlyArray1<f64>,
        counts: [PyReadwriteArray1<u32>; 3],
    ) -> PyResult<()> {
        let [mut above, mut tied, mut strict] = counts;
        let counts = self.counts(above.as_slice_mut()?, tied.as_slice_mut()?, strict.as_slice_mut()?);
        let Some(mut counts) = counts else { return unfit() };
        of_kinds!(AnyPools, &pools.0, pools => {
            if pools.topics.len() + 1 != self.0.starts().len() {
                return unfit();
            }
            let (topics, documents, score) = rows_of::<T, D>(&topics, &documents, &score)?;
            let batch = Batch::<T, D> { topics, documents, score };
            let done = py.detach(|| guarded(|| { self.0.count(pools, &batch, &mut counts); Ok(()) }));
            done.map_err(|failure| raise(py, failure))
        })
    }

    /// Where the documents of each topic begin, their pool rows, their ranks, and the ranks of those of equal score.
    fn ranks<'py>(&self, py: Python<'py>, counts: [PyReadwriteArray1<u32>; 3]) -> PyResult<Bound<'py, PyTuple>> {
        let [mut above, mut tied, mut strict] = counts;
        let counts = self.counts(above.as_slice_mut()?, tied.as_slice_mut()?, strict.as_slice_mut()?);
        let Some(counts) = counts else { return unfit() };
        let done = guarded(|| Ok(self.0.ranks(&counts)?)).map_err(|failure| raise(py, failure))?;
        let starts: Vec<i64> = self.0.starts().iter().map(|&start| start as i64).collect();
        let documents: Vec<i64> = self.0.documents().iter().map(|&document| i64::from(document)).collect();
        let (rank, first, last) = (done.0.into_pyarray(py), done.1.into_pyarray(py), done.2.into_pyarray(py));
        (starts.into_pyarray(py), documents.into_pyarray(py), rank, first, last).into_pyobject(py)
    }
}

impl DocumentsStanding {
    fn counts<'a>(&self, above: &'a mut [u32], tied: &'a mut [u32], strict: &'a mut [u32]) -> Option<Counts<'a>> {
        let documents = self.0.documents().len();
        let groups = tied.len() == strict.len() && (tied.is_empty() || tied.len() == documents);
        (above.len() == documents && groups).then_some(Counts { above, tied, strict })
    }
}
