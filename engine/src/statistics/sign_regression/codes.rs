//! What many systems say of pairs of documents, five systems a byte, and the signs behind it.

use crate::memory::{AllocError, TryVec, try_filled};

/// Systems of a byte, which can say 3^5 = 243 things.
pub(crate) const SYSTEMS_PER_BYTE: usize = 5;

/// What a byte can be.
pub(crate) const CODES: usize = 256;

/// The byte of five systems that say nothing.
pub(crate) const SILENT: u8 = 121;

/// Bytes that are made side by side.
const LANE: usize = 8;

/// What the systems of `rank`, [systems, documents], say of each pair: [pairs, systems / 5], in base 3, first system first, 2
/// where the first document is first, 0 where the second one is, 1 where neither is retrieved, and after the last system.
/// `None` where a pair is none of documents.
pub(crate) fn encode<P: Copy + Ord>(
    rank: &[P],
    documents: usize,
    first: &[i64],
    second: &[i64],
) -> Result<Option<Vec<u8>>, AllocError> {
    let known = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < documents);
    if second.len() != first.len() || !first.iter().chain(second).all(known) {
        return Ok(None);
    }
    let systems = rank.len().checked_div(documents).unwrap_or(0);
    let groups = systems.div_ceil(SYSTEMS_PER_BYTE);
    let mut codes = Vec::new();
    codes.try_reserve_more(groups * first.len())?;
    if groups == 0 {
        return Ok(Some(codes));
    }
    let lanes = groups.div_ceil(LANE);
    let rows = by_document(rank, documents, lanes)?;
    let row = |document: i64| &rows[document as usize * lanes..][..lanes];
    let mut row_codes = try_filled([0_u8; LANE], lanes)?;
    for (&a, &b) in first.iter().zip(second) {
        for ((row_codes, a), b) in row_codes.iter_mut().zip(row(a)).zip(row(b)) {
            *row_codes = encode_lanes(a, b).map(|code| code as u8);
        }
        codes.extend_from_slice(&row_codes.as_flattened()[..groups]);
    }
    Ok(Some(codes))
}

/// What the systems of some bytes say of two documents.
fn encode_lanes<P: Copy + Ord>(a: &[[P; LANE]; SYSTEMS_PER_BYTE], b: &[[P; LANE]; SYSTEMS_PER_BYTE]) -> [u16; LANE] {
    let mut code = [0_u16; LANE];
    for (a, b) in a.iter().zip(b) {
        for ((code, a), b) in code.iter_mut().zip(a).zip(b) {
            *code = 3 * *code + u16::from(a < b) + u16::from(a <= b);
        }
    }
    code
}

/// Places [documents, lanes], so that what all bytes say is found side by side; after the last system, one place for all.
fn by_document<P: Copy>(
    rank: &[P],
    documents: usize,
    lanes: usize,
) -> Result<Vec<[[P; LANE]; SYSTEMS_PER_BYTE]>, AllocError> {
    let mut rows = try_filled([[rank[0]; LANE]; SYSTEMS_PER_BYTE], documents * lanes)?;
    for (system, ranks) in rank.chunks_exact(documents).enumerate() {
        let (group, digit) = (system / SYSTEMS_PER_BYTE, system % SYSTEMS_PER_BYTE);
        for (row, &rank) in rows.chunks_exact_mut(lanes).zip(ranks) {
            row[group / LANE][digit][group % LANE] = rank;
        }
    }
    Ok(rows)
}

/// What five systems say by a code; nothing beyond the last one.
pub(crate) fn decode_byte(code: usize) -> [f32; SYSTEMS_PER_BYTE] {
    let mut remaining = if code < 243 { code } else { SILENT as usize };
    let mut digits = [0.0; SYSTEMS_PER_BYTE];
    for digit in digits.iter_mut().rev() {
        *digit = (remaining % 3) as f32 - 1.0;
        remaining /= 3;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_systems_take_two_bytes() {
        // The first two put document 0 first, the last one document 1; the others retrieve neither.
        let mut rank = vec![9_i16; 12];
        (rank[0], rank[2], rank[11]) = (0, 4, 3);
        let codes = encode(&rank, 2, &[0, 1], &[1, 0]);
        let one_way = 2 * 81 + 2 * 27 + 9 + 3 + 1;
        assert_eq!(codes, Ok(Some(vec![one_way, 40, 242 - one_way, 202])));
    }

    #[test]
    fn signs_are_those_that_were_packed() {
        let rank: Vec<i32> = (0..7 * 6).map(|at| at * at % 11).collect();
        let (first, second) = ([0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 5]);
        let codes = encode(&rank, 6, &first, &second).ok().flatten().unwrap_or_default();
        let signs: Vec<_> = codes.iter().map(|&code| decode_byte(code as usize)).collect();
        for (pair, (&a, &b)) in first.iter().zip(&second).enumerate() {
            for system in 0..7 {
                let at = |document: i64| rank[system * 6 + document as usize];
                assert_eq!(signs[pair * 2 + system / 5][system % 5], (at(b) - at(a)).signum() as f32);
            }
        }
        assert_eq!([0, 255].map(decode_byte), [[-1.0; 5], [0.0; 5]]);
    }

    #[test]
    fn pairs_of_no_documents_are_noticed() {
        assert_eq!(encode(&[0_i16, 1], 2, &[0], &[2]), Ok(None));
        assert_eq!(encode(&[0_i16, 1], 2, &[0], &[]), Ok(None));
        assert_eq!(encode(&[0_i16, 1], 2, &[], &[]), Ok(Some(vec![])));
    }
}
