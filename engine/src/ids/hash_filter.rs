//! Bits of hashes: a look at one bit passes over most ids that are not there.

/// Word and bit of a hash in a power of two of words.
#[inline(always)]
fn position(words: usize, hash: u32) -> (usize, u32) {
    ((hash >> 6) as usize & (words - 1), hash & 63)
}

/// Note a hash.
#[inline(always)]
pub(crate) fn set(words: &mut [u64], hash: u32) {
    let (word, bit) = position(words.len(), hash);
    words[word] |= 1 << bit;
}

/// Whether a hash may have been noted.
#[inline(always)]
pub(crate) fn may_hold(words: &[u64], hash: u32) -> bool {
    let (word, bit) = position(words.len(), hash);
    words[word] >> bit & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_may_be_there() {
        let mut words = [0; 4];
        for hash in [0, 63, 64, 0x9e37_79b9, u32::MAX] {
            assert!(!may_hold(&words, hash));
            set(&mut words, hash);
            assert!(may_hold(&words, hash));
        }
    }
}
