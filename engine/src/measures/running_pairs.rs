//! Pairs of documents with different labels that lists put right and wrong, down to each of their documents.

use crate::checked::{Check, Checked};
use crate::measures::segments;
use crate::memory::{AllocError, try_filled, try_with_capacity};

/// Judged documents of lists, and the pool that they are from.
#[derive(Clone, Copy)]
pub(crate) struct LabelledLists<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    /// The place of each row in the pool.
    pub document: &'a [i64],
    /// How many labels there are, and how many of them are below that of each document of the pool.
    pub labels: usize,
    pub label_index: &'a [i64],
    /// Documents of its topic that have a smaller, or a larger label than each document of the pool.
    pub lower: &'a [f64],
    pub higher: &'a [f64],
}

/// Down to each row.
#[derive(Debug, PartialEq)]
pub(crate) struct RunningPairCounts {
    pub right: Vec<f64>,
    pub wrong: Vec<f64>,
}

/// Labels up to which it is quicker to look at all of them, whichever a row has.
const FEW: usize = 32;

/// Labels up to which all counts, of 16 bits, have room in one number.
const PACKED: usize = 4;
const SHORT: u64 = u16::MAX as u64;

/// No two counts of 16 bits each.
const UNKNOWN: u64 = u64::MAX;

impl Check for LabelledLists<'_> {
    /// Whether every row is a document of the pool, and each of these has one of the labels.
    fn fits(&self) -> bool {
        // To look at all of them is quicker than to end with the first that is not: below 0 is very large, without a sign.
        let below = |all: &[i64], count: usize| {
            all.iter().fold(true, |fit, &increment| fit & ((increment as u64) < count as u64))
        };
        segments::valid_starts(self.starts, self.document.len())
            && self.lower.len() == self.label_index.len()
            && self.higher.len() == self.label_index.len()
            && below(self.document, self.label_index.len())
            && below(self.label_index, self.labels)
    }
}

impl Checked<LabelledLists<'_>> {
    /// A row puts right the pairs with all documents of a smaller label that are not above it, and wrong those with all
    /// of a larger one. The counts are whole, so that no order of adding changes them.
    pub(crate) fn running_pairs(&self) -> Result<RunningPairCounts, AllocError> {
        let longest = segments::ranges(self.starts).map(|(begin, end)| end - begin).max().unwrap_or(0);
        if self.labels <= PACKED && longest as u64 <= SHORT {
            if let Some(counts) = self.packed()? {
                return Ok(counts);
            }
        }
        if self.labels <= FEW {
            let add = |above: &mut [i64; FEW + 1], level| {
                for (label, count) in above[..=self.labels].iter_mut().enumerate() {
                    *count += i64::from(label > level);
                }
            };
            return self.down([0; FEW + 1], |above, _| above.fill(0), few, add);
        }
        let above = try_filled(0_i64, self.labels + 1)?;
        // Emptied row by row: there may be many more labels than rows.
        let many = |above: &Vec<i64>, level| (up_to(above, level), up_to(above, level + 1));
        let clear = |above: &mut Vec<i64>, rows: &[i64]| {
            for &row in rows {
                change(above, self.label_index[row as usize] as usize + 1, |_| 0);
            }
        };
        self.down(above, clear, many, |above, level| change(above, level + 1, |count| count + 1))
    }

    /// The same of so few labels, in lists so short, that all counts have room in one number. `None` where a document
    /// has too many others for that.
    fn packed(&self) -> Result<Option<RunningPairCounts>, AllocError> {
        let rows = self.document.len();
        let mut counts = RunningPairCounts { right: try_with_capacity(rows)?, wrong: try_with_capacity(rows)? };
        // A byte each, for the nearest cache.
        let mut levels = try_with_capacity::<u8>(self.label_index.len())?;
        levels.extend(self.label_index.iter().map(|&level| level as u8));
        // 16 bits for each label: how many rows above have it or a smaller one. The last of them counts all rows above.
        let increment: [u64; PACKED] =
            std::array::from_fn(|level| (level..PACKED).map(|label| 1 << (16 * label)).sum());
        for (begin, end) in segments::ranges(self.starts) {
            // Pairs put right in the lower 32 bits, wrong in the upper ones: of so few rows, with so few others each.
            let (mut pairs, mut above) = (0_u64, 0_u64);
            // Documents of one topic and label have as many others of smaller and of larger ones.
            let mut others = [UNKNOWN; PACKED];
            counts.right.resize(end, 0.0);
            counts.wrong.resize(end, 0.0);
            let out = counts.right[begin..end].iter_mut().zip(&mut counts.wrong[begin..end]);
            for (&document, (right, wrong)) in self.document[begin..end].iter().zip(out) {
                let level = usize::from(levels[document as usize]) % PACKED;
                if others[level] == UNKNOWN {
                    let Some(known) = self.others(document as usize) else { return Ok(None) };
                    others[level] = known;
                }
                let smaller = ((above << 16) >> (16 * level)) & SHORT;
                let larger = (above >> (16 * (PACKED - 1))) - ((above >> (16 * level)) & SHORT);
                pairs = pairs + others[level] - smaller - (larger << 32);
                (*right, *wrong) = (f64::from(pairs as u32), f64::from((pairs >> 32) as u32));
                above += increment[level];
            }
        }
        Ok(Some(counts))
    }

    /// Documents with a smaller label in the lower 32 bits, with a larger one in the upper ones.
    #[cold]
    fn others(&self, document: usize) -> Option<u64> {
        let (lower, higher) = (self.lower[document] as u64, self.higher[document] as u64);
        (lower.max(higher) <= SHORT).then_some(lower | higher << 32)
    }

    fn down<A>(
        &self,
        mut above: A,
        clear: impl Fn(&mut A, &[i64]),
        smaller: impl Fn(&A, usize) -> (i64, i64),
        add: impl Fn(&mut A, usize),
    ) -> Result<RunningPairCounts, AllocError> {
        let rows = self.document.len();
        let mut counts = RunningPairCounts { right: try_filled(0.0, rows)?, wrong: try_filled(0.0, rows)? };
        for (begin, end) in segments::ranges(self.starts) {
            let (mut right, mut wrong) = (0.0, 0.0);
            let rows = &self.document[begin..end];
            let out = counts.right[begin..end].iter_mut().zip(&mut counts.wrong[begin..end]);
            for (before, (&document, (right_here, wrong_here))) in rows.iter().zip(out).enumerate() {
                let level = self.label_index[document as usize] as usize;
                let (smaller, same_or_smaller) = smaller(&above, level);
                right += self.lower[document as usize] - smaller as f64;
                wrong += self.higher[document as usize] - (before as i64 - same_or_smaller) as f64;
                (*right_here, *wrong_here) = (right, wrong);
                add(&mut above, level);
            }
            clear(&mut above, rows);
        }
        Ok(counts)
    }
}

