//! Python's view of what users read of many lists, and of what documents are worth to measures. Only bindings here.

use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::measures::label_levels::GradedRows;
use crate::measures::rank_sums::{IdealSums, PairCounts, PairShares, RankedRows};
use crate::measures::user_models::GainLists;
use crate::python::convert::run_rows;
use crate::python::segments::{FloatArray, checked, require};

/// What a user reads of each list who hopes for half of `hope`: ranks seen, gain met, the chance of going on, and all gain.
#[pyfunction]
pub(crate) fn read_inst<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    gain: PyReadonlyArray1<'py, f64>,
    depth: i64,
    twice_target: f64,
) -> PyResult<[FloatArray<'py>; 4]> {
    let lists =
        checked(GainLists { starts: starts.as_slice()?, rank: rank.as_slice()?, gain: gain.as_slice()?, depth })?;
    let cells = usize::try_from(depth).unwrap_or(0).saturating_mul(lists.starts.len());
    let result = run_rows(py, cells, || lists.read_inst(twice_target))?;
    Ok([result.expected_depth, result.utility, result.stop_probability_left, result.gained]
        .map(|numbers| numbers.into_pyarray(py)))
}

/// What a user reads of each list who goes on from each rank with a chance of `goes_on`, and for whom either each gain takes
/// as much from it, or the gain down to a rank is enough: ranks seen, gain met, and the chance of going on.
#[pyfunction]
#[pyo3(signature = (starts, rank, gain, goes_on, enough=None))]
pub(crate) fn read_with_continuation<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    gain: PyReadonlyArray1<'py, f64>,
    goes_on: PyReadonlyArray1<'py, f64>,
    enough: Option<f64>,
) -> PyResult<[FloatArray<'py>; 3]> {
    let goes_on = goes_on.as_slice()?;
    let depth = i64::try_from(goes_on.len()).unwrap_or(i64::MAX);
    let lists =
        checked(GainLists { starts: starts.as_slice()?, rank: rank.as_slice()?, gain: gain.as_slice()?, depth })?;
    let result = run_rows(py, lists.rank.len(), || lists.read_with_continuation(goes_on, enough))?;
    Ok([result.expected_depth, result.utility, result.stop_probability_left].map(|numbers| numbers.into_pyarray(py)))
}

/// What each document loses to those of smaller levels above it.
#[pyfunction]
pub(crate) fn rpref_penalties<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    value: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, f64>,
) -> PyResult<FloatArray<'py>> {
    let lists =
        checked(GradedRows { starts: starts.as_slice()?, value: value.as_slice()?, levels: levels.as_slice()? })?;
    let rank = rank.as_slice()?;
    require(rank.len() == lists.value.len())?;
    Ok(run_rows(py, rank.len(), || lists.rpref_penalties(rank))?.into_pyarray(py))
}

/// What lists share with the best ones, weighed depth by depth.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // seven arrays
pub(crate) fn compat_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    value: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, f64>,
    better: PyReadonlyArray1<'py, i64>,
    whole: PyReadonlyArray1<'py, f64>,
    weights: PyReadonlyArray1<'py, f64>,
) -> PyResult<FloatArray<'py>> {
    let lists =
        checked(GradedRows { starts: starts.as_slice()?, value: value.as_slice()?, levels: levels.as_slice()? })?;
    let (rank, better, whole, weights) = (rank.as_slice()?, better.as_slice()?, whole.as_slice()?, weights.as_slice()?);
    require(rank.len() == lists.value.len() && whole.len() + 1 == lists.starts.len())?;
    let result = run_rows(py, rank.len(), || lists.compat_sums(better, rank, whole, weights))?;
    require(result.is_some())?;
    Ok(result.unwrap_or_default().into_pyarray(py))
}

/// Precisions by all levels, added up list by list; `None` where a sum is not finite.
#[pyfunction]
pub(crate) fn gap_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    value: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, f64>,
) -> PyResult<Option<FloatArray<'py>>> {
    let lists =
        checked(GradedRows { starts: starts.as_slice()?, value: value.as_slice()?, levels: levels.as_slice()? })?;
    let rank = rank.as_slice()?;
    require(rank.len() == lists.value.len())?;
    Ok(run_rows(py, rank.len(), || lists.gap_sums(rank))?.map(|sums| sums.into_pyarray(py)))
}

/// The sum over each list of the weights of its ranks, times values; `None` where a sum is not finite.
#[pyfunction]
#[pyo3(signature = (starts, rank, weights, values=None))]
pub(crate) fn weighed_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    weights: PyReadonlyArray1<'py, f64>,
    values: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Option<FloatArray<'py>>> {
    let lists = checked(RankedRows { starts: starts.as_slice()?, rank: rank.as_slice()? })?;
    let (weights, values) = (weights.as_slice()?, values.as_ref().map(|values| values.as_slice()).transpose()?);
    require(values.is_none_or(|values| values.len() == lists.rank.len()))?;
    Ok(run_rows(py, lists.rank.len(), || lists.weighed_sums(weights, values))?.map(|sums| sums.into_pyarray(py)))
}

/// The sum over each list of how rarely others stand above its documents, up to a number and of a limit of its own.
#[pyfunction]
pub(crate) fn bpref_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    most: PyReadonlyArray1<'py, f64>,
    limit: PyReadonlyArray1<'py, f64>,
) -> PyResult<FloatArray<'py>> {
    let lists = checked(RankedRows { starts: starts.as_slice()?, rank: rank.as_slice()? })?;
    let (most, limit) = (most.as_slice()?, limit.as_slice()?);
    require([most.len(), limit.len()] == [lists.starts.len() - 1; 2])?;
    Ok(run_rows(py, lists.rank.len(), || lists.bpref_sums(most, limit))?.into_pyarray(py))
}

