//! Counting sort: values put into numbered groups, those of a group in the order in which they came.

use crate::memory::{AllocError, try_filled, try_to_vec};

/// The first row of each group and the end of the last one, from the group of each value.
pub(crate) fn group_starts(groups: impl Iterator<Item = usize>, count: usize) -> Result<Vec<usize>, AllocError> {
    let mut starts = try_filled(0_usize, count + 1)?;
    groups.for_each(|group| starts[group + 1] += 1);
    for group in 0..count {
        starts[group + 1] += starts[group];
    }
    Ok(starts)
}

/// Values by their groups, which are numbered below `groups`: group g has `values[starts[g]..starts[g + 1]]`. Starts come first.
pub(crate) fn sort_into_groups<V: Copy + Default>(
    values: impl Iterator<Item = (usize, V)> + Clone,
    count: usize,
) -> Result<(Vec<usize>, Vec<V>), AllocError> {
    let starts = group_starts(values.clone().map(|(group, _)| group), count)?;
    let (mut next, mut sorted) = (try_to_vec(&starts)?, try_filled(V::default(), starts[count])?);
    values.for_each(|(group, value)| {
        sorted[next[group]] = value;
        next[group] += 1;
    });
    Ok((starts, sorted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_group_stay_in_their_order() {
        let values = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')];
        let expected = (vec![0, 2, 2, 4, 5], vec!['b', 'e', 'a', 'c', 'd']);
        assert_eq!(sort_into_groups(values.into_iter(), 4), Ok(expected));
        assert_eq!(sort_into_groups([(0, 'a'); 0].into_iter(), 0), Ok((vec![0], vec![])));
        assert_eq!(group_starts([1, 1, 0].into_iter(), 3), Ok(vec![0, 1, 3, 3]));
    }
}
