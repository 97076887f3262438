//! How often every two lists say the same, and how often the opposite, of pairs of documents of different labels.
//!
//! For one better document, a list is the set of worse documents that it has before this one, as bits: all that it retrieves
//! where it does not retrieve the better one. How many such documents two lists share then says everything, for lists that
//! retrieve the better document put it before all other worse ones.

use crate::room::{Refused, Room, filled};

/// Better documents whose sets are held at a time: bounds the memory.
const AT_ONCE: usize = 64;

/// Documents of a number.
const BITS: usize = u64::BITS as usize;

/// Numbers that are counted side by side; sets have so many, or twice as many, or ...
const LANES: usize = 4;

/// Lists over the documents of a topic, by label descending.
pub struct Lists {
    documents: usize,
    /// Of each list, the documents that it retrieves, the first one first.
    retrieved: Vec<Vec<u32>>,
}

/// Numbers of pairs, [lists, lists].
#[derive(Debug, PartialEq)]
pub struct Agreements {
    /// Both put the better document first.
    pub toward: Vec<f64>,
    /// Both put the worse one first.
    pub against: Vec<f64>,
    /// The list of the row puts the better document first, that of the column the worse one.
    pub opposite: Vec<f64>,
}

/// The sets of all lists for some better documents.
struct Sets {
    /// Numbers of a set.
    words: usize,
    /// [documents, lists, words].
    bits: Vec<u64>,
    /// Worse documents in each set, [documents, lists].
    size: Vec<i64>,
    /// All bits where the list retrieves the better document, else none; [documents, lists].
    has: Vec<i64>,
}

/// Sums of whole numbers, of which the rows are used up to the diagonal.
struct Sums {
    lists: usize,
    toward: Vec<i64>,
    against: Vec<i64>,
    /// The list of the row puts the better document first, that of the column the worse one.
    row_toward: Vec<i64>,
    /// The other way round.
    row_against: Vec<i64>,
}

impl Lists {
    /// From places [lists, documents], where `absent` is that of a document that is not retrieved. `None` where a number in
    /// `order` is none of a document, or two documents of a list have one place.
    pub fn new<P: Copy + Ord>(
        place: &[P],
        [lists, documents]: [usize; 2],
        order: &[i64],
        absent: P,
    ) -> Result<Option<Lists>, Refused> {
        let known = |&row: &i64| usize::try_from(row).ok().filter(|&row| row < documents);
        let Some(order) = order.iter().map(known).collect::<Option<Vec<usize>>>() else { return Ok(None) };
        let mut retrieved = Vec::new();
        for number in 0..lists {
            let row = &place[number * documents..(number + 1) * documents];
            let mut list = Vec::new();
            list.room(order.len())?;
            list.extend((0_u32..).zip(&order).map(|(at, &document)| (row[document], at)));
            list.retain(|&(place, _)| place != absent);
            list.sort_unstable();
            if list.windows(2).any(|two| two[0].0 == two[1].0) {
                return Ok(None);
            }
            retrieved.add(list.into_iter().map(|(_, document)| document).collect())?;
        }
        Ok(Some(Lists { documents: order.len(), retrieved }))
    }

    /// Count over all pairs of documents of different labels; a label begins at each of `cuts`, which end with the number of
    /// documents.
    pub fn count(&self, cuts: &[usize]) -> Result<Agreements, Refused> {
        let mut sums = Sums::new(self.retrieved.len())?;
        for label in cuts.windows(2).filter(|label| label[1] < self.documents) {
            for begin in (label[0]..label[1]).step_by(AT_ONCE) {
                let end = label[1].min(begin + AT_ONCE);
                let sets = self.sets(begin, end, label[1])?;
                for better in 0..end - begin {
                    sums.add(&sets, better, (self.documents - label[1]) as i64);
                }
            }
        }
        sums.done()
    }

    /// The sets of the documents `begin..end`; those from `worse` on are worse.
    fn sets(&self, begin: usize, end: usize, worse: usize) -> Result<Sets, Refused> {
        let (lists, words) = (self.retrieved.len(), (self.documents - worse).div_ceil(BITS * LANES) * LANES);
        let cells = (end - begin) * lists;
        let mut sets = Sets { words, bits: filled(0, cells * words)?, size: filled(0, cells)?, has: filled(0, cells)? };
        let mut before = filled(0_u64, words)?;
        for (list, retrieved) in self.retrieved.iter().enumerate() {
            before.fill(0);
            let mut size = 0;
            for document in retrieved.iter().map(|&document| document as usize) {
                if document >= worse {
                    before[(document - worse) / BITS] |= 1 << ((document - worse) % BITS);
                    size += 1;
                } else if (begin..end).contains(&document) {
                    let cell = (document - begin) * lists + list;
                    sets.has[cell] = -1;
                    sets.put(cell, &before, size);
                }
            }
            for cell in (list..cells).step_by(lists) {
                if sets.has[cell] == 0 {
                    sets.put(cell, &before, size);
                }
            }
        }
        Ok(sets)
    }
}

