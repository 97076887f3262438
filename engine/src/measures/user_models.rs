//! Users who hope for so much gain, and go on from each rank with a chance that falls with what they have found.

use crate::checked::{Check, Checked};
use crate::measures::segments;
use crate::memory::{AllocError, try_filled, try_with_capacity};

/// The documents with a gain of some lists, and how far down each list is read.
#[derive(Clone, Copy)]
pub(crate) struct GainLists<'a> {
    /// Where each list begins, and where the last one ends.
    pub starts: &'a [i64],
    /// From 1, ascending in each list, none below `depth`.
    pub rank: &'a [i64],
    pub gain: &'a [f64],
    pub depth: i64,
}

/// Of each list.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct UserOutcome {
    /// Ranks that the user is expected to see.
    pub expected_depth: Vec<f64>,
    /// Gain that the user is expected to meet.
    pub utility: Vec<f64>,
    /// The chance of going on from the last rank.
    pub stop_probability_left: Vec<f64>,
    /// Gain of all documents.
    pub gained: Vec<f64>,
}

impl Check for GainLists<'_> {
    /// Whether ranks ascend in each list, and end with the depth.
    fn fits(&self) -> bool {
        let ascends = |(begin, end): (usize, usize)| {
            let own = &self.rank[begin..end];
            own.first().is_none_or(|&first| first >= 1)
                && own.last().is_none_or(|&last| last <= self.depth)
                && own.is_sorted_by(|before, next| before < next)
        };
        self.rank.len() == self.gain.len()
            && segments::valid_starts(self.starts, self.rank.len())
            && segments::ranges(self.starts).all(ascends)
    }
}

impl Checked<GainLists<'_>> {
    /// A user who hopes for a gain T goes on from rank i with the chance ((h - 1) / h)^2, where h is i + 2T less what
    /// the ranks down to it gained. `twice_target` is 2T.
    pub(crate) fn read_inst(&self, twice_target: f64) -> Result<UserOutcome, AllocError> {
        let lists = self.starts.len() - 1;
        let mut outcome = UserOutcome {
            expected_depth: try_filled(0.0, lists)?,
            utility: try_filled(0.0, lists)?,
            stop_probability_left: try_filled(0.0, lists)?,
            gained: try_filled(0.0, lists)?,
        };
        let mut bounds = try_with_capacity(self.starts.len())?;
        bounds.extend(segments::ranges(self.starts));
        let mut table = try_filled([0.0; LANES], RANKS.min(self.depth.max(0) as usize))?;
        for (number, group) in bounds.chunks(LANES).enumerate() {
            let users = self.read_lanes(group, twice_target, &mut table);
            for lane in 0..group.len() {
                let list = number * LANES + lane;
                outcome.expected_depth[list] = users.expected_depth[lane];
                outcome.utility[list] = users.utility[lane];
                outcome.stop_probability_left[list] = users.reached[lane];
                outcome.gained[list] = users.gained[lane];
            }
        }
        Ok(outcome)
    }

    /// A user goes on from each rank with its chance of `goes_on`, [depth], times 1 less the gain that is met there; or, where
    /// some gain is `enough` and above 0, with that chance until the ranks seen have it, and no further. What all documents
    /// gain is left out: the rest of a list does not matter once nobody reads on.
    pub(crate) fn read_with_continuation(
        &self,
        goes_on: &[f64],
        enough: Option<f64>,
    ) -> Result<UserOutcome, AllocError> {
        let lists = self.starts.len() - 1;
        let (expected_depth, utility) = (try_filled(0.0, lists)?, try_filled(0.0, lists)?);
        let mut outcome =
            UserOutcome { expected_depth, utility, stop_probability_left: try_filled(0.0, lists)?, gained: Vec::new() };
        for (list, (begin, end)) in segments::ranges(self.starts).enumerate() {
            let (mut reached, mut expected_depth, mut utility, mut gained) = (1.0, 0.0, 0.0, 0.0);
            let mut rows = self.rank[begin..end].iter().zip(&self.gain[begin..end]).peekable();
            for (&on, here) in goes_on.iter().zip(1_i64..) {
                let gain = rows.next_if(|&(&rank, _)| rank == here).map_or(0.0, |(_, &gain)| gain);
                expected_depth += reached;
                utility += reached * gain;
                gained += gain;
                reached *= match enough {
                    None => on * (1.0 - gain),
                    Some(enough) if gained >= enough => 0.0,
                    Some(_) => on,
                };
                if reached == 0.0 {
                    break;
                }
            }
            (outcome.expected_depth[list], outcome.utility[list], outcome.stop_probability_left[list]) =
                (expected_depth, utility, reached);
        }
        Ok(outcome)
    }

    /// Some lists at once: what follows from rank to rank in one of them waits for nothing in the others.
    fn read_lanes(&self, lists: &[(usize, usize)], twice_target: f64, table: &mut [[f64; LANES]]) -> UserLanes {
        let mut users = UserLanes { reached: [1.0; LANES], ..UserLanes::default() };
        let mut rows = [0; LANES];
        rows.iter_mut().zip(lists).for_each(|(row, &(begin, _))| *row = begin);
        let mut above = 0;
        while above < self.depth {
            let ranks = (self.depth - above).min(RANKS as i64) as usize;
            let table = &mut table[..ranks];
            table.fill([0.0; LANES]);
            for (lane, (row, &(_, end))) in rows.iter_mut().zip(lists).enumerate() {
                while *row < end && self.rank[*row] <= above + ranks as i64 {
                    table[(self.rank[*row] - above - 1) as usize][lane] = self.gain[*row];
                    *row += 1;
                }
            }
            for (gain, rank) in table.iter().zip(above + 1..) {
                users.step(gain, rank as f64 + twice_target);
            }
            above += ranks as i64;
        }
        users
    }
}

