//! Where the k-th largest value of a part of each row stands.

use crate::room::{Refused, Room, filled};

/// So many largest numbers are found by keeping them while all are looked at.
const MOST: usize = 8;

/// Only where k is this small a part of all is it worth it.
const FEW: usize = 8;

/// Rows of values, and parts of them.
pub struct Rows<'a> {
    /// [rows, width].
    pub values: &'a [f64],
    pub width: usize,
    /// Where each part begins and ends, and what is asked of it: 1 is the largest.
    pub begins: &'a [i64],
    pub ends: &'a [i64],
    pub kth: &'a [i64],
}

impl Rows<'_> {
    /// Whether the parts are within the rows, and have as many values as are asked for.
    pub fn fits(&self) -> bool {
        let parts = self.begins.iter().zip(self.ends).zip(self.kth);
        let within = |((&begin, &end), &kth): ((&i64, &i64), &i64)| {
            0 <= begin && begin < end && end <= self.width as i64 && 0 < kth && kth <= end - begin
        };
        [self.ends.len(), self.kth.len()] == [self.begins.len(); 2]
            && self.width > 0
            && self.values.len().is_multiple_of(self.width)
            && parts.clone().all(within)
    }

    /// Columns of the first such values, [parts, rows].
    pub fn places(&self) -> Result<Vec<i64>, Refused> {
        let count = self.values.len() / self.width;
        let mut found = filled(0_i64, count * self.begins.len())?;
        let (mut keys, mut some): (Vec<i64>, Vec<i64>) = (Vec::new(), Vec::new());
        keys.room(self.width)?;
        some.room(self.width)?;
        for (number, row) in self.values.chunks_exact(self.width).enumerate() {
            keys.clear();
            keys.extend(row.iter().copied().map(key));
            for (part, ((&begin, &end), &kth)) in self.begins.iter().zip(self.ends).zip(self.kth).enumerate() {
                let (begin, end) = (begin as usize, end as usize);
                let level = value(largest(&keys[begin..end], kth as usize, &mut some));
                let first = row[begin..end].iter().position(|&value| value == level).unwrap_or(0);
                found[part * count + number] = (begin + first) as i64;
            }
        }
        Ok(found)
    }
}

/// A whole number that is larger where `f64::total_cmp` says so.
#[inline(always)]
fn key(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

fn value(key: i64) -> f64 {
    f64::from_bits((key ^ (((key >> 63) as u64) >> 1) as i64) as u64)
}

/// The k-th largest; there is room in `some` for all.
fn largest(keys: &[i64], kth: usize, some: &mut Vec<i64>) -> i64 {
    some.clear();
    if kth * FEW > keys.len() {
        some.extend_from_slice(keys);
    } else {
        // Parts that have so many of their own as make up k together leave little that could be the k-th of all.
        let parts = kth.div_ceil(MOST);
        let each = kth.div_ceil(parts);
        let size = keys.len() / parts;
        let Some(border) = keys.chunks_exact(size).map(|part| first_of(part, each)).min() else { return 0 };
        some.extend(keys.iter().copied().filter(|&key| key >= border));
    }
    let at = some.len() - kth;
    *some.select_nth_unstable(at).1
}

/// The k-th largest of few, by keeping the k largest in order; the smallest number where there are not as many.
fn first_of(keys: &[i64], kth: usize) -> i64 {
    let mut best = [i64::MIN; MOST];
    let best = &mut best[..kth];
    for &key in keys {
        if key > best[0] {
            let place = best.partition_point(|&other| other < key);
            best.copy_within(1..place, 0);
            best[place - 1] = key;
        }
    }
    best[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kth_largest_is_that_of_sorting() {
        let mut state = 1_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        for size in [1, 7, 64, 100, 1000, 8001] {
            let values: Vec<f64> = (0..size).map(|_| draw() as f64 - 2f64.powi(30)).collect();
            let keys: Vec<i64> = values.iter().map(|&one| key(one)).collect();
            let mut sorted = values.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            for kth in [1, 5, 8, 9, 50, 51, 125, 1000].into_iter().filter(|&kth| kth <= size) {
                assert_eq!(value(largest(&keys, kth, &mut Vec::new())), sorted[kth - 1], "{kth} of {size}");
            }
        }
        assert!([-1.0, -0.0, 0.0, 1.0, f64::INFINITY, f64::NAN].map(key).is_sorted());
    }

    #[test]
    fn the_first_of_equal_values_is_found() {
        let values = [1.0, 3.0, 2.0, 3.0, 0.0, -0.0, 5.0, 5.0];
        let mut rows = Rows { values: &values, width: 4, begins: &[0, 0, 2], ends: &[4, 4, 4], kth: &[2, 3, 2] };
        assert!(rows.fits());
        assert_eq!(rows.places(), Ok(vec![1, 2, 2, 0, 2, 2]));
        rows.kth = &[2, 3, 3];
        assert!(!rows.fits());
    }
}
