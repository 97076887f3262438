//! How often many lists together say what of pairs of documents: the pairs are sorted by what 32 systems say of them, and only
//! those of which that is the same by what the next 32 say. Most pairs are soon alone, and are not looked at again.

use std::array;

use crate::memory::{AllocError, TryVec, try_collect_exact, try_collect_present, try_filled};

/// Systems whose outcomes are one number, two bits each: 2 the first document is first, 0 the second one, 1 neither is retrieved.
const A_WORD: usize = 32;

/// The outcomes of eight systems are one number of 16 bits, which are compared many at a time.
const A_LANE: usize = 8;

/// What 32 systems say that say nothing.
const NOTHING: u64 = u64::MAX / 3;

/// Where each system puts each document; the largest number where it does not retrieve it. Documents of one label that no
/// system retrieves are one here, of which all is said that is said of each.
pub(crate) struct RankTable<P> {
    documents: usize,
    /// Which documents they are, and how many each stands for.
    named: Vec<i64>,
    multiplicity: Vec<usize>,
    /// Where each label begins, and the number of documents.
    cuts: Vec<usize>,
    systems: usize,
    /// [systems, documents], by label descending.
    by_system: Vec<P>,
    /// Numbers that hold what all systems say.
    words: usize,
    /// [documents, words]; after the last system, some that have all documents at one place and so say nothing.
    by_document: Vec<[P; A_WORD]>,
}

/// Different outcomes, in ascending order of what the systems say in their turn. Of an outcome and its mirror image the one
/// stands here of which the first system that says something puts the first document first.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct OutcomeCells {
    /// Pairs of each outcome whose first document is the better one; all pairs of which nothing is said.
    pub toward: Vec<f64>,
    /// Pairs of its mirror image.
    pub against: Vec<f64>,
    /// A pair of the outcome, as numbers of its documents.
    pub first: Vec<i64>,
    pub second: Vec<i64>,
}

/// A pair, turned so that it is not a mirror image; documents by label descending, so that the smaller number is the better one.
#[derive(Clone, Copy, Default)]
struct OutcomePair {
    key: u64,
    first: u32,
    second: u32,
}

impl<P: Copy + Ord> RankTable<P> {
    /// From [systems, documents]; a label begins at each of `cuts`, which end with the number of documents. `None` where a
    /// number in `order` is none of a document.
    pub(crate) fn new(
        rank: &[P],
        documents: usize,
        order: &[i64],
        cuts: &[usize],
        absent: P,
    ) -> Result<Option<RankTable<P>>, AllocError> {
        let known = |&row: &i64| usize::try_from(row).ok().filter(|&row| row < documents);
        let systems = rank.len().checked_div(documents).unwrap_or(0);
        let Some(order) = try_collect_present(order.iter().map(known))? else { return Ok(None) };
        let mut retrieved = try_filled(false, documents)?;
        for row in rank.chunks_exact(documents.max(1)) {
            retrieved.iter_mut().zip(row).for_each(|(any, &rank)| *any |= rank != absent);
        }
        let [order, multiplicity, cuts] = collapse_unretrieved(&order, cuts, &retrieved)?;
        let (mut by_system, mut by_document) = (Vec::new(), Vec::new());
        by_system.try_reserve_more(systems * order.len())?;
        let words = systems.div_ceil(A_WORD);
        by_document.try_reserve_more(words * order.len())?;
        for system in 0..systems {
            by_system.extend(order.iter().map(|&row| rank[system * documents + row]));
        }
        for &row in &order {
            let of = |system: usize| if system < systems { rank[system * documents + row] } else { rank[0] };
            by_document.extend((0..words).map(|word| array::from_fn(|at| of(word * A_WORD + at))));
        }
        let named = try_collect_exact(order.iter().map(|&row| row as i64))?;
        Ok(Some(RankTable {
            documents: order.len(),
            named,
            multiplicity,
            cuts,
            systems,
            by_system,
            words,
            by_document,
        }))
    }

    /// Count the outcomes over all pairs of documents of different labels.
    pub(crate) fn count(&self) -> Result<OutcomeCells, AllocError> {
        let mut cells = OutcomeCells::default();
        let mut pairs = self.pairs()?;
        self.split_by_word(&mut pairs, 0, true, &mut cells)?;
        for document in cells.first.iter_mut().chain(&mut cells.second) {
            *document = self.named[*document as usize];
        }
        Ok(cells)
    }

