//! Pairs of documents with different labels that lists put right and wrong, down to each of their documents.

use crate::room::{Refused, filled, gathered};
use crate::segments;

/// Judged documents of lists, and of the pool that they are from.
pub struct Judged<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    /// The label of each row, one of `labels`, which ascend.
    pub grade: &'a [f64],
    pub labels: &'a [f64],
    /// The place of each row in the pool.
    pub document: &'a [i64],
    /// Documents of its topic that have a smaller, or a larger label than each document of the pool.
    pub lower: &'a [f64],
    pub higher: &'a [f64],
}

/// Down to each row.
#[derive(Debug, PartialEq)]
pub struct Counts {
    pub right: Vec<f64>,
    pub wrong: Vec<f64>,
}

/// Labels up to which it is quicker to look at all of them, whichever a row has.
const FEW: usize = 32;

/// Labels up to which all counts, of 16 bits, have room in one number.
const PACKED: usize = 4;

impl Judged<'_> {
    /// Whether every row is a document of the pool.
    pub fn fits(&self) -> bool {
        let known = |&row: &i64| usize::try_from(row).is_ok_and(|row| row < self.lower.len());
        segments::fits(self.starts, self.grade.len())
            && self.grade.len() == self.document.len()
            && self.lower.len() == self.higher.len()
            && self.document.iter().all(known)
    }

    /// A row puts right the pairs with all documents of a smaller label that are not above it, and wrong those with all
    /// of a larger one. The counts are whole, so that no order of adding changes them. `None` where a row has a label
    /// that is none of those that there are.
    pub fn count(&self) -> Result<Option<Counts>, Refused> {
        let longest = segments::lists(self.starts).map(|(begin, end)| end - begin).max().unwrap_or(0);
        if self.labels.len() <= PACKED && longest <= usize::from(u16::MAX) {
            return self.packed();
        }
        let Some(places) = self.places()? else { return Ok(None) };
        if self.labels.len() <= FEW {
            return self.down(
                &places,
                [0_i64; FEW + 1],
                |above, _| above.fill(0),
                few,
                |above, place| {
                    for (label, count) in above[..=self.labels.len()].iter_mut().enumerate() {
                        *count += i64::from(label > place);
                    }
                },
            );
        }
        let above = filled(0_i64, self.labels.len() + 1)?;
        // Emptied row by row: there may be many more labels than rows.
        let many = |above: &Vec<i64>, place| (up_to(above, place), up_to(above, place + 1));
        let clear = |above: &mut Vec<i64>, places: &[u32]| {
            places.iter().for_each(|&place| change(above, place as usize + 1, |_| 0));
        };
        self.down(&places, above, clear, many, |above, place| change(above, place + 1, |count| count + 1))
    }

    /// The same of so few labels, in lists so short, that all counts have room in one number.
    fn packed(&self) -> Result<Option<Counts>, Refused> {
        let rows = self.grade.len();
        let mut found = Counts { right: filled(0.0, rows)?, wrong: filled(0.0, rows)? };
        let (mut labels, mut known) = ([f64::INFINITY; PACKED + 1], true);
        labels[..self.labels.len()].copy_from_slice(self.labels);
        // 16 bits for each label: how many rows above have it or a smaller one.
        let one: [u64; PACKED + 1] = std::array::from_fn(|place| (place..PACKED).map(|label| 1 << (16 * label)).sum());
        for (begin, end) in segments::lists(self.starts) {
            let (mut right, mut wrong, mut above) = (0.0, 0.0, 0_u64);
            // Documents of one topic and label have as many others of smaller and of larger ones.
            let mut others: [Option<(f64, f64)>; PACKED + 1] = [None; PACKED + 1];
            let rows = self.grade[begin..end].iter().zip(&self.document[begin..end]);
            let out = found.right[begin..end].iter_mut().zip(&mut found.wrong[begin..end]);
            for (before, ((&grade, &document), (right_here, wrong_here))) in rows.zip(out).enumerate() {
                let place = labels[..PACKED].iter().map(|&label| usize::from(label < grade)).sum::<usize>();
                let (lower, higher) = *others[place]
                    .get_or_insert_with(|| (self.lower[document as usize], self.higher[document as usize]));
                known &= labels[place] == grade;
                let smaller = ((above << 16) >> (16 * place % 64)) as u16;
                let same_or_smaller = (above >> (16 * place % 64)) as u16;
                right += lower - f64::from(smaller);
                wrong += higher - (before as i64 - i64::from(same_or_smaller)) as f64;
                (*right_here, *wrong_here) = (right, wrong);
                above += one[place];
            }
        }
        Ok(known.then_some(found))
    }

    fn down<A>(
        &self,
        places: &[u32],
        mut above: A,
        clear: impl Fn(&mut A, &[u32]),
        smaller: impl Fn(&A, usize) -> (i64, i64),
        add: impl Fn(&mut A, usize),
    ) -> Result<Option<Counts>, Refused> {
        let rows = self.grade.len();
        let mut found = Counts { right: filled(0.0, rows)?, wrong: filled(0.0, rows)? };
        for (begin, end) in segments::lists(self.starts) {
            let (mut right, mut wrong) = (0.0, 0.0);
            let rows = places[begin..end].iter().zip(&self.document[begin..end]);
            let out = found.right[begin..end].iter_mut().zip(&mut found.wrong[begin..end]);
            for (before, ((&place, &document), (right_here, wrong_here))) in rows.zip(out).enumerate() {
                let (place, document) = (place as usize, document as usize);
                let (smaller, same_or_smaller) = smaller(&above, place);
                right += self.lower[document] - smaller as f64;
                wrong += self.higher[document] - (before as i64 - same_or_smaller) as f64;
                (*right_here, *wrong_here) = (right, wrong);
                add(&mut above, place);
            }
            clear(&mut above, &places[begin..end]);
        }
        Ok(Some(found))
    }

    /// How many labels are below that of each row.
    fn places(&self) -> Result<Option<Vec<u32>>, Refused> {
        let places = if self.labels.len() <= FEW {
            let mut places = filled(0, self.grade.len())?;
            for label in self.labels {
                places.iter_mut().zip(self.grade).for_each(|(place, grade)| *place += u32::from(label < grade));
            }
            places
        } else {
            gathered(self.grade.iter().map(|grade| self.labels.partition_point(|label| label < grade) as u32))?
        };
        let known = |(&place, grade): (&u32, &f64)| self.labels.get(place as usize) == Some(grade);
        Ok(places.iter().zip(self.grade).all(known).then_some(places))
    }
}

