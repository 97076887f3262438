//! From what was read of every piece to the result.

use crate::error::{AtLine, InputError, keep_earliest, lossy_string};
use crate::judging::finished_list::FinishedList;
use crate::judging::piece::{JudgeOptions, JudgedRun, PieceResult, RunFacts};
use crate::memory::try_filled;
use crate::notice::{LineNotice, NamesNotice, TagNotice, TopicNotice};
use crate::ranking::UNJUDGED;
use crate::trec::run_lines::TagLine;

/// Put the lists of all pieces into the order of the qrels' topics, and add up what was noticed.
pub(crate) fn assemble_result(
    pieces: Vec<PieceResult>,
    topics: usize,
    options: JudgeOptions,
) -> Result<JudgedRun, InputError> {
    let mut out = JudgedRun { facts: collect_facts(&pieces, options)?, ..JudgedRun::default() };
    (out.length, out.starts) = (try_filled(0, topics)?, try_filled(0, topics + 1)?);
    let lists = || pieces.iter().flat_map(|piece| &piece.lists.lists);
    for list in lists().filter(|list| list.topic != UNJUDGED) {
        out.length[list.topic as usize] = list.length as i64;
        out.starts[list.topic as usize + 1] = list.rows as i64;
    }
    for topic in 0..topics {
        out.starts[topic + 1] += out.starts[topic];
    }
    let total = out.starts[topics] as usize;
    let judged = &mut out.judged;
    (judged.rank, judged.document) = (try_filled(0, total)?, try_filled(0, total)?);
    if options.groups {
        (judged.first, judged.last) = (try_filled(0, total)?, try_filled(0, total)?);
    }
    for piece in &pieces {
        let mut from = 0;
        for list in &piece.lists.lists {
            let rows = from..from + list.rows;
            from = rows.end;
            if list.topic != UNJUDGED {
                let to = out.starts[list.topic as usize] as usize;
                let own = &piece.lists.judged;
                for (to, row) in (to..).zip(rows) {
                    judged.rank[to] = i64::from(own.rank[row]);
                    judged.document[to] = i64::from(own.document[row]);
                    if options.groups {
                        judged.first[to] = i64::from(own.first[row]);
                        judged.last[to] = i64::from(own.last[row]);
                    }
                }
            }
        }
    }
    Ok(out)
}

/// Add to how many lines there are of a kind, the first and its value those of a piece with this number of lines above it.
fn add_lines(total: &mut Option<LineNotice>, added: Option<&LineNotice>, before: usize) {
    let Some(added) = added else { return };
    let added = LineNotice { line: before + added.line, ..added.clone() };
    *total = Some(match total.take() {
        Some(earlier) if earlier.line < added.line => LineNotice { count: earlier.count + added.count, ..earlier },
        Some(later) => LineNotice { count: later.count + added.count, ..added },
        None => added,
    });
}