    /// All pairs, with what the first systems say.
    fn pairs(&self) -> Result<Vec<OutcomePair>, AllocError> {
        let labels = || self.cuts.windows(2).map(|cut| (cut[0], cut[1]));
        let size = labels().map(|(begin, end)| (end - begin) * (self.documents - end)).sum();
        let mut pairs = Vec::new();
        pairs.try_reserve_more(size)?;
        let (mut keys, mut lanes) = (try_filled(0_u64, self.documents)?, try_filled(0_u16, self.documents)?);
        for (begin, end) in labels() {
            let (keys, lanes) = (&mut keys[end..], &mut lanes[end..]);
            for better in begin..end {
                self.first_keys(better, end, keys, lanes);
                for (worse, &key) in (end..).zip(keys.iter()) {
                    pairs.push(canonical(
                        OutcomePair { key, first: better as u32, second: worse as u32 },
                        self.silent_key(0),
                    ));
                }
            }
        }
        Ok(pairs)
    }

    /// What the first systems say of one document and each from `end` on.
    fn first_keys(&self, a: usize, end: usize, keys: &mut [u64], lanes: &mut [u16]) {
        keys.fill(0);
        let last = self.systems.min(A_WORD);
        for begin in (0..last).step_by(A_LANE) {
            let group = begin..last.min(begin + A_LANE);
            let bits = 2 * group.len();
            lanes.fill(0);
            for system in group {
                let row = &self.by_system[system * self.documents..(system + 1) * self.documents];
                let rank = row[a];
                for (lane, &b) in lanes.iter_mut().zip(&row[end..]) {
                    *lane = *lane << 2 | (u16::from(rank < b) + u16::from(rank <= b));
                }
            }
            for (key, &lane) in keys.iter_mut().zip(lanes.iter()) {
                *key = *key << bits | u64::from(lane);
            }
        }
    }

    /// What the systems of a word say of a pair.
    fn key(&self, pair: OutcomePair, word: usize) -> u64 {
        let row = |document: u32| &self.by_document[document as usize * self.words + word];
        let (a, b) = (row(pair.first), row(pair.second));
        let mut digits = [[0_u8; A_LANE]; A_WORD / A_LANE];
        for (digits, (a, b)) in digits.as_flattened_mut().iter_mut().zip(a.iter().zip(b)) {
            *digits = u8::from(a < b) + u8::from(a <= b);
        }
        digits.iter().fold(0, |key, &eight| key << 16 | pack_eight(eight))
    }

    /// The number that says that no system of a word says anything.
    fn silent_key(&self, word: usize) -> u64 {
        let systems = if word == 0 { self.systems.min(A_WORD) } else { A_WORD };
        NOTHING.checked_shr(u64::BITS - 2 * systems as u32).unwrap_or(0)
    }

    /// Split pairs, alike in all words before, by this word; `silent` where nothing was said of them so far.
    fn split_by_word(
        &self,
        pairs: &mut [OutcomePair],
        word: usize,
        silent: bool,
        cells: &mut OutcomeCells,
    ) -> Result<(), AllocError> {
        pairs.sort_unstable_by_key(|pair| pair.key);
        let (silent_key, next) = (self.silent_key(word), word + 1);
        for same in pairs.chunk_by_mut(|a, b| a.key == b.key) {
            let silent = silent && same[0].key == silent_key;
            if next * A_WORD >= self.systems || (same.len() == 1 && !silent) {
                cells.add(same, silent, &self.multiplicity)?;
                continue;
            }
            let silent_key = if silent { self.silent_key(next) } else { 0 };
            for pair in same.iter_mut() {
                *pair = canonical(OutcomePair { key: self.key(*pair, next), ..*pair }, silent_key);
            }
            self.split_by_word(same, next, silent, cells)?;
        }
        Ok(())
    }
}

/// What eight systems say, two bits each, the first one first.
fn pack_eight(digits: [u8; A_LANE]) -> u64 {
    let eight = u64::from_be_bytes(digits);
    let fours = (eight | eight >> 6) & 0x000F_000F_000F_000F;
    let twos = (fours | fours >> 12) & 0x0000_00FF_0000_00FF;
    (twos | twos >> 24) & 0xFFFF
}

/// The pair the other way round where its outcome is the mirror image, the numbers of which are those below the middle.
fn canonical(pair: OutcomePair, silent_key: u64) -> OutcomePair {
    if pair.key >= silent_key {
        return pair;
    }
    OutcomePair { key: 2 * silent_key - pair.key, first: pair.second, second: pair.first }
}

impl OutcomeCells {
    fn add(&mut self, same: &[OutcomePair], silent: bool, multiplicity: &[usize]) -> Result<(), AllocError> {
        let (mut toward, mut against) = (0, 0);
        for pair in same {
            let pairs = multiplicity[pair.first as usize] * multiplicity[pair.second as usize];
            *(if silent || pair.first < pair.second { &mut toward } else { &mut against }) += pairs;
        }
        self.toward.try_push(toward as f64)?;
        self.against.try_push(against as f64)?;
        self.first.try_push(i64::from(same[0].first))?;
        self.second.try_push(i64::from(same[0].second))
    }
}

