//! Python's view of a regression on what systems say. Only bindings here.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::memory::AllocError;
use crate::python::arguments::rows;
use crate::python::comparison::RankArray;
use crate::python::convert::run_fitting;
use crate::statistics::sign_regression::codes::{self, SYSTEMS_PER_BYTE};
use crate::statistics::sign_regression::fit::SignRegression;

/// What systems say of pairs of documents, five systems a byte.
#[pyfunction]
pub(crate) fn pack_outcomes<'py>(
    py: Python<'py>,
    ranks: RankArray<'py>,
    first: PyReadonlyArray1<'py, i64>,
    second: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let (first, second) = (first.as_slice()?, second.as_slice()?);
    let (systems, codes) = match ranks {
        RankArray::Small(ranks) => (ranks.shape()[0], encode_table(py, &ranks, first, second)?),
        RankArray::Large(ranks) => (ranks.shape()[0], encode_table(py, &ranks, first, second)?),
    };
    codes.into_pyarray(py).reshape([first.len(), systems.div_ceil(SYSTEMS_PER_BYTE)])
}

fn encode_table<P>(py: Python, ranks: &PyReadonlyArray2<P>, first: &[i64], second: &[i64]) -> PyResult<Vec<u8>>
where
    P: Element + Copy + Ord + Sync,
{
    let (documents, table) = (ranks.shape()[1], rows(ranks)?);
    run_fitting(py, "places and pairs", || codes::encode(table, documents, first, second))
}

/// Weights that predict a sign, the sums of each cell by them, and whether these separate the signs.
type FitArrays<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f32>>, bool);

/// The best weighted sum of what systems say.
#[pyfunction]
pub(crate) fn fit_signs<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    share: PyReadonlyArray1<'py, f64>,
    sign: PyReadonlyArray1<'py, f64>,
    start: PyReadonlyArray1<'py, f64>,
    beyond: bool,
) -> PyResult<FitArrays<'py>> {
    let (codes, share, sign, start) = (rows(&codes)?, share.as_slice()?, sign.as_slice()?, start.as_slice()?);
    let fit = || -> Result<_, AllocError> {
        let fit = SignRegression::new(codes, share, sign, start.len())?;
        fit.map(|mut fit| fit.fit(start, beyond)).transpose()
    };
    let fitted = run_fitting(py, "codes, shares, signs and weights", fit)?;
    Ok((fitted.weights.into_pyarray(py), fitted.score.into_pyarray(py), fitted.is_separated))
}
