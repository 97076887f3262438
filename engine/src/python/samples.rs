//! Python's view of what is counted over samples. Only bindings here.

use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::checked::{Check, Checked};
use crate::memory::try_to_vec;
use crate::python::arguments::rows;
use crate::python::convert::{run, run_attached};
use crate::statistics::exceedance_counts::{Divisor, PairSamples};
use crate::statistics::kth_largest::ColumnRanges;
use crate::statistics::separated_pairs::ColumnMeans;
use crate::statistics::studentized_bootstrap::ResampleBlock;
use crate::statistics::swap_counts::SubsetMeans;
use crate::statistics::t_test_counts::{TestCounts, WelchTests};

/// Arrays that fit together, whose shapes do as well; `names` are for the error where they do not.
fn fitting<T: Check>(arrays: T, shaped: bool, names: &str) -> PyResult<Checked<T>> {
    let arrays = Checked::new(arrays).filter(|_| shaped);
    arrays.ok_or_else(|| PyValueError::new_err(format!("{names} do not fit together")))
}

/// How many samples reach the level of each pair, alone and with the pairs before it.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays
pub(crate) fn count_reached<'py>(
    py: Python<'py>,
    sums: PyReadonlyArray2<'py, f64>,
    left: PyReadonlyArray1<'py, i64>,
    right: PyReadonlyArray1<'py, i64>,
    signed: bool,
    scale: PyReadonlyArray1<'py, f64>,
    squares: Option<PyReadonlyArray2<'py, f64>>,
    across: Option<PyReadonlyArray2<'py, f64>>,
    levels: PyReadonlyArray1<'py, f64>,
    largest: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let divisor = match (&squares, &across) {
        (None, None) => Divisor::One,
        (Some(squares), None) => Divisor::Squares(rows(squares)?),
        (None, Some(across)) => Divisor::WithRest(rows(across)?),
        (Some(_), Some(_)) => return Err(PyValueError::new_err("squares and sums across exclude each other")),
    };
    let largest = largest.as_slice()?;
    let pairs = PairSamples {
        samples: largest.len(),
        sums: rows(&sums)?,
        left: left.as_slice()?,
        right: right.as_slice()?,
        signed,
        scale: scale.as_slice()?,
        divisor,
        levels: levels.as_slice()?,
    };
    let pairs = fitting(pairs, sums.shape()[1] == largest.len(), "sums, pairs and samples")?;
    let mut largest = run_attached(py, || try_to_vec(largest))?;
    let counts = run(py, || pairs.count(&mut largest))?;
    let out = PyDict::new(py);
    out.set_item("alone", counts.single.into_pyarray(py))?;
    out.set_item("together", counts.step_down.into_pyarray(py))?;
    out.set_item("largest", largest.into_pyarray(py))?;
    Ok(out)
}

/// Two counts of each subset.
type CountArrays<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// How often the means of two columns over a subset decide as a minority of the subsets does.
#[pyfunction]
pub(crate) fn count_decisions<'py>(
    py: Python<'py>,
    columns: PyReadonlyArray2<'py, f64>,
    left: PyReadonlyArray1<'py, i64>,
    right: PyReadonlyArray1<'py, i64>,
    fuzziness: f64,
    slack: f64,
) -> PyResult<CountArrays<'py>> {
    let subsets = columns.shape()[1];
    let (left, right) = (left.as_slice()?, right.as_slice()?);
    let means = SubsetMeans { columns: rows(&columns)?, subsets, left, right, fuzziness, slack };
    let means = fitting(means, true, "columns and pairs")?;
    let counts = run(py, || means.count())?;
    Ok((counts.minority_twice.into_pyarray(py), counts.tied.into_pyarray(py)))
}

/// Counts of each pair, and a value of each part and pair.
type PairArrays<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray2<f64>>);

