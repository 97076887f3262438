//! Where the k-th largest value of a part of each row stands.

use crate::room::{Refused, Room, filled};

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
        let mut some: Vec<f64> = Vec::new();
        some.room(self.width)?;
        for (number, row) in self.values.chunks_exact(self.width).enumerate() {
            for (part, ((&begin, &end), &kth)) in self.begins.iter().zip(self.ends).zip(self.kth).enumerate() {
                let values = &row[begin as usize..end as usize];
                some.clear();
                some.extend_from_slice(values);
                let (_, &mut level, _) = some.select_nth_unstable_by(values.len() - kth as usize, f64::total_cmp);
                let first = values.iter().position(|&value| value == level).unwrap_or(0);
                found[part * count + number] = begin + first as i64;
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
