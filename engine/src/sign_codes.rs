//! What many systems say of pairs of documents, five systems a byte, and the two products with it that a regression on signs
//! needs: sums over the systems of each pair, by looking up, and sums over the pairs of each system, by counting.

use crate::room::{Refused, Room, filled, gathered};

/// Systems of a byte, which can say 3^5 = 243 things.
pub const A_BYTE: usize = 5;

/// What a byte can be.
pub const KINDS: usize = 256;

/// Groups of five that are gone over together, so that one sum need not wait for another.
const TOGETHER: usize = 4;

/// Pairs at a time, so that what is read again is near.
const AT_ONCE: usize = 2048;

/// A number for each thing that five systems can say.
pub type Kinds = [f64; KINDS];

/// What the systems of `place`, [systems, documents], say of each pair: [systems / 5, pairs], in base 3, first system first, 2
/// where the first document is first, 0 where the second one is, 1 where neither is retrieved, and after the last system.
/// `None` where a pair is none of documents.
pub fn pack<P: Copy + Ord>(
    place: &[P],
    documents: usize,
    first: &[i64],
    second: &[i64],
) -> Result<Option<Vec<u8>>, Refused> {
    let pairs = first.len();
    let known = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < documents && row <= u32::MAX as usize);
    if second.len() != pairs || !first.iter().chain(second).all(known) {
        return Ok(None);
    }
    let sides = gathered(first.iter().zip(second).map(|(&one, &other)| [one as u32, other as u32]))?;
    let systems = place.len().checked_div(documents).unwrap_or(0);
    let mut codes = filled(0_u8, systems.div_ceil(A_BYTE) * pairs)?;
    let mut rows: Vec<[P; A_BYTE]> = Vec::new();
    rows.room(documents)?;
    for (group, codes) in codes.chunks_exact_mut(pairs.max(1)).enumerate() {
        let begin = group * A_BYTE;
        let of = |system: usize, row: usize| if system < systems { place[system * documents + row] } else { place[0] };
        rows.clear();
        rows.extend((0..documents).map(|row| std::array::from_fn(|at| of(begin + at, row))));
        for (code, [one, other]) in codes.iter_mut().zip(&sides) {
            let (one, other) = (&rows[*one as usize], &rows[*other as usize]);
            *code = one.iter().zip(other).fold(0, |code, (one, other)| {
                let said = u8::from(one < other) + u8::from(one <= other);
                3 * code + said
            });
        }
    }
    Ok(Some(codes))
}

/// Of each pair, the sum over groups of what the group's table has for its code, group after group.
pub fn look_up(codes: &[u8], pairs: usize, tables: &[Kinds]) -> Result<Vec<f64>, Refused> {
    let mut sums = filled(0.0, pairs)?;
    let groups = codes.chunks_exact(pairs.max(1)).zip(tables);
    let groups: Vec<(&[u8], &Kinds)> = groups.collect();
    for begin in (0..pairs).step_by(AT_ONCE) {
        let some = begin..pairs.min(begin + AT_ONCE);
        let sums = &mut sums[some.clone()];
        for together in groups.chunks(TOGETHER) {
            if let [a, b, c, d] = together {
                let codes = a.0[some.clone()].iter().zip(&b.0[some.clone()]);
                let codes = codes.zip(c.0[some.clone()].iter().zip(&d.0[some.clone()]));
                for (sum, ((&one, &two), (&three, &four))) in sums.iter_mut().zip(codes) {
                    *sum = *sum + a.1[one as usize] + b.1[two as usize] + c.1[three as usize] + d.1[four as usize];
                }
                continue;
            }
            for (codes, table) in together {
                for (sum, &code) in sums.iter_mut().zip(&codes[some.clone()]) {
                    *sum += table[code as usize];
                }
            }
        }
    }
    Ok(sums)
}

/// Of each group and code, the sum of the values of the pairs that have it, one pair after the other.
pub fn sum(codes: &[u8], values: &[f64]) -> Result<Vec<f64>, Refused> {
    let pairs = values.len();
    let groups: Vec<&[u8]> = codes.chunks_exact(pairs.max(1)).collect();
    let mut sums = filled([0.0; KINDS], groups.len())?;
    for begin in (0..pairs).step_by(AT_ONCE) {
        let some = begin..pairs.min(begin + AT_ONCE);
        let values = &values[some.clone()];
        for (codes, sums) in groups.chunks(TOGETHER).zip(sums.chunks_mut(TOGETHER)) {
            if let ([a, b, c, d], [one, two, three, four]) = (codes, &mut *sums) {
                let codes = a[some.clone()].iter().zip(&b[some.clone()]);
                let codes = codes.zip(c[some.clone()].iter().zip(&d[some.clone()]));
                for (&value, ((&a, &b), (&c, &d))) in values.iter().zip(codes) {
                    one[a as usize] += value;
                    two[b as usize] += value;
                    three[c as usize] += value;
                    four[d as usize] += value;
                }
                continue;
            }
            for (codes, sums) in codes.iter().zip(sums) {
                for (&value, &code) in values.iter().zip(&codes[some.clone()]) {
                    sums[code as usize] += value;
                }
            }
        }
    }
    gathered(sums.as_flattened().iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_systems_take_two_bytes() {
        // The first two put document 0 first, the last one document 1; the others retrieve neither.
        let mut place = vec![9_i16; 12];
        (place[0], place[2], place[11]) = (0, 4, 3);
        let codes = pack(&place, 2, &[0, 1], &[1, 0]);
        let one_way = 2 * 81 + 2 * 27 + 9 + 3 + 1;
        assert_eq!(codes, Ok(Some(vec![one_way, 242 - one_way, 40, 202])));
    }

    #[test]
    fn sums_are_those_of_one_group_after_the_other() {
        let codes: Vec<u8> = (0..6 * 5000_usize).map(|at| (at * at % 251) as u8).collect();
        let tables: Vec<Kinds> = (0..6).map(|group| std::array::from_fn(|code| (group * code) as f64 / 7.0)).collect();
        let found = look_up(&codes, 5000, &tables).unwrap_or_default();
        for (pair, found) in found.iter().enumerate() {
            let expected = (0..6).fold(0.0, |sum, group| sum + tables[group][codes[group * 5000 + pair] as usize]);
            assert_eq!(*found, expected);
        }
        let values: Vec<f64> = (0..5000).map(|pair| f64::from(pair) / 3.0).collect();
        let sums = sum(&codes, &values).unwrap_or_default();
        for (at, found) in sums.iter().enumerate() {
            let (group, code) = (at / KINDS, (at % KINDS) as u8);
            let having = (0..5000).filter(|&pair| codes[group * 5000 + pair] == code);
            assert_eq!(*found, having.fold(0.0, |sum, pair| sum + values[pair]));
        }
    }

    #[test]
    fn pairs_of_no_documents_are_noticed() {
        assert_eq!(pack(&[0_i16, 1], 2, &[0], &[2]), Ok(None));
        assert_eq!(pack(&[0_i16, 1], 2, &[0], &[]), Ok(None));
        assert_eq!(pack(&[0_i16, 1], 2, &[], &[]), Ok(Some(vec![])));
        assert_eq!(look_up(&[], 0, &[]), Ok(vec![]));
        assert_eq!(sum(&[], &[]), Ok(vec![]));
    }
}
