//! Where the fields of a plain line end, and where its point is: 32 bytes at once.

use wide::{CmpEq, CmpLt, i8x16};

/// Bytes that are looked at together.
pub(crate) const WIDE: usize = 32;

/// Of some bytes of a line, the first one in the lowest bit.
pub(crate) struct Ends {
    /// Bytes that end a plain field: blanks, but control characters and what is no ASCII, too.
    ends: u32,
    points: u32,
}

impl Ends {
    #[inline(always)]
    pub(crate) fn of(bytes: &[u8; WIDE]) -> Ends {
        let (low, high) = (half(bytes, 0), half(bytes, WIDE / 2));
        // As signed numbers, bytes that are no ASCII are less than a blank.
        let beyond = i8x16::splat(b'!' as i8);
        let point = i8x16::splat(b'.' as i8);
        Ends {
            ends: joined(low.cmp_lt(beyond), high.cmp_lt(beyond)),
            points: joined(low.cmp_eq(point), high.cmp_eq(point)),
        }
    }

    /// Where the next field ends, which is passed by; `WIDE` where that is further on.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> usize {
        let end = self.ends.trailing_zeros() as usize;
        self.ends &= self.ends.wrapping_sub(1);
        end
    }

    /// Whether three fields end here.
    #[inline(always)]
    pub(crate) fn hold_three(&self) -> bool {
        let without_one = self.ends & self.ends.wrapping_sub(1);
        without_one & without_one.wrapping_sub(1) != 0
    }

    /// Where the first point at or behind `from` is; `WIDE` where there is none.
    #[inline(always)]
    pub(crate) fn point(&self, from: usize) -> usize {
        (self.points & u32::MAX.checked_shl(from as u32).unwrap_or(0)).trailing_zeros() as usize
    }
}

#[inline(always)]
fn half(bytes: &[u8; WIDE], at: usize) -> i8x16 {
    let mut half = [0; WIDE / 2];
    half.copy_from_slice(&bytes[at..at + WIDE / 2]);
    i8x16::new(half.map(|byte| byte as i8))
}

#[inline(always)]
fn joined(low: i8x16, high: i8x16) -> u32 {
    (low.move_mask() as u32) | (high.move_mask() as u32) << (WIDE / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_points_are_where_they_are_one_by_one() {
        for byte in 0..=u8::MAX {
            for place in 0..WIDE {
                let mut bytes = [b'x'; WIDE];
                bytes[place] = byte;
                let mut ends = Ends::of(&bytes);
                for from in 0..WIDE {
                    assert_eq!(ends.point(from), if byte == b'.' && from <= place { place } else { WIDE });
                }
                let end = byte <= b' ' || byte >= 0x80;
                assert_eq!((ends.next(), ends.next()), (if end { place } else { WIDE }, WIDE), "{byte} at {place}");
            }
        }
    }
    #[test]
    fn three_ends_are_held_wherever_they_are() {
        for ends in 0..1 << 12_u32 {
            // Three bits in each quarter of the bytes.
            let held = (0..12).filter(|bit| ends >> bit & 1 == 1);
            let mut bytes = [b'x'; WIDE];
            held.clone().for_each(|bit| bytes[bit / 3 * 8 + bit % 3 * 3 + bit % 2] = b' ');
            assert_eq!(Ends::of(&bytes).hold_three(), held.count() >= 3, "{ends:b}");
        }
    }
}