/// Rows above of smaller labels, and of those and the same: entry i holds those of the first i labels.
fn few(above: &[i64; FEW + 1], place: usize) -> (i64, i64) {
    (above[place], above[place + 1])
}

/// Rows of the first so many labels: entry i holds those of the labels that end with the i-th, as many as its lowest bit
/// says.
fn up_to(above: &[i64], labels: usize) -> i64 {
    let (mut total, mut place) = (0, labels);
    while place > 0 {
        total += above[place];
        place &= place - 1;
    }
    total
}

/// Change all counts that hold a label.
fn change(above: &mut [i64], label: usize, new: impl Fn(i64) -> i64) {
    let mut place = label;
    while let Some(count) = above.get_mut(place) {
        *count = new(*count);
        place += place & place.wrapping_neg();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_counted_by_hand() {
        // A topic with the labels 0, 0, 1, 2; one list has 1, 0, 2 of them, the other one 2.
        let judged = Judged {
            starts: &[0, 3, 3, 4],
            grade: &[1.0, 0.0, 2.0, 2.0],
            labels: &[0.0, 1.0, 2.0],
            document: &[2, 0, 3, 3],
            lower: &[0.0, 0.0, 2.0, 3.0],
            higher: &[2.0, 2.0, 1.0, 0.0],
        };
        assert!(judged.fits());
        let found = Counts { right: vec![2.0, 2.0, 3.0, 3.0], wrong: vec![1.0, 2.0, 2.0, 0.0] };
        assert_eq!(judged.count(), Ok(Some(found)));
        assert_eq!(Judged { labels: &[0.0, 2.0], ..judged }.count(), Ok(None));
        assert!(!Judged { document: &[2, 0, 3, 4], ..judged }.fits());
    }

    #[test]
    fn many_labels_are_counted_as_few_are() {
        let grade: Vec<f64> = [3, 1, 2, 2, 0, 3, 1, 0].map(f64::from).to_vec();
        let (document, flat): (Vec<i64>, Vec<f64>) = ((0..8).collect(), vec![4.0; 8]);
        let count = |labels: &[f64]| {
            let (starts, grade, document) = (&[0, 5, 8][..], &grade[..], &document[..]);
            Judged { starts, grade, labels, document, lower: &flat, higher: &flat }.count()
        };
        let many: Vec<f64> = (0..FEW as i32 + 9).map(f64::from).collect();
        assert_eq!(count(&many), count(&many[..4]));
        assert_eq!(count(&many[..FEW]), count(&many[..4]));
        assert_eq!(count(&many[..3]), Ok(None));
        assert!(matches!(count(&many), Ok(Some(_))));
    }
}