/// Of each pair the resamples that reach what was observed, and the moment of the k-th largest of each part of them.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays
pub(crate) fn largest_statistics<'py>(
    py: Python<'py>,
    sums: PyReadonlyArray2<'py, f64>,
    left: PyReadonlyArray1<'py, i64>,
    right: PyReadonlyArray1<'py, i64>,
    squares: PyReadonlyArray2<'py, f64>,
    limit: PyReadonlyArray1<'py, f64>,
    floor: PyReadonlyArray1<'py, f64>,
    cap: f64,
    begins: PyReadonlyArray1<'py, i64>,
    ends: PyReadonlyArray1<'py, i64>,
    kth: PyReadonlyArray1<'py, i64>,
) -> PyResult<PairArrays<'py>> {
    let (width, begins, ends) = (squares.shape()[0], begins.as_slice()?, ends.as_slice()?);
    let parts = ColumnRanges { width, begins, ends, kth: kth.as_slice()? };
    let parts = fitting(parts, true, "resamples, pairs and parts")?;
    let block = ResampleBlock {
        sums: rows(&sums)?,
        left: left.as_slice()?,
        right: right.as_slice()?,
        squares: rows(&squares)?,
        limit: limit.as_slice()?,
        floor: floor.as_slice()?,
        cap,
        parts,
    };
    let shaped = squares.shape() == [sums.shape()[1], block.limit.len()];
    let block = fitting(block, shaped, "resamples, pairs and parts")?;
    let counts = run(py, || block.count())?;
    let moments = counts.moments.into_pyarray(py).reshape([block.parts.kth.len(), block.limit.len()])?;
    Ok((counts.hits.into_pyarray(py), moments))
}

/// How many pairs of columns lie apart.
#[pyfunction]
pub(crate) fn count_apart<'py>(
    py: Python<'py>,
    mean: PyReadonlyArray1<'py, f64>,
    products: PyReadonlyArray2<'py, f64>,
    items: f64,
    factor: f64,
    least: f64,
) -> PyResult<i64> {
    let columns = ColumnMeans { mean: mean.as_slice()?, products: rows(&products)?, items, factor, least };
    let columns = fitting(columns, products.shape()[0] == products.shape()[1], "means and products")?;
    run(py, || columns.count())
}

/// Of each row the significant tests at each level, and all tests.
type TestArrays<'py> = (Bound<'py, PyArray2<i64>>, Bound<'py, PyArray1<i64>>);

fn tests_to_arrays(py: Python<'_>, counts: TestCounts, levels: usize) -> PyResult<TestArrays<'_>> {
    let shape = [counts.tested.len(), levels];
    Ok((counts.significant.into_pyarray(py).reshape(shape)?, counts.tested.into_pyarray(py)))
}

/// How many of Welch's tests are significant in each row, of each column with each other and with itself.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // Python hands over flat arrays
pub(crate) fn count_welch_tests<'py>(
    py: Python<'py>,
    means: PyReadonlyArray2<'py, f64>,
    errors: PyReadonlyArray2<'py, f64>,
    other_means: PyReadonlyArray2<'py, f64>,
    other_errors: PyReadonlyArray2<'py, f64>,
    low: PyReadonlyArray1<'py, f64>,
    high: PyReadonlyArray1<'py, f64>,
    curves: PyReadonlyArray2<'py, f64>,
) -> PyResult<(TestArrays<'py>, TestArrays<'py>)> {
    let levels = low.len();
    let welch = WelchTests {
        means: [rows(&means)?, rows(&other_means)?],
        errors: [rows(&errors)?, rows(&other_errors)?],
        columns: means.shape()[1],
        low: low.as_slice()?,
        high: high.as_slice()?,
        curves: rows(&curves)?,
    };
    let welch = fitting(welch, true, "means, errors and levels")?;
    let counts = run(py, || welch.count())?;
    Ok((tests_to_arrays(py, counts.others, levels)?, tests_to_arrays(py, counts.same, levels)?))
}
