//! Sums that are rounded once, at the end: no order of adding changes them.
//!
//! Shewchuk 1997, Adaptive precision floating-point arithmetic, doi:10.1007/PL00009321, as Python's `math.fsum` has it.

use crate::checked::Checked;
use crate::measures::segments::{ListValues, ranges};
use crate::memory::{AllocError, TryVec};

impl Checked<ListValues<'_, f64>> {
    /// The sum of each list, without NaN; 0 of nothing. `None` where one is infinite, or becomes so on the way.
    pub(crate) fn exact_sums(&self) -> Result<Option<Vec<f64>>, AllocError> {
        let mut out = Vec::new();
        out.try_reserve_more(self.starts.len())?;
        let mut parts = Vec::new();
        for (begin, end) in ranges(self.starts) {
            parts.clear();
            for &value in self.values[begin..end].iter().filter(|value| !value.is_nan()) {
                if !add(&mut parts, value)? {
                    return Ok(None);
                }
            }
            out.try_push(rounded(&parts))?;
        }
        Ok(Some(out))
    }
}

/// Add to numbers whose sum is exact: none overlaps another one, and they ascend.
fn add(parts: &mut Vec<f64>, value: f64) -> Result<bool, AllocError> {
    let (mut total, mut count) = (value, 0);
    for index in 0..parts.len() {
        let part = parts[index];
        let (large, small) = if total.abs() < part.abs() { (part, total) } else { (total, part) };
        total = large + small;
        let lost = small - (total - large);
        if lost != 0.0 {
            parts[count] = lost;
            count += 1;
        }
    }
    parts.truncate(count);
    if total != 0.0 {
        parts.try_push(total)?;
    }
    Ok(total.is_finite())
}

/// The double that is nearest to their sum, the even one of two.
fn rounded(parts: &[f64]) -> f64 {
    let Some((&last, mut remaining)) = parts.split_last() else { return 0.0 };
    let mut total = last;
    while let Some((&part, below)) = remaining.split_last() {
        let sum = total + part;
        let lost = part - (sum - total);
        (total, remaining) = (sum, below);
        if lost != 0.0 {
            // Half of the last digit is lost, and what is below it says to which side.
            if remaining.last().is_some_and(|&below| (lost < 0.0) == (below < 0.0)) {
                let (twice, next) = (2.0 * lost, total + 2.0 * lost);
                if next - total == twice {
                    total = next;
                }
            }
            break;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    fn sum(values: &[f64]) -> Result<Option<f64>, AllocError> {
        let starts = &[0, values.len() as i64];
        Ok(checked(ListValues { values, starts }).exact_sums()?.map(|sums| sums[0]))
    }

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(sum(&[0.1; 10]), Ok(Some(1.0)));
        assert_eq!(sum(&[1e100, 1.0, -1e100, f64::NAN]), Ok(Some(1.0)));
        let half = f64::EPSILON / 2.0;
        assert_eq!(sum(&[1.0, half, half * half]), Ok(Some(1.0 + f64::EPSILON)));
        assert_eq!(sum(&[1.0, half]), Ok(Some(1.0)));
        assert_eq!(sum(&[]), Ok(Some(0.0)));
        assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), Ok(None));
        assert_eq!(sum(&[1.0, f64::INFINITY]), Ok(None));
    }

    #[test]
    fn each_list_has_its_own() {
        let lists = ListValues { values: &[1.0, 2.0, 4.0], starts: &[0, 1, 1, 3] };
        assert_eq!(checked(lists).exact_sums(), Ok(Some(vec![1.0, 0.0, 6.0])));
    }
}