/// The same below the first rank, of a limit that is the documents above.
#[pyfunction]
pub(crate) fn bpref_relative_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
) -> PyResult<FloatArray<'py>> {
    let lists = checked(RankedRows { starts: starts.as_slice()?, rank: rank.as_slice()? })?;
    Ok(run_rows(py, lists.rank.len(), || lists.bpref_relative_sums())?.into_pyarray(py))
}

/// The sum over each list of what penalties leave of the values of its documents, by limits of lists or of ranks.
#[pyfunction]
#[pyo3(signature = (starts, rank, value, penalty, limit=None, above=0))]
pub(crate) fn rpref_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    value: PyReadonlyArray1<'py, f64>,
    penalty: PyReadonlyArray1<'py, f64>,
    limit: Option<PyReadonlyArray1<'py, f64>>,
    above: i64,
) -> PyResult<FloatArray<'py>> {
    let lists = checked(RankedRows { starts: starts.as_slice()?, rank: rank.as_slice()? })?;
    let (value, penalty) = (value.as_slice()?, penalty.as_slice()?);
    let limit = limit.as_ref().map(|limit| limit.as_slice()).transpose()?;
    let rows = lists.rank.len();
    let fit = [value.len(), penalty.len()] == [rows; 2];
    require(fit && limit.is_none_or(|limit| limit.len() + 1 == lists.starts.len()))?;
    Ok(run_rows(py, rows, || lists.rpref_sums(value, penalty, limit, above))?.into_pyarray(py))
}

/// The sum over each list of precisions that are inferred from those places that were judged, times a weight of its own.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // four arrays and two numbers
pub(crate) fn infap_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    position: PyReadonlyArray1<'py, i64>,
    weight: PyReadonlyArray1<'py, f64>,
    hit: f64,
    margin: f64,
) -> PyResult<FloatArray<'py>> {
    let lists = checked(RankedRows { starts: starts.as_slice()?, rank: rank.as_slice()? })?;
    let (position, weight) = (position.as_slice()?, weight.as_slice()?);
    require(position.len() == lists.rank.len() && weight.len() + 1 == lists.starts.len())?;
    Ok(run_rows(py, position.len(), || lists.infap_sums(position, weight, hit, margin))?.into_pyarray(py))
}

/// The sums of best lists, [topics], read at the ranks of lists.
#[pyfunction]
pub(crate) fn ideal_sums<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    before: PyReadonlyArray1<'py, i64>,
    length: PyReadonlyArray1<'py, i64>,
    sums: PyReadonlyArray1<'py, f64>,
) -> PyResult<FloatArray<'py>> {
    let lists = checked(RankedRows { starts: starts.as_slice()?, rank: rank.as_slice()? })?;
    let best = IdealSums { length: length.as_slice()?, before: before.as_slice()?, sums: sums.as_slice()? };
    let result = run_rows(py, lists.rank.len(), || lists.ideal_sums(&best))?;
    require(result.is_some())?;
    Ok(result.unwrap_or_default().into_pyarray(py))
}

/// What pairs tell down to some rows: the share put right, what logarithms are taken of, and the share that is told.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // seven arrays and a choice
pub(crate) fn pair_shares<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    right: PyReadonlyArray1<'py, f64>,
    wrong: PyReadonlyArray1<'py, f64>,
    pairs: PyReadonlyArray1<'py, f64>,
    begins: PyReadonlyArray1<'py, i64>,
    position: PyReadonlyArray1<'py, i64>,
    signed: bool,
) -> PyResult<[FloatArray<'py>; 4]> {
    let (right, wrong) = (right.as_slice()?, wrong.as_slice()?);
    let pair_counts = checked(PairCounts { starts: starts.as_slice()?, right, wrong, pairs: pairs.as_slice()? })?;
    let rows = checked(RankedRows { starts: begins.as_slice()?, rank: position.as_slice()? })?;
    let result = run_rows(py, rows.rank.len(), || pair_counts.pair_shares(&rows, signed))?;
    require(result.is_some())?;
    let result = result.unwrap_or_default();
    Ok([result.share, result.p, result.one_minus_p, result.decided].map(|numbers| numbers.into_pyarray(py)))
}

/// What a reader who comes to each rank with a chance expects of the bits that are told there.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // seven arrays
pub(crate) fn reader_bits<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    rank: PyReadonlyArray1<'py, i64>,
    arrives: PyReadonlyArray1<'py, f64>,
    share: PyReadonlyArray1<'py, f64>,
    p: PyReadonlyArray1<'py, f64>,
    one_minus_p: PyReadonlyArray1<'py, f64>,
    decided: PyReadonlyArray1<'py, f64>,
) -> PyResult<FloatArray<'py>> {
    let lists = checked(RankedRows { starts: starts.as_slice()?, rank: rank.as_slice()? })?;
    let arrives = arrives.as_slice()?;
    let of = PairShares {
        share: share.as_slice()?,
        p: p.as_slice()?,
        one_minus_p: one_minus_p.as_slice()?,
        decided: decided.as_slice()?,
    };
    require(of.len() == Some(lists.rank.len()))?;
    let result = run_rows(py, lists.rank.len(), || lists.reader_bits(arrives, &of))?;
    require(result.is_some())?;
    Ok(result.unwrap_or_default().into_pyarray(py))
}
