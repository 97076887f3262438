//! Users who hope for so much gain, and go on from each rank with a chance that falls with what they have found.

use crate::room::{Refused, filled};
use crate::segments;

/// The documents with a gain of some lists, and how far down each list is read.
pub struct Lists<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    /// From 1, ascending in each list, none below `depth`.
    pub rank: &'a [i64],
    pub gain: &'a [f64],
    pub depth: i64,
}

/// Of each list.
#[derive(Debug, PartialEq)]
pub struct Read {
    /// Ranks that the user is expected to see.
    pub seen: Vec<f64>,
    /// Gain that the user is expected to meet.
    pub utility: Vec<f64>,
    /// The chance of going on from the last rank.
    pub past: Vec<f64>,
    /// Gain of all documents.
    pub gained: Vec<f64>,
}

impl Lists<'_> {
    /// Whether ranks ascend in each list, and end with the depth.
    pub fn fits(&self) -> bool {
        let ascends = |(begin, end): (usize, usize)| {
            let own = &self.rank[begin..end];
            own.first().is_none_or(|&first| first >= 1)
                && own.last().is_none_or(|&last| last <= self.depth)
                && own.is_sorted_by(|one, next| one < next)
        };
        self.rank.len() == self.gain.len()
            && segments::fits(self.starts, self.rank.len())
            && segments::lists(self.starts).all(ascends)
    }

    /// A user who hopes for a gain T goes on from rank i with the chance ((h - 1) / h)^2, where h is i + 2T less what
    /// the ranks down to it gained. `hope` is 2T.
    pub fn read(&self, hope: f64) -> Result<Read, Refused> {
        let lists = self.starts.len() - 1;
        let mut found = Read {
            seen: filled(0.0, lists)?,
            utility: filled(0.0, lists)?,
            past: filled(0.0, lists)?,
            gained: filled(0.0, lists)?,
        };
        for (list, (begin, end)) in segments::lists(self.starts).enumerate() {
            let (mut seen, mut utility, mut reached, mut gained) = (0.0, 0.0, 1.0, 0.0);
            let mut row = begin;
            for rank in 1..=self.depth {
                seen += reached;
                if row < end && self.rank[row] == rank {
                    utility += reached * self.gain[row];
                    gained += self.gain[row];
                    row += 1;
                }
                let hoped = rank as f64 + hope - gained;
                let share = (hoped - 1.0) / hoped;
                reached *= share * share;
            }
            found.seen[list] = seen;
            found.utility[list] = utility;
            found.past[list] = reached;
            found.gained[list] = gained;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_who_hopes_for_one_document_reads_on_as_by_hand() {
        let lists = Lists { starts: &[0, 1, 1], rank: &[1], gain: &[1.0], depth: 2 };
        assert!(lists.fits());
        // With a document at rank 1, h is 2 and then 3; without one, 3 and then 4.
        let (one, two) = (4.0 / 9.0, 9.0 / 16.0);
        let found = lists.read(2.0);
        let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
        assert!(found.is_ok_and(|read| {
            near(read.seen[0], 1.25)
                && near(read.utility[0], 1.0)
                && near(read.past[0], one / 4.0)
                && read.gained == [1.0, 0.0]
                && near(read.seen[1], 1.0 + one)
                && near(read.past[1], one * two)
        }));
    }

    #[test]
    fn ranks_that_do_not_fit_are_noticed() {
        for rank in [&[2, 1][..], &[1, 1], &[0, 1], &[1, 3]] {
            assert!(!Lists { starts: &[0, 2], rank, gain: &[1.0, 1.0], depth: 2 }.fits());
        }
    }
}
