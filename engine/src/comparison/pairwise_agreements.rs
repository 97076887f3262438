//! How often every two lists say the same, and how often the opposite, of pairs of documents of different labels.
//!
//! For one better document, a list is the set of worse documents that it has before this one, as bits: all that it retrieves
//! where it does not retrieve the better one. How many such documents two lists share then says everything, for lists that
//! retrieve the better document put it before all other worse ones. Of documents that no list retrieves nothing is held: they
//! are in no set, and of all of them that are better every two lists share the same.

use std::ops::Range;

use crate::memory::{AllocError, TryVec, try_collect_exact, try_collect_present, try_filled, try_with_capacity};

/// Better documents whose sets are held at a time: bounds the memory.
const AT_ONCE: usize = 64;

/// Documents of a number.
const BITS: usize = u64::BITS as usize;

/// Numbers that are counted side by side; sets have as many, or twice as many, or ...
const LANES: usize = 4;

/// Lists over the documents of a topic, by label descending.
pub(crate) struct RankedSets {
    documents: usize,
    /// Documents that any list retrieves.
    known: Vec<u32>,
    /// Of each list, the documents that it retrieves, as numbers among those, the first one first.
    retrieved: Vec<Vec<u32>>,
}

/// Numbers of pairs, [lists, lists].
#[derive(Debug, PartialEq)]
pub(crate) struct Agreements {
    /// Both put the better document first.
    pub toward: Vec<f64>,
    /// Both put the worse one first.
    pub against: Vec<f64>,
    /// The list of the row puts the better document first, that of the column the worse one.
    pub opposite: Vec<f64>,
}

/// Sets of worse documents.
struct BitSets {
    /// Numbers of a set.
    words: usize,
    bits: Vec<u64>,
    /// Documents in each set.
    size: Vec<i64>,
    /// The list of each set.
    list: Vec<u32>,
}

/// Sums of whole numbers, [lists, lists]; what is said of two lists is the sum of both of their places.
struct AgreementSums {
    lists: usize,
    toward: Vec<i64>,
    against: Vec<i64>,
    /// The list of the row puts the better document first, that of the column the worse one.
    opposite: Vec<i64>,
    /// The other way round.
    opposite_transposed: Vec<i64>,
    /// Better documents of a label that both retrieve; on the diagonal, that one does.
    both: Vec<i64>,
}

impl RankedSets {
    /// From places [lists, documents], where `absent` is that of a document that is not retrieved. `None` where a number in
    /// `order` is none of a document, or two documents of a list have one place.
    pub(crate) fn new<P: Copy + Ord>(
        rank: &[P],
        [lists, documents]: [usize; 2],
        order: &[i64],
        absent: P,
    ) -> Result<Option<RankedSets>, AllocError> {
        let known = |&row: &i64| usize::try_from(row).ok().filter(|&row| row < documents);
        let Some(order) = try_collect_present(order.iter().map(known))? else { return Ok(None) };
        let (mut retrieved, mut number) = (Vec::new(), try_filled(0_u32, order.len())?);
        for list in 0..lists {
            let row = &rank[list * documents..(list + 1) * documents];
            let mut list = Vec::new();
            list.try_reserve_more(order.len())?;
            list.extend((0_u32..).zip(&order).map(|(at, &document)| (row[document], at)));
            list.retain(|&(rank, _)| rank != absent);
            list.sort_unstable();
            if list.windows(2).any(|two| two[0].0 == two[1].0) {
                return Ok(None);
            }
            for &(_, document) in &list {
                number[document as usize] = 1;
            }
            retrieved.try_push(try_collect_exact(list.into_iter().map(|(_, document)| document))?)?;
        }
        let mut known: Vec<u32> = try_with_capacity(number.len())?;
        known.extend((0..).zip(&number).filter(|&(_, &any)| any > 0).map(|(document, _)| document));
        (0..).zip(&known).for_each(|(at, &document)| number[document as usize] = at);
        for document in retrieved.iter_mut().flatten() {
            *document = number[*document as usize];
        }
        Ok(Some(RankedSets { documents: order.len(), known, retrieved }))
    }

