//! Arrays that fit together, which is checked once, when they become one thing.

use std::ops::Deref;

/// Arrays of which some are as long as others, or point into them.
pub(crate) trait Check {
    /// Whether they fit together.
    fn fits(&self) -> bool;
}

/// Arrays that do; nothing else can be computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked<T>(T);

impl<T: Check> Checked<T> {
    /// `None` where they do not fit together.
    pub(crate) fn new(arrays: T) -> Option<Self> {
        arrays.fits().then_some(Checked(arrays))
    }

    pub(crate) fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Arrays of a test, which fit together.
#[cfg(test)]
pub(crate) fn checked<T: Check>(arrays: T) -> Checked<T> {
    let Some(arrays) = Checked::new(arrays) else { panic!("these arrays do not fit together") };
    arrays
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Columns(&'static [u8], &'static [u8]);

    impl Check for Columns {
        fn fits(&self) -> bool {
            self.0.len() == self.1.len()
        }
    }

    #[test]
    fn arrays_of_other_lengths_become_nothing() {
        assert!(Checked::new(Columns(b"ab", b"cd")).is_some_and(|columns| columns.1 == b"cd"));
        assert!(Checked::new(Columns(b"ab", b"c")).is_none());
    }
}