impl Sets {
    fn put(&mut self, cell: usize, bits: &[u64], size: i64) {
        self.bits[cell * self.words..(cell + 1) * self.words].copy_from_slice(bits);
        self.size[cell] = size;
    }
}

impl Sums {
    fn new(lists: usize) -> Result<Sums, Refused> {
        let none = || filled(0_i64, lists * lists);
        Ok(Sums { lists, toward: none()?, against: none()?, row_toward: none()?, row_against: none()? })
    }

    /// Of every two lists, what they say of one better document and each of the worse ones.
    fn add(&mut self, sets: &Sets, better: usize, worse: i64) {
        let (lists, words) = (self.lists, sets.words);
        let cells = better * lists..(better + 1) * lists;
        let (size, has) = (&sets.size[cells.clone()], &sets.has[cells.clone()]);
        let bits = &sets.bits[cells.start * words..cells.end * words];
        for row in 0..lists {
            let (own, own_size, own_has) = (&bits[row * words..(row + 1) * words], size[row], has[row]);
            let to = row * lists;
            for (column, other) in bits.chunks_exact(words).enumerate().take(row + 1) {
                let shared = common(own, other);
                let (size, has) = (size[column], has[column]);
                self.against[to + column] += shared;
                self.row_toward[to + column] += (size - shared) & own_has;
                self.row_against[to + column] += (own_size - shared) & has;
                self.toward[to + column] += (worse - own_size - size + shared) & own_has & has;
            }
        }
    }

    fn done(self) -> Result<Agreements, Refused> {
        let whole = |below: &[i64], above: &[i64]| {
            let mut table = filled(0.0, self.lists * self.lists)?;
            for row in 0..self.lists {
                for column in 0..=row {
                    let from = row * self.lists + column;
                    table[column * self.lists + row] = above[from] as f64;
                    table[from] = below[from] as f64;
                }
            }
            Ok(table)
        };
        Ok(Agreements {
            toward: whole(&self.toward, &self.toward)?,
            against: whole(&self.against, &self.against)?,
            opposite: whole(&self.row_toward, &self.row_against)?,
        })
    }
}

/// Documents that two sets share.
fn common(one: &[u64], other: &[u64]) -> i64 {
    let mut sums = [0_u64; LANES];
    for (one, other) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum += u64::from((one & other).count_ones());
        }
    }
    sums.iter().sum::<u64>() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: i16 = i16::MAX;

    fn count(place: &[i16], shape: [usize; 2], order: &[i64], cuts: &[usize]) -> Option<Agreements> {
        let lists = Lists::new(place, shape, order, NONE).ok().flatten();
        lists.and_then(|lists| lists.count(cuts).ok())
    }

    #[test]
    fn what_two_lists_say_is_counted_pair_by_pair() {
        // Labels b 2; c 1; a, d 0. The first list has b, a, c, the second c, b: of b-c they say + -, of b-a and b-d + +, of
        // c-a - +, and of c-d + +.
        let found = count(&[1, 0, 2, NONE, NONE, 1, 0, NONE], [2, 4], &[1, 2, 0, 3], &[0, 1, 2, 4]);
        let (toward, against) = (vec![4.0, 3.0, 3.0, 4.0], vec![1.0, 0.0, 0.0, 1.0]);
        assert_eq!(found, Some(Agreements { toward, against, opposite: vec![0.0, 1.0, 1.0, 0.0] }));
    }

    #[test]
    fn a_list_without_the_better_document_is_against_it() {
        // The first list has the worse document alone, the second the better one, the third neither.
        let found = count(&[NONE, 0, 0, NONE, NONE, NONE], [3, 2], &[0, 1], &[0, 1, 2]);
        let (mut toward, mut against, mut opposite) = (vec![0.0; 9], vec![0.0; 9], vec![0.0; 9]);
        (toward[4], against[0], opposite[3]) = (1.0, 1.0, 1.0);
        assert_eq!(found, Some(Agreements { toward, against, opposite }));
    }

    #[test]
    fn numbers_that_fit_nothing_are_noticed() {
        assert!(Lists::new(&[0_i16, 1], [1, 2], &[0, 2], NONE).is_ok_and(|made| made.is_none()));
        assert!(Lists::new(&[1_i16, 1], [1, 2], &[0, 1], NONE).is_ok_and(|made| made.is_none()));
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