/// Rows above of smaller labels, and of those and the same: entry i holds those of the first i labels.
fn few(above: &[i64; FEW + 1], level: usize) -> (i64, i64) {
    (above[level], above[level + 1])
}

/// Rows by their labels: entry i holds those of the labels that end with the i-th, as many as its lowest bit
/// says.
fn up_to(above: &[i64], labels: usize) -> i64 {
    let (mut total, mut level) = (0, labels);
    while level > 0 {
        total += above[level];
        level &= level - 1;
    }
    total
}

/// Change all counts that hold a label.
fn change(above: &mut [i64], label: usize, new: impl Fn(i64) -> i64) {
    let mut level = label;
    while let Some(count) = above.get_mut(level) {
        *count = new(*count);
        level += level & level.wrapping_neg();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn pairs_are_those_counted_by_hand() {
        // A topic with the labels 0, 0, 1, 2; one list has 1, 0, 2 of them, the other one 2.
        let judged = LabelledLists {
            starts: &[0, 3, 3, 4],
            document: &[2, 0, 3, 3],
            labels: 3,
            label_index: &[0, 0, 1, 2],
            lower: &[0.0, 0.0, 2.0, 3.0],
            higher: &[2.0, 2.0, 1.0, 0.0],
        };
        let counts = RunningPairCounts { right: vec![2.0, 2.0, 3.0, 3.0], wrong: vec![1.0, 2.0, 2.0, 0.0] };
        assert_eq!(checked(judged).running_pairs(), Ok(counts));
        assert!(!LabelledLists { labels: 2, ..judged }.fits());
        assert!(!LabelledLists { document: &[2, 0, 3, 4], ..judged }.fits());
    }

    #[test]
    fn many_labels_are_counted_as_few_are() {
        let level = [3, 1, 2, 2, 0, 3, 1, 0];
        let (document, flat): (Vec<i64>, Vec<f64>) = ((0..8).collect(), vec![4.0; 8]);
        let count = |labels| {
            let judged = LabelledLists {
                starts: &[0, 5, 8],
                document: &document,
                labels,
                label_index: &level,
                lower: &flat,
                higher: &flat,
            };
            checked(judged).running_pairs()
        };
        assert_eq!(count(FEW + 9), count(4));
        assert_eq!(count(FEW), count(4));
        assert!(count(FEW + 9).is_ok());
    }
}