/// Of documents in the order of their labels those that differ, how many each stands for, and where labels then begin.
fn collapse_unretrieved(order: &[usize], cuts: &[usize], retrieved: &[bool]) -> Result<[Vec<usize>; 3], AllocError> {
    let (mut left, mut multiplicity, mut begun) = (Vec::new(), Vec::new(), Vec::new());
    left.try_reserve_more(order.len())?;
    multiplicity.try_reserve_more(order.len())?;
    begun.try_reserve_more(cuts.len())?;
    for label in cuts.windows(2) {
        begun.push(left.len());
        let mut lost = None;
        for &document in &order[label[0]..label[1]] {
            if let (false, Some(at)) = (retrieved[document], lost) {
                multiplicity[at] += 1_usize;
                continue;
            }
            if !retrieved[document] {
                lost = Some(left.len());
            }
            left.push(document);
            multiplicity.push(1);
        }
    }
    begun.push(left.len());
    Ok([left, multiplicity, begun])
}

/// Whether labels that begin at `cuts` are those of this number of documents.
pub(crate) fn valid_cuts(cuts: &[usize], documents: usize) -> bool {
    cuts.is_sorted() && cuts.last().copied() == Some(documents) && u32::try_from(documents).is_ok()
}

/// Whole numbers that are not negative, as sizes.
pub(crate) fn to_sizes(numbers: &[i64]) -> Result<Option<Vec<usize>>, AllocError> {
    try_collect_present(numbers.iter().map(|&number| usize::try_from(number).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: i16 = i16::MAX;

    fn count(rank: &[i16], documents: usize, order: &[i64], cuts: &[usize]) -> OutcomeCells {
        let ranks = RankTable::new(rank, documents, order, cuts, NONE).ok().flatten();
        ranks.and_then(|ranks| ranks.count().ok()).unwrap_or_default()
    }

    #[test]
    fn mirror_images_are_one_cell() {
        // Labels b 2; c 1; a, d 0. The first list has b, a, c, the second c, b.
        let rank = [1, 0, 2, NONE, NONE, 1, 0, NONE];
        let cells = count(&rank, 4, &[1, 2, 0, 3], &[0, 1, 2, 4]);
        // b-c is + -, b-a + +, b-d + +, c-a - +, c-d + +: c-a is the mirror image of b-c's outcome.
        assert_eq!((cells.toward, cells.against), (vec![1.0, 3.0], vec![1.0, 0.0]));
    }

    #[test]
    fn what_no_list_retrieves_is_one_cell_and_comes_first() {
        let mut rank = vec![NONE; 4 * 70];
        rank[4 * 69] = 0; // the last of 70 lists has the first document
        let cells = count(&rank, 4, &[3, 2, 1, 0], &[0, 1, 4]);
        assert_eq!((&cells.toward, &cells.against), (&vec![2.0, 0.0], &vec![0.0, 1.0]));
        assert_eq!((cells.first[1], cells.second[1]), (0, 3));
    }

    #[test]
    fn documents_that_no_list_retrieves_count_one_by_one() {
        // Labels 1: a, b, c; 0: d, e, f. The only list has a and d.
        let cells = count(&[0, NONE, NONE, 1, NONE, NONE], 6, &[0, 1, 2, 3, 4, 5], &[0, 3, 6]);
        // Neither: b, c with e, f. a is before all three; d before b and c.
        assert_eq!((cells.toward, cells.against), (vec![4.0, 3.0], vec![0.0, 2.0]));
        assert_eq!((cells.first[0], cells.second[0]), (1, 4));
    }

    #[test]
    fn pairs_are_told_from_each_other_by_the_last_of_many_lists() {
        let mut rank = [0, 1, 1].repeat(65);
        rank[3 * 64..].copy_from_slice(&[1, 0, 2]);
        let cells = count(&rank, 3, &[0, 1, 2], &[0, 1, 3]);
        assert_eq!((cells.toward, cells.against), (vec![1.0, 1.0], vec![0.0, 0.0]));
        assert_eq!((cells.first, cells.second), (vec![0, 0], vec![1, 2]));
    }

    #[test]
    fn numbers_that_fit_nothing_are_noticed() {
        assert!(RankTable::new(&[0_i16, 1], 2, &[0, 2], &[0, 2], NONE).is_ok_and(|table| table.is_none()));
        assert!(
            valid_cuts(&[0, 1, 3], 3) && !valid_cuts(&[0, 2], 3) && !valid_cuts(&[2, 1, 3], 3) && !valid_cuts(&[], 0)
        );
        assert_eq!(to_sizes(&[1, -1]), Ok(None));
    }

    #[test]
    fn no_documents_no_cells() {
        assert_eq!(count(&[], 0, &[], &[0]), OutcomeCells::default());
    }
}
