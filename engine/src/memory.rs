//! Memory asked for with an answer: where the system refuses it, a file is refused and the process goes on.

/// What a decompressor takes beyond its dictionary or window, a thread at its beginning, and other threads meanwhile: left
/// free before these begin and when their output grows, for they do not ask.
pub(crate) const SPARED: usize = 8 << 20;

/// Memory that the system refused, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refused(pub usize);

/// What a vector needs that follows the size of a file.
pub(crate) trait Room<T> {
    /// `Vec::push`.
    fn add(&mut self, value: T) -> Result<(), Refused>;

    /// Room for so many more.
    fn room(&mut self, more: usize) -> Result<(), Refused>;
}

impl<T> Room<T> for Vec<T> {
    #[inline(always)]
    fn add(&mut self, value: T) -> Result<(), Refused> {
        if self.len() == self.capacity() {
            self.room(1)?;
        }
        self.push(value);
        Ok(())
    }

    #[cold]
    fn room(&mut self, more: usize) -> Result<(), Refused> {
        let wanted = (self.len().saturating_add(more)).max(2 * self.capacity());
        self.try_reserve(more).map_err(|_| Refused(wanted.saturating_mul(size_of::<T>())))
    }
}

/// As many of one value.
pub(crate) fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Refused> {
    let mut out = empty(count)?;
    out.resize(count, value);
    Ok(out)
}

/// None yet, with room for so many: lists that are filled one after the other stay in the nearest cache.
pub(crate) fn empty<T>(count: usize) -> Result<Vec<T>, Refused> {
    let mut out = Vec::new();
    out.room(count)?;
    Ok(out)
}

/// All items of an iterator that knows how many it has.
pub(crate) fn gathered<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Refused> {
    let mut out = empty(items.len())?;
    out.extend(items);
    Ok(out)
}

/// A copy of a slice.
pub(crate) fn copied<T: Copy>(items: &[T]) -> Result<Vec<T>, Refused> {
    gathered(items.iter().copied())
}

/// The largest of `most`, `most / 2`, ... down to `least` bytes that could be had now.
pub(crate) fn available(most: usize, least: usize) -> Result<usize, Refused> {
    let mut wanted = most;
    loop {
        if Vec::<u8>::new().try_reserve_exact(wanted).is_ok() {
            return Ok(wanted);
        }
        if wanted <= least {
            return Err(Refused(wanted));
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
        assert_eq!(many.room(1 << 60), Err(Refused(((1 << 60) + 2) * 8)));
        assert_eq!(filled(0_u8, 1 << 62), Err(Refused(1 << 62)));
        assert_eq!(many.add(3), Ok(()));
        assert_eq!(many, [1, 2, 3]);
        assert_eq!(available(1 << 62, 1 << 61), Err(Refused(1 << 61)));
        assert!(available(1 << 62, 1).is_ok_and(|size| size >= 1 << 20));
    }

    #[test]
    fn copies_are_equal() {
        assert_eq!(copied(&[3, 1, 2]), Ok(vec![3, 1, 2]));
        assert_eq!(filled(7, 3), Ok(vec![7; 3]));
    }
}