fn collect_facts(pieces: &[PieceResult], options: JudgeOptions) -> Result<RunFacts, InputError> {
    let mut out = RunFacts::default();
    let (mut repeat, mut equal_ranks) = (None, None);
    let (mut before, mut dropped) = (0, 0);
    let mut tag: Option<&[u8]> = None;
    for piece in pieces {
        out.rows += piece.rows;
        out.skipped += piece.skipped;
        dropped += piece.lists.dropped;
        if let Some(problem) = &piece.lists.first_duplicate {
            keep_earliest(&mut repeat, problem.below(before));
        }
        if let Some(problem) = &piece.lists.equal_ranks {
            keep_earliest(&mut equal_ranks, problem.below(before));
        }
        let of = |TagLine { line, tag }: TagLine| (line, tag.slice(&piece.text));
        if let Some((line, own)) = piece.notes.tag.map(of) {
            let first = *tag.get_or_insert(own);
            let other_tag = if first == own { piece.notes.other_tag.map(of) } else { Some((line, own)) };
            let other_tag = other_tag.map(|(line, other_tag)| (before + line, other_tag));
            if let Some((line, other_tag)) =
                other_tag.filter(|(line, _)| out.other_tag.as_ref().is_none_or(|earlier| *line < earlier.line))
            {
                out.other_tag = Some(TagNotice { line, value: lossy_string(other_tag) });
            }
        }
        add_lines(&mut out.rank_text, piece.notes.rank_text.as_ref(), before);
        add_lines(&mut out.commented, piece.commented.as_ref(), before);
        before += piece.lines;
    }
    if let Some(problem) = repeat {
        if !options.keep_first {
            return Err(problem.into());
        }
        out.duplicates = Some(problem.into_notice(dropped));
    }
    if let Some(problem) = equal_ranks {
        return Err(problem.into());
    }
    out.tag = tag.map(lossy_string).unwrap_or_default();
    let lists = || pieces.iter().flat_map(|piece| piece.lists.lists.iter().map(move |list| (piece, list)));
    let name = |(piece, list): (&PieceResult, &FinishedList)| lossy_string(list.name.slice(&piece.text));
    if let Some(first) = lists().find(|(_, list)| list.contradicts) {
        let count = lists().filter(|(_, list)| list.contradicts).count();
        out.contradicts = Some(TopicNotice { count, topic: name(first) });
    }
    let unjudged = || lists().filter(|(_, list)| list.topic == UNJUDGED);
    if unjudged().next().is_some() {
        out.unjudged = Some(NamesNotice { count: unjudged().count(), names: unjudged().take(5).map(name).collect() });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::finished_list::FinishedLists;
    use crate::ranking::judged_ranks::JudgedRanks;
    use crate::ranking::tie_order::TieBreak;
    use crate::text::fields::Field;
    use crate::trec::run_lines::Layout;

    #[test]
    fn lines_are_added_up_and_the_first_of_all_pieces_is_named() {
        let lines = |count, line, value: &str| Some(LineNotice { count, line, value: value.to_owned() });
        let mut total = None;
        add_lines(&mut total, None, 0);
        assert_eq!(total, None);
        add_lines(&mut total, lines(2, 3, "b").as_ref(), 10);
        add_lines(&mut total, lines(1, 4, "c").as_ref(), 20);
        assert_eq!(total, lines(3, 13, "b"));
        add_lines(&mut total, lines(1, 5, "a").as_ref(), 0);
        assert_eq!(total, lines(4, 5, "a"));
    }

    #[test]
    fn lists_are_put_into_the_order_of_topics() -> Result<(), InputError> {
        let options =
            JudgeOptions { layout: Layout::Trec, ties: TieBreak::Trec, keep_first: false, groups: false, threads: 1 };
        let piece = |topic, rank: &[u32]| {
            let name = Field { start: 0, end: 1 };
            let list = FinishedList { topic, name, length: 9, rows: rank.len(), contradicts: false };
            let document = rank.iter().map(|rank| 10 * rank).collect();
            let judged = JudgedRanks { rank: rank.to_vec(), document, ..JudgedRanks::default() };
            let lists = FinishedLists { lists: vec![list], judged, ..FinishedLists::default() };
            PieceResult { text: b"t".to_vec(), rows: 9, lists, ..PieceResult::default() }
        };
        let run = assemble_result(vec![piece(2, &[1, 4]), piece(UNJUDGED, &[]), piece(0, &[3])], 3, options)?;
        assert_eq!((run.length, run.starts), (vec![9, 0, 9], vec![0, 1, 1, 3]));
        assert_eq!((run.judged.rank, run.judged.document), (vec![3, 1, 4], vec![30, 10, 40]));
        assert_eq!(
            (run.facts.rows, run.facts.unjudged),
            (27, Some(NamesNotice { count: 1, names: vec!["t".to_owned()] }))
        );
        Ok(())
    }
}
