//! What many systems say of pairs of documents, five systems a byte, and the two products with it that a regression on signs
//! needs: sums over the systems of each pair, by looking up, and sums over the pairs of each system, by counting.

use crate::room::{Refused, Room, filled, gathered};

/// Systems of a byte, which can say 3^5 = 243 things.
pub const A_BYTE: usize = 5;

/// What a byte can be.
pub const KINDS: usize = 256;

/// A number for each thing that five systems can say.
pub type Kinds = [f64; KINDS];

/// What the systems of `place`, [systems, documents], say of each pair: [pairs, systems / 5], in base 3, first system first, 2
/// where the first document is first, 0 where the second one is, 1 where neither is retrieved, and after the last system.
/// `None` where a pair is none of documents.
pub fn pack<P: Copy + Ord>(
    place: &[P],
    documents: usize,
    first: &[i64],
    second: &[i64],
) -> Result<Option<Vec<u8>>, Refused> {
    let known = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < documents);
    if second.len() != first.len() || !first.iter().chain(second).all(known) {
        return Ok(None);
    }
    let systems = place.len().checked_div(documents).unwrap_or(0);
    let groups = systems.div_ceil(A_BYTE);
    let mut codes = Vec::new();
    codes.room(groups * first.len())?;
    if groups == 0 {
        return Ok(Some(codes));
    }
    let rows = by_document(place, documents, groups)?;
    let row = |document: i64| rows[document as usize * A_BYTE * groups..].chunks_exact(groups).take(A_BYTE);
    let mut code = filled(0_u16, groups)?;
    for (&one, &other) in first.iter().zip(second) {
        code.fill(0);
        for (one, other) in row(one).zip(row(other)) {
            for ((code, one), other) in code.iter_mut().zip(one).zip(other) {
                *code = 3 * *code + u16::from(one < other) + u16::from(one <= other);
            }
        }
        codes.extend(code.iter().map(|&code| code as u8));
    }
    Ok(Some(codes))
}

/// Places [documents, 5, groups], so that what all groups say is found side by side; after the last system, one place for all.
fn by_document<P: Copy>(place: &[P], documents: usize, groups: usize) -> Result<Vec<P>, Refused> {
    let mut rows = filled(place[0], documents * A_BYTE * groups)?;
    for (system, places) in place.chunks_exact(documents).enumerate() {
        let at = system % A_BYTE * groups + system / A_BYTE;
        for (row, &place) in rows.chunks_exact_mut(A_BYTE * groups).zip(places) {
            row[at] = place;
        }
    }
    Ok(rows)
}

/// Of each pair, the sum over groups of what the group's table has for its code, group after group.
pub fn look_up(codes: &[u8], pairs: usize, tables: &[Kinds]) -> Result<Vec<f64>, Refused> {
    if tables.is_empty() {
        return filled(0.0, pairs);
    }
    let sum = |row: &[u8]| row.iter().zip(tables).fold(0.0, |sum, (&code, table)| sum + table[code as usize]);
    gathered(codes.chunks_exact(tables.len()).map(sum))
}

/// Of each of so many groups and each code, the sum of the values of the pairs that have it, one pair after the other.
pub fn sum(codes: &[u8], groups: usize, values: &[f64]) -> Result<Vec<f64>, Refused> {
    let mut sums = filled([0.0; KINDS], groups)?;
    for (row, &value) in codes.chunks_exact(groups.max(1)).zip(values) {
        for (sums, &code) in sums.iter_mut().zip(row) {
            sums[code as usize] += value;
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
        assert_eq!(codes, Ok(Some(vec![one_way, 40, 242 - one_way, 202])));
    }

    #[test]
    fn sums_are_those_of_one_group_after_the_other() {
        let codes: Vec<u8> = (0..6 * 5000_usize).map(|at| (at * at % 251) as u8).collect();
        let tables: Vec<Kinds> = (0..6).map(|group| std::array::from_fn(|code| (group * code) as f64 / 7.0)).collect();
        let found = look_up(&codes, 5000, &tables).unwrap_or_default();
        for (pair, found) in found.iter().enumerate() {
            let expected = (0..6).fold(0.0, |sum, group| sum + tables[group][codes[pair * 6 + group] as usize]);
            assert_eq!(*found, expected);
        }
        let values: Vec<f64> = (0..5000).map(|pair| f64::from(pair) / 3.0).collect();
        let sums = sum(&codes, 6, &values).unwrap_or_default();
        for (at, found) in sums.iter().enumerate() {
            let (group, code) = (at / KINDS, (at % KINDS) as u8);
            let having = (0..5000).filter(|&pair| codes[pair * 6 + group] == code);
            assert_eq!(*found, having.fold(0.0, |sum, pair| sum + values[pair]));
        }
    }

    #[test]
    fn pairs_of_no_documents_are_noticed() {
        assert_eq!(pack(&[0_i16, 1], 2, &[0], &[2]), Ok(None));
        assert_eq!(pack(&[0_i16, 1], 2, &[0], &[]), Ok(None));
        assert_eq!(pack(&[0_i16, 1], 2, &[], &[]), Ok(Some(vec![])));
        assert_eq!(look_up(&[], 0, &[]), Ok(vec![]));
        assert_eq!(sum(&[], 0, &[]), Ok(vec![]));
    }
}