    /// Count over all pairs of documents of different labels; a label begins at each of `cuts`, which end with the number of
    /// documents.
    pub(crate) fn count(&self, cuts: &[usize]) -> Result<Agreements, AllocError> {
        let mut sums = AgreementSums::new(self.retrieved.len())?;
        let known = |cut: usize| self.known.partition_point(|&document| (document as usize) < cut);
        for label in cuts.windows(2).filter(|label| label[1] < self.documents) {
            let (begin, worse) = (known(label[0]), known(label[1]));
            let all = self.retrieved_sets(worse)?;
            for begin in (begin..worse).step_by(AT_ONCE) {
                for sets in self.better_ranked_sets(begin..worse.min(begin + AT_ONCE), worse)? {
                    sums.add(&sets, &all, (self.documents - label[1]) as i64)?;
                }
            }
            sums.add_the_rest(&all, (label[1] - label[0]) as i64);
        }
        sums.into_agreements()
    }

    /// What each list retrieves of the documents from `worse` on.
    fn retrieved_sets(&self, worse: usize) -> Result<BitSets, AllocError> {
        let mut sets = BitSets::new(self.known.len() - worse, self.retrieved.len())?;
        let mut bits = try_filled(0_u64, sets.words)?;
        for (number, list) in (0..).zip(&self.retrieved) {
            bits.fill(0);
            let size = list.iter().map(|&document| set(&mut bits, document as usize, worse)).sum();
            sets.put(&bits, size, number);
        }
        Ok(sets)
    }

    /// Of each of some better documents, what the lists that retrieve it have before it of the documents from `worse` on.
    fn better_ranked_sets(&self, better: Range<usize>, worse: usize) -> Result<Vec<BitSets>, AllocError> {
        let mut sets = Vec::new();
        sets.try_reserve_more(better.len())?;
        for _ in better.clone() {
            sets.push(BitSets::new(self.known.len() - worse, self.retrieved.len())?);
        }
        let mut bits = try_filled(0_u64, BitSets::words(self.known.len() - worse))?;
        for (number, list) in (0..).zip(&self.retrieved) {
            bits.fill(0);
            let mut size = 0;
            for document in list.iter().map(|&document| document as usize) {
                if better.contains(&document) {
                    sets[document - better.start].put(&bits, size, number);
                }
                size += set(&mut bits, document, worse);
            }
        }
        Ok(sets)
    }
}

/// Put a document into a set, if it is one of those from `worse` on; how many were.
fn set(bits: &mut [u64], document: usize, worse: usize) -> i64 {
    let Some(at) = document.checked_sub(worse) else { return 0 };
    bits[at / BITS] |= 1 << (at % BITS);
    1
}

impl BitSets {
    /// Room for this number of sets of documents.
    fn new(documents: usize, sets: usize) -> Result<BitSets, AllocError> {
        let words = BitSets::words(documents);
        let mut none = BitSets { words, bits: Vec::new(), size: Vec::new(), list: Vec::new() };
        none.bits.try_reserve_more(sets * words)?;
        none.size.try_reserve_more(sets)?;
        none.list.try_reserve_more(sets)?;
        Ok(none)
    }

    fn words(documents: usize) -> usize {
        documents.div_ceil(BITS * LANES).max(1) * LANES
    }

    fn put(&mut self, bits: &[u64], size: i64, list: u32) {
        self.bits.extend_from_slice(bits);
        self.size.push(size);
        self.list.push(list);
    }

    /// Each with its list and its size.
    fn each(&self) -> impl Iterator<Item = (usize, &[u64], i64)> {
        let sets = self.bits.chunks_exact(self.words).zip(&self.size).zip(&self.list);
        sets.map(|((bits, &size), &list)| (list as usize, bits, size))
    }
}

impl AgreementSums {
    fn new(lists: usize) -> Result<AgreementSums, AllocError> {
        let none = || try_filled(0_i64, lists * lists);
        Ok(AgreementSums {
            lists,
            toward: none()?,
            against: none()?,
            opposite: none()?,
            opposite_transposed: none()?,
            both: none()?,
        })
    }

