//! What is left of a list when it is finished: its length, and the ranks of its judged documents.

use crate::error::InputError;
use crate::ranking::judged_ranks::JudgedRanks;
use crate::text::fields::Field;

/// One finished list.
pub(crate) struct FinishedList {
    /// Number of the topic in the qrels, `UNJUDGED` where they do not hold it.
    pub topic: u32,
    pub name: Field,
    pub length: usize,
    pub rows: usize,
    pub contradicts: bool,
}

/// Finished lists in order of first appearance; the judged documents of all, one list after the other.
#[derive(Default)]
pub(crate) struct FinishedLists {
    pub lists: Vec<FinishedList>,
    pub judged: JudgedRanks<u32>,
    pub dropped: usize,
    pub first_duplicate: Option<InputError>,
    pub equal_ranks: Option<InputError>,
}

/// Keep the problem of the earlier line.
pub(crate) fn keep_earliest(earliest: &mut Option<InputError>, problem: InputError) {
    if earliest.as_ref().is_none_or(|earlier| problem.line < earlier.line) {
        *earliest = Some(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    #[test]
    fn of_two_problems_the_one_of_the_earlier_line_is_kept() {
        let mut earliest = None;
        for line in [7, 3, 5, 3] {
            keep_earliest(&mut earliest, InputError::new(ErrorCode::Duplicate, line).with_number(10 * line));
        }
        assert_eq!(earliest.map(|problem| (problem.line, problem.number)), Some((3, 30)));
    }
}
