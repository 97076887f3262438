//! Segments of a long list, read by several threads, become that list.

use crate::ids::distinct_hashes::all_distinct;
use crate::judging::finished_list::{FinishedList, FinishedLists};
use crate::judging::long_list::{ListSegment, RankedDocument, TieGroup, are_tied, may_follow};
use crate::judging::piece::{JudgeOptions, PieceResult};
use crate::memory::{AllocError, TryVec, try_collect_exact, try_to_vec};
use crate::text::fields::Field;

/// Pieces in which every stretch has become part of its list; None where some list has to be read as a whole.
pub(crate) fn join_segments(
    pieces: Vec<PieceResult>,
    options: JudgeOptions,
) -> Result<Option<Vec<PieceResult>>, AllocError> {
    let mut out = Vec::new();
    let mut open: Vec<ListSegment> = Vec::new();
    for mut piece in pieces {
        let stretch = piece.segment.take();
        let is_other_topic = |stretch: &ListSegment| open.first().is_some_and(|first| first.name != stretch.name);
        if stretch.as_ref().is_some_and(is_other_topic) && !close_list(&mut open, options, &mut out)? {
            return Ok(None);
        }
        open.extend(stretch);
        if !piece.lists.lists.is_empty() && !close_list(&mut open, options, &mut out)? {
            return Ok(None);
        }
        out.try_push(piece)?;
    }
    Ok(close_list(&mut open, options, &mut out)?.then_some(out))
}

/// Add the list of these stretches, if there are any, as a piece without lines of its own; whether that can be done.
fn close_list(
    open: &mut Vec<ListSegment>,
    options: JudgeOptions,
    out: &mut Vec<PieceResult>,
) -> Result<bool, AllocError> {
    let stretches = std::mem::take(open);
    let follow = |pair: &[ListSegment]| may_follow(options.ties, pair[0].last, pair[1].first);
    let hashes = try_collect_exact(stretches.iter().map(|stretch| &stretch.hashes))?;
    if !stretches.windows(2).all(follow) || !all_distinct(&hashes)? {
        return Ok(false);
    }
    if !stretches.is_empty() {
        out.try_push(merge_segments(stretches, options)?)?;
    }
    Ok(true)
}

fn merge_segments(stretches: Vec<ListSegment>, options: JudgeOptions) -> Result<PieceResult, AllocError> {
    let ties = options.ties;
    let (topic, text) = (stretches[0].topic, try_to_vec(&stretches[0].name)?);
    let (mut open, mut above, mut placed) = (TieGroup::default(), 0, Vec::new());
    for stretch in stretches {
        let ListSegment { head, middle, between, tail, .. } = stretch;
        if !open.entries.first().is_some_and(|entry| are_tied(ties, entry, &head.entries[0])) {
            open.flush(ties, &mut above, &mut placed)?;
        }
        open.add(&head.entries, &head.text)?;
        if !tail.entries.is_empty() {
            open.flush(ties, &mut above, &mut placed)?;
            placed.try_reserve_more(middle.len())?;
            placed.extend(middle.into_iter().map(|RankedDocument { document, rank, first, last }| RankedDocument {
                document,
                rank: above + rank,
                first: above + first,
                last: above + last,
            }));
            above += between;
            open = tail;
        }
    }
    open.flush(ties, &mut above, &mut placed)?;
    let mut lists = FinishedLists::default();
    let name = Field { start: 0, end: text.len() };
    lists.lists.try_push(FinishedList { topic, name, length: above, rows: placed.len(), contradicts: false })?;
    for RankedDocument { document, rank, first, last } in placed {
        lists.judged.push(rank as u32, document)?;
        if options.groups {
            lists.judged.push_ties(first as u32, last as u32)?;
        }
    }
    Ok(PieceResult { text, lists, ..PieceResult::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::list_order::Entry;
    use crate::ranking::NO_RANK;
    use crate::ranking::UNJUDGED;
    use crate::ranking::tie_order::TieBreak;
    use crate::trec::run_lines::Layout;

    const OPTIONS: JudgeOptions =
        JudgeOptions { layout: Layout::Trec, ties: TieBreak::Trec, keep_first: false, groups: true, threads: 2 };

    /// A piece that holds the rows from one to another of a list whose scores are these; every third document is judged.
    fn piece(score: &[f64], rows: std::ops::Range<usize>) -> Result<PieceResult, AllocError> {
        let ids: Vec<u8> = (0..score.len() as u8).collect();
        let entry = |at: usize| Entry::new(OPTIONS.ties, at, 1, score[at], NO_RANK, at + 1);
        let judged = |at: usize| if at.is_multiple_of(3) { at as u32 } else { UNJUDGED };
        let mut entries: Vec<Entry> = rows.clone().map(entry).collect();
        entries.iter_mut().zip(rows.clone()).for_each(|(entry, at)| entry.judged_row = judged(at));
        let hashes: Vec<u64> = rows.map(|at| at as u64 + 1).collect();
        let segment = ListSegment::new(0, b"t", &mut entries, &hashes, OPTIONS.ties, &ids)?;
        Ok(PieceResult { segment, ..PieceResult::default() })
    }

    #[test]
    fn a_list_in_segments_is_that_of_all_rows_wherever_it_is_cut() -> Result<(), AllocError> {
        let score = [9.0, 9.0, 8.0, 7.0, 7.0, 7.0, 7.0, 6.0, 5.0, 5.0];
        let joined = |cuts: &[usize]| -> Result<_, AllocError> {
            let pieces: Result<Vec<_>, _> = cuts.windows(2).map(|cut| piece(&score, cut[0]..cut[1])).collect();
            let Some(pieces) = join_segments(pieces?, OPTIONS)? else { panic!("scores fall and no id occurs twice") };
            let lists = pieces.into_iter().map(|piece| piece.lists).find(|lists| !lists.lists.is_empty());
            Ok(lists.map(|lists| lists.judged))
        };
        let whole = joined(&[0, 10])?;
        // Of equal scores the larger id comes first.
        assert_eq!(whole.as_ref().map(|judged| &judged.document[..]), Some(&[0, 6, 3, 9][..]));
        assert_eq!(whole.as_ref().map(|judged| &judged.rank[..]), Some(&[2, 4, 7, 9][..]));
        for cut in 1..10 {
            assert_eq!(joined(&[0, cut, 10])?, whole, "{cut}");
            for other in cut + 1..10 {
                assert_eq!(joined(&[0, cut, other, 10])?, whole, "{cut}, {other}");
            }
        }
        Ok(())
    }

    #[test]
    fn segments_with_one_document_twice_are_not_joined() -> Result<(), AllocError> {
        let score = [3.0, 2.0, 1.0];
        assert!(join_segments(vec![piece(&score, 0..2)?, piece(&score, 1..3)?], OPTIONS)?.is_none());
        assert!(join_segments(vec![piece(&score, 1..3)?, piece(&score, 0..1)?], OPTIONS)?.is_none());
        Ok(())
    }
}
