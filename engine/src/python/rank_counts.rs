//! Python's view of the counts of what is above each judged document, for topics whose rows are in several files.

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::columns::rank_counts::{RankCounter, RankCounts, ScoredBatch};
use crate::error::Error;
use crate::ids::column::{IntIds, TextIds};
use crate::memory::try_collect_exact;
use crate::python::convert::run;
use crate::python::id_columns::{ColumnPools, FromIdColumn, IdColumn, PoolsVariant, columns_do_not_fit, of_kinds};

/// Retrieved judged documents in their order, at which what is above each is counted.
#[pyclass(frozen, name = "RankCounter")]
pub(crate) struct PyRankCounter(pub RankCounter);

#[pymethods]
impl PyRankCounter {
    /// How many documents there are.
    fn __len__(&self) -> usize {
        self.0.documents().len()
    }

    /// The score of each of the pool's rows, NaN where it was not retrieved.
    fn scores<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        if self.0.documents().iter().any(|&row| row as usize >= rows) {
            return columns_do_not_fit();
        }
        let scores = run(py, || self.0.scores(rows))?;
        Ok(scores.into_pyarray(py))
    }

    /// Add the rows of a batch to the counts; how many of them have the score of a document.
    #[pyo3(signature = (pools, topics, documents, score, counts))]
    fn count(
        &self,
        py: Python,
        pools: &ColumnPools,
        topics: IdColumn,
        documents: Option<IdColumn>,
        score: PyReadonlyArray1<f64>,
        counts: [PyReadwriteArray1<u32>; 3],
    ) -> PyResult<usize> {
        let [mut above, mut tied, mut strict] = counts;
        let counts = self.counts(above.as_slice_mut()?, tied.as_slice_mut()?, strict.as_slice_mut()?);
        let Some(mut counts) = counts else { return columns_do_not_fit() };
        of_kinds!(PoolsVariant, &pools.0, pools => {
            if pools.topics.len() + 1 != self.0.starts().len() {
                return columns_do_not_fit();
            }
            let ((topics, topic_rows), score) = (T::from_column(&topics)?, score.as_slice()?);
            let documents = documents.as_ref().map(D::from_column).transpose()?;
            if topic_rows != score.len() || documents.is_some_and(|(_, rows)| rows != topic_rows) {
                return columns_do_not_fit();
            }
            let batch = ScoredBatch::<T, D> { topics, documents: documents.map(|(documents, _)| documents), score };
            run(py, || Ok::<_, Error>(self.0.count(pools, &batch, &mut counts)))
        })
    }

    /// Turn counts of all rows, made without documents, into those that these would have given: no scores are equal but
    /// those of judged documents.
    fn resolve_ties(&self, py: Python, counts: [PyReadwriteArray1<u32>; 3]) -> PyResult<()> {
        let [mut above, mut tied, mut strict] = counts;
        let counts = self.counts(above.as_slice_mut()?, tied.as_slice_mut()?, strict.as_slice_mut()?);
        let Some(mut counts) = counts else { return columns_do_not_fit() };
        let done = run(py, || Ok::<_, Error>(self.0.resolve_ties(&mut counts)))?;
        done.then_some(()).map_or_else(columns_do_not_fit, Ok)
    }

    /// Where the documents of each topic from `low` to `high - 1` begin, from 0 on, their pool rows, their ranks, and the
    /// ranks of those of equal score.
    fn ranks<'py>(
        &self,
        py: Python<'py>,
        counts: [PyReadwriteArray1<u32>; 3],
        low: usize,
        high: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let [mut above, mut tied, mut strict] = counts;
        let counts = self.counts(above.as_slice_mut()?, tied.as_slice_mut()?, strict.as_slice_mut()?);
        let Some(counts) = counts else { return columns_do_not_fit() };
        let Some(starts) = self.0.starts().get(low..=high).filter(|_| low <= high) else { return columns_do_not_fit() };
        let done = run(py, || self.0.ranks(&counts, low..high))?;
        let starts = run(py, || try_collect_exact(starts.iter().map(|&start| (start - starts[0]) as i64)))?;
        let (rank, documents) = (done.rank.into_pyarray(py), done.document.into_pyarray(py));
        let (first, last) = (done.first.into_pyarray(py), done.last.into_pyarray(py));
        (starts.into_pyarray(py), documents, rank, first, last).into_pyobject(py)
    }
}

impl PyRankCounter {
    fn counts<'a>(&self, above: &'a mut [u32], tied: &'a mut [u32], strict: &'a mut [u32]) -> Option<RankCounts<'a>> {
        let documents = self.0.documents().len();
        let groups = tied.len() == strict.len() && (tied.is_empty() || tied.len() == documents);
        (above.len() == documents && groups).then_some(RankCounts { above, tied, strict })
    }
}
