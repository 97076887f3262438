//! Where the fields of a plain line end, and where its point is: 32 bytes at once.

use wide::{CmpEq, CmpLt, i8x16};

/// Bytes that are looked at together.
pub(crate) const LANE_BYTES: usize = 32;

/// Of some bytes of a line, the first one in the lowest bit.
pub(crate) struct DelimiterMask {
    /// Bytes that end a plain field: blanks, but control characters and what is not ASCII, too.
    ends: u32,
    points: u32,
}

impl DelimiterMask {
    #[inline(always)]
    pub(crate) fn scan(bytes: &[u8; LANE_BYTES]) -> DelimiterMask {
        let (low, high) = (load_half(bytes, 0), load_half(bytes, LANE_BYTES / 2));
        // As signed numbers, bytes that are not ASCII are less than a blank.
        let beyond = i8x16::splat(b'!' as i8);
        let point = i8x16::splat(b'.' as i8);
        DelimiterMask {
            ends: join_masks(low.cmp_lt(beyond), high.cmp_lt(beyond)),
            points: join_masks(low.cmp_eq(point), high.cmp_eq(point)),
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
    pub(crate) fn has_three(&self) -> bool {
        let without_one = self.ends & self.ends.wrapping_sub(1);
        without_one & without_one.wrapping_sub(1) != 0
    }

    /// Where the first point at or behind `from` is; `WIDE` where there is none.
    #[inline(always)]
    pub(crate) fn decimal_point_after(&self, from: usize) -> usize {
        (self.points & u32::MAX.checked_shl(from as u32).unwrap_or(0)).trailing_zeros() as usize
    }
}

#[inline(always)]
fn load_half(bytes: &[u8; LANE_BYTES], at: usize) -> i8x16 {
    let mut half = [0; LANE_BYTES / 2];
    half.copy_from_slice(&bytes[at..at + LANE_BYTES / 2]);
    i8x16::new(half.map(|byte| byte as i8))
}

#[inline(always)]
fn join_masks(low: i8x16, high: i8x16) -> u32 {
    (low.move_mask() as u32) | (high.move_mask() as u32) << (LANE_BYTES / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every how many of all cases are tried: under Miri each takes a thousand times longer.
    const STEP: usize = if cfg!(miri) { 31 } else { 1 };

    #[test]
    fn ends_and_points_are_where_they_are_one_by_one() {
        for case in (0..256 * LANE_BYTES).step_by(STEP) {
            let (byte, place) = ((case / LANE_BYTES) as u8, case % LANE_BYTES);
            let mut bytes = [b'x'; LANE_BYTES];
            bytes[place] = byte;
            let mut ends = DelimiterMask::scan(&bytes);
            for from in 0..LANE_BYTES {
                let point = if byte == b'.' && from <= place { place } else { LANE_BYTES };
                assert_eq!(ends.decimal_point_after(from), point);
            }
            let end = if byte <= b' ' || byte >= 0x80 { place } else { LANE_BYTES };
            assert_eq!((ends.next(), ends.next()), (end, LANE_BYTES), "{byte} at {place}");
        }
    }

    #[test]
    fn three_ends_are_held_wherever_they_are() {
        for ends in (0..1 << 12_u32).step_by(STEP) {
            // Three bits in each quarter of the bytes.
            let held = (0..12).filter(|bit| ends >> bit & 1 == 1);
            let mut bytes = [b'x'; LANE_BYTES];
            held.clone().for_each(|bit| bytes[bit / 3 * 8 + bit % 3 * 3 + bit % 2] = b' ');
            assert_eq!(DelimiterMask::scan(&bytes).has_three(), held.count() >= 3, "{ends:b}");
        }
    }
}
