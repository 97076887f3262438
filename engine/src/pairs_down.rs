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
        let few = self.labels.len() <= FEW;
        let place = |&grade: &f64| {
            let below = |label: &f64| *label < grade;
            if few {
                self.labels.iter().map(|label| u32::from(below(label))).sum()
            } else {
                self.labels.partition_point(below) as u32
            }
        };
        let places = gathered(self.grade.iter().map(place))?;
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
        assert!(matches!(count(&many), Ok(Some(_))));
    }
}