    /// What every two lists, of which one or both retrieve it, say of a better document and each of the worse ones.
    fn add(&mut self, sets: &BitSets, all: &BitSets, worse: i64) -> Result<(), AllocError> {
        let mut having = sets.list.iter().peekable();
        let lacks = |(list, _, _): &(usize, &[u64], i64)| having.next_if(|&&b| b as usize == *list).is_none();
        let mut lacking = try_with_capacity(self.lists)?;
        lacking.extend(all.each().filter(lacks));
        for (number, (row, own, own_size)) in sets.each().enumerate() {
            let cells = row * self.lists..(row + 1) * self.lists;
            let (against, opposite) = (&mut self.against[cells.clone()], &mut self.opposite[cells.clone()]);
            let (toward, opposite_transposed) =
                (&mut self.toward[cells.clone()], &mut self.opposite_transposed[cells.clone()]);
            let both = &mut self.both[cells];
            for (column, b, size) in sets.each().take(number + 1) {
                let shared = intersection_size(own, b);
                toward[column] += worse - own_size - size + shared;
                against[column] += shared;
                opposite[column] += size - shared;
                opposite_transposed[column] += own_size - shared;
                both[column] += 1;
            }
            for &(column, b, size) in &lacking {
                let shared = intersection_size(own, b);
                against[column] += shared;
                opposite[column] += size - shared;
            }
        }
        Ok(())
    }

    /// What every two lists say of the documents of a label that neither retrieves, and of all worse ones.
    fn add_the_rest(&mut self, all: &BitSets, better: i64) {
        let has = |list: usize| self.both[list * (self.lists + 1)];
        for (row, own, _) in all.each() {
            for (column, b, _) in all.each().take(row + 1) {
                let at = row * self.lists + column;
                let neither = better - has(row) - has(column) + self.both[at];
                self.against[at] += neither * intersection_size(own, b);
            }
        }
        self.both.fill(0);
    }

    fn into_agreements(self) -> Result<Agreements, AllocError> {
        let full_table = |a: &[i64], b: &[i64]| {
            let mut table = try_filled(0.0, self.lists * self.lists)?;
            for row in 0..self.lists {
                for column in 0..self.lists {
                    let (at, across) = (row * self.lists + column, column * self.lists + row);
                    table[at] = (a[at] + if row == column { 0 } else { b[across] }) as f64;
                }
            }
            Ok(table)
        };
        Ok(Agreements {
            toward: full_table(&self.toward, &self.toward)?,
            against: full_table(&self.against, &self.against)?,
            opposite: full_table(&self.opposite, &self.opposite_transposed)?,
        })
    }
}

/// Documents that two sets share.
fn intersection_size(a: &[u64], b: &[u64]) -> i64 {
    let mut sums = [0_u64; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += u64::from((a & b).count_ones());
        }
    }
    sums.iter().sum::<u64>() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: i16 = i16::MAX;

    fn count(rank: &[i16], shape: [usize; 2], order: &[i64], cuts: &[usize]) -> Option<Agreements> {
        let lists = RankedSets::new(rank, shape, order, NONE).ok().flatten();
        lists.and_then(|lists| lists.count(cuts).ok())
    }

    #[test]
    fn what_two_lists_say_is_counted_pair_by_pair() {
        // Labels b 2; c 1; a, d 0. The first list has b, a, c, the second c, b: of b-c they say + -, of b-a and b-d + +, of
        // c-a - +, and of c-d + +.
        let agreements = count(&[1, 0, 2, NONE, NONE, 1, 0, NONE], [2, 4], &[1, 2, 0, 3], &[0, 1, 2, 4]);
        let (toward, against) = (vec![4.0, 3.0, 3.0, 4.0], vec![1.0, 0.0, 0.0, 1.0]);
        assert_eq!(agreements, Some(Agreements { toward, against, opposite: vec![0.0, 1.0, 1.0, 0.0] }));
    }

    #[test]
    fn a_list_without_the_better_document_is_against_it() {
        // The first list has the worse document alone, the second the better one, the third neither.
        let agreements = count(&[NONE, 0, 0, NONE, NONE, NONE], [3, 2], &[0, 1], &[0, 1, 2]);
        let (mut toward, mut against, mut opposite) = (vec![0.0; 9], vec![0.0; 9], vec![0.0; 9]);
        (toward[4], against[0], opposite[3]) = (1.0, 1.0, 1.0);
        assert_eq!(agreements, Some(Agreements { toward, against, opposite }));
    }

    #[test]
    fn numbers_that_fit_nothing_are_noticed() {
        assert!(RankedSets::new(&[0_i16, 1], [1, 2], &[0, 2], NONE).is_ok_and(|sets| sets.is_none()));
        assert!(RankedSets::new(&[1_i16, 1], [1, 2], &[0, 1], NONE).is_ok_and(|sets| sets.is_none()));
    }

    #[test]
    fn no_documents_no_agreements() {
        let none = || Vec::<f64>::new();
        assert_eq!(
            count(&[], [0, 0], &[], &[0]),
            Some(Agreements { toward: none(), against: none(), opposite: none() })
        );
    }
}
