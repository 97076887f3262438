//! Equations with a triangle of coefficients, by substitution: in one order of sums, so that every engine has the same bits.

use crate::room::{Refused, copied};

/// The x of L L' x = `right`, where `lower` has L by rows and `upper` L' by rows, [size, size] each; `None` where sizes differ.
pub fn solve(lower: &[f64], upper: &[f64], right: &[f64]) -> Result<Option<Vec<f64>>, Refused> {
    let size = right.len();
    if [lower.len(), upper.len()].map(Some) != [size.checked_mul(size); 2] {
        return Ok(None);
    }
    let mut x = copied(right)?;
    for row in 0..size {
        let column = &upper[row * size..(row + 1) * size];
        x[row] /= column[row];
        let (above, below) = x.split_at_mut(row + 1);
        less(below, above[row], &column[row + 1..]);
    }
    for row in (0..size).rev() {
        let column = &lower[row * size..(row + 1) * size];
        x[row] /= column[row];
        let (above, below) = x.split_at_mut(row);
        less(above, below[0], &column[..row]);
    }
    Ok(Some(x))
}

/// Take a multiple of a column away.
fn less(x: &mut [f64], times: f64, column: &[f64]) {
    for (x, column) in x.iter_mut().zip(column) {
        *x -= times * column;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_is_solved_from_both_ends() {
        // L is 2 0; 1 3, so that L L' is 4 2; 2 10.
        let found = solve(&[2.0, 0.0, 1.0, 3.0], &[2.0, 1.0, 0.0, 3.0], &[8.0, 22.0]);
        assert_eq!(found, Ok(Some(vec![1.0, 2.0])));
    }

    #[test]
    fn sizes_that_differ_are_noticed() {
        assert_eq!(solve(&[1.0], &[1.0], &[1.0, 2.0]), Ok(None));
        assert_eq!(solve(&[1.0], &[], &[1.0]), Ok(None));
        assert_eq!(solve(&[], &[], &[]), Ok(Some(vec![])));
    }
}
