//! How many pairs of columns lie apart: a difference of means against the error of that pair.

use crate::checked::{Check, Checked};
use crate::memory::{AllocError, try_collect_exact};

/// Columns of one sample.
#[derive(Clone, Copy)]
pub(crate) struct ColumnMeans<'a> {
    pub mean: &'a [f64],
    /// Sums of products of each two, without their means, [columns, columns].
    pub products: &'a [f64],
    pub items: f64,
    /// What a squared difference is to exceed: this multiple of its squared error, and no less than this.
    pub factor: f64,
    pub least: f64,
}

impl Check for ColumnMeans<'_> {
    fn fits(&self) -> bool {
        self.products.len() == self.mean.len() * self.mean.len()
    }
}

impl Checked<ColumnMeans<'_>> {
    /// Of the pairs, each once.
    pub(crate) fn count(&self) -> Result<i64, AllocError> {
        let columns = self.mean.len();
        let all_own = try_collect_exact((0..columns).map(|column| self.products[column * columns + column]))?;
        let rows = self.products.chunks_exact(columns.max(1)).enumerate();
        let of_row = |(row, products): (usize, &[f64])| {
            let (own, mean) = (all_own[row], self.mean[row]);
            let others = self.mean[row + 1..].iter().zip(&all_own[row + 1..]).zip(&products[row + 1..]);
            let apart = |((&other_mean, &other_own), &product): ((&f64, &f64), &f64)| {
                let spread = own + other_own - 2.0 * product;
                let error = (if spread > 0.0 { spread } else { 0.0 }) / (self.items - 1.0) / self.items;
                let (limit, apart) = (self.factor * error, mean - other_mean);
                i64::from(apart * apart > if limit > self.least { limit } else { self.least })
            };
            others.map(apart).sum::<i64>()
        };
        Ok(rows.map(of_row).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn pairs_apart_are_counted_once() {
        // Squared errors are (own + own - 2 product) / 2: 1 of the first two, 0 of the last two, 1 of the others.
        let products = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];
        let columns = ColumnMeans { mean: &[0.0, 1.0, 3.0], products: &products, items: 2.0, factor: 4.0, least: 0.5 };
        assert_eq!(checked(columns).count(), Ok(2));
        assert_eq!(checked(ColumnMeans { least: 4.0, ..columns }).count(), Ok(1));
        assert!(!ColumnMeans { mean: &[0.0; 2], ..columns }.fits());
    }
}