/// Lists that are read at once.
const LANES: usize = 8;

/// Ranks of them that are laid side by side at a time.
const RANKS: usize = 512;

/// The users of some lists, one each.
#[derive(Default)]
struct UserLanes {
    expected_depth: [f64; LANES],
    utility: [f64; LANES],
    reached: [f64; LANES],
    gained: [f64; LANES],
}

impl UserLanes {
    /// See a rank of these gains, where `rank_and_target` is the rank and twice the gain that is hoped for.
    #[inline(always)]
    fn step(&mut self, gain: &[f64; LANES], rank_and_target: f64) {
        for lane in 0..LANES {
            let (gain, reached) = (gain[lane], self.reached[lane]);
            self.expected_depth[lane] += reached;
            self.utility[lane] += reached * gain;
            self.gained[lane] += gain;
            let hoped = rank_and_target - self.gained[lane];
            let share = (hoped - 1.0) / hoped;
            self.reached[lane] = reached * (share * share);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;

    #[test]
    fn a_user_who_hopes_for_one_document_reads_on_as_by_hand() {
        let lists = GainLists { starts: &[0, 1, 1], rank: &[1], gain: &[1.0], depth: 2 };
        // With a document at rank 1, h is 2 and then 3; without one, 3 and then 4.
        let (first, second) = (4.0 / 9.0, 9.0 / 16.0);
        let outcome = checked(lists).read_inst(2.0);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(outcome.is_ok_and(|read| {
            near(read.expected_depth[0], 1.25)
                && near(read.utility[0], 1.0)
                && near(read.stop_probability_left[0], first / 4.0)
                && read.gained == [1.0, 0.0]
                && near(read.expected_depth[1], 1.0 + first)
                && near(read.stop_probability_left[1], first * second)
        }));
    }

    #[test]
    fn a_user_reads_down_until_satisfied_or_content() {
        let lists = GainLists { starts: &[0, 2, 2], rank: &[1, 3], gain: &[0.5, 1.0], depth: 4 };
        let read_on = |enough| {
            checked(lists)
                .read_with_continuation(&[0.5, 1.0, 1.0, 0.5], enough)
                .unwrap_or_else(|_| UserOutcome::default())
        };
        let satisfied = read_on(None);
        assert_eq!((satisfied.expected_depth, satisfied.utility), (vec![1.5, 2.5], vec![0.75, 0.0]));
        assert_eq!(satisfied.stop_probability_left, [0.0, 0.25]);
        let content = read_on(Some(1.5));
        assert_eq!(
            (content.expected_depth, content.utility, content.stop_probability_left),
            (vec![2.0, 2.5], vec![1.0, 0.0], vec![0.0, 0.25])
        );
        assert_eq!(read_on(Some(0.1)).expected_depth, [1.0, 2.5]);
    }

    #[test]
    fn ranks_that_do_not_fit_are_noticed() {
        for rank in [&[2, 1][..], &[1, 1], &[0, 1], &[1, 3]] {
            assert!(!GainLists { starts: &[0, 2], rank, gain: &[1.0, 1.0], depth: 2 }.fits());
        }
    }
}
