//! Memory asked for with an answer: where the system refuses it, a file is refused and the process goes on.

/// What a decompressor takes beyond its dictionary or window, a thread at its beginning, and other threads meanwhile: left
/// free before these begin and when their output grows, for they do not ask.
pub(crate) const HEADROOM: usize = 8 << 20;

/// Memory that the system refused, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AllocError(pub usize);

/// What a vector needs that follows the size of a file.
pub(crate) trait TryVec<T> {
    /// `Vec::push`.
    fn try_push(&mut self, value: T) -> Result<(), AllocError>;

    /// Room for this number more.
    fn try_reserve_more(&mut self, more: usize) -> Result<(), AllocError>;
}

impl<T> TryVec<T> for Vec<T> {
    #[inline(always)]
    fn try_push(&mut self, value: T) -> Result<(), AllocError> {
        if self.len() == self.capacity() {
            self.try_reserve_more(1)?;
        }
        self.push(value);
        Ok(())
    }

    #[cold]
    fn try_reserve_more(&mut self, more: usize) -> Result<(), AllocError> {
        let wanted = (self.len().saturating_add(more)).max(2 * self.capacity());
        self.try_reserve(more).map_err(|_| AllocError(wanted.saturating_mul(size_of::<T>())))
    }
}

/// As many of one value.
pub(crate) fn try_filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, AllocError> {
    let mut out = try_with_capacity(count)?;
    out.resize(count, value);
    Ok(out)
}

/// None yet, with room for this number: lists that are filled one after the other stay in the nearest cache.
pub(crate) fn try_with_capacity<T>(count: usize) -> Result<Vec<T>, AllocError> {
    let mut out = Vec::new();
    out.try_reserve_more(count)?;
    Ok(out)
}

/// All items of an iterator that knows how many it has.
pub(crate) fn try_collect_exact<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, AllocError> {
    let mut out = try_with_capacity(items.len())?;
    out.extend(items);
    Ok(out)
}

/// The same of items some of which may be missing: None where one is.
pub(crate) fn try_collect_present<T>(
    items: impl ExactSizeIterator<Item = Option<T>>,
) -> Result<Option<Vec<T>>, AllocError> {
    let mut out = try_with_capacity(items.len())?;
    for item in items {
        let Some(item) = item else { return Ok(None) };
        out.push(item);
    }
    Ok(Some(out))
}

/// A copy of a slice.
pub(crate) fn try_to_vec<T: Copy>(items: &[T]) -> Result<Vec<T>, AllocError> {
    try_collect_exact(items.iter().copied())
}

/// The largest of `most`, `most / 2`, ... down to `least` bytes that could be had now.
pub(crate) fn probe_free_memory(most: usize, least: usize) -> Result<usize, AllocError> {
    let mut wanted = most;
    loop {
        if Vec::<u8>::new().try_reserve_exact(wanted).is_ok() {
            return Ok(wanted);
        }
        if wanted <= least {
            return Err(AllocError(wanted));
        }
        wanted /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_had_is_refused_with_its_size() {
        let mut many: Vec<u64> = vec![1, 2];
        assert_eq!(many.try_reserve_more(1 << 60), Err(AllocError(((1 << 60) + 2) * 8)));
        assert_eq!(try_filled(0_u8, 1 << 62), Err(AllocError(1 << 62)));
        assert_eq!(many.try_push(3), Ok(()));
        assert_eq!(many, [1, 2, 3]);
        assert_eq!(probe_free_memory(1 << 62, 1 << 61), Err(AllocError(1 << 61)));
        assert!(probe_free_memory(1 << 62, 1).is_ok_and(|size| size >= 1 << 20));
    }

    #[test]
    fn copies_are_equal() {
        assert_eq!(try_to_vec(&[3, 1, 2]), Ok(vec![3, 1, 2]));
        assert_eq!(try_filled(7, 3), Ok(vec![7; 3]));
        assert_eq!(try_collect_present([Some(1), Some(2)].into_iter()), Ok(Some(vec![1, 2])));
        assert_eq!(try_collect_present([Some(1), None].into_iter()), Ok(None));
    }
}
