//! From the bytes of a run to the ranks of its judged documents, never building the run.
//!
//! A file is cut at topic boundaries and the pieces are read side by side. Each list is finished as soon as its topic
//! ends; only judged documents are kept. Where a topic turns up again later, all of that is given up and the file is
//! read once more, whole, by `scattered`, which finds the lines of every topic first.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::arch::all::is_equal;

use crate::error::{AtLine, Error, FileError, InputError, keep_earliest};
use crate::input::parallel::{TextPart, map_parts};
use crate::input::source::InputText;
use crate::input::windows::WindowBoundary;
use crate::judging::interleaved::judge_interleaved;
use crate::judging::list_builder::{ListBuilder, OpenList};
use crate::judging::long_list_join::join_segments;
use crate::judging::piece::{JudgeOptions, JudgedRun, PieceResult};
use crate::judging::result::assemble_result;
use crate::judging::topic_index::TopicIndex;
use crate::memory::{AllocError, try_filled};
use crate::ranking::UNJUDGED;
use crate::ranking::tie_order::TieBreak;
use crate::text::fields::skip_bom;
use crate::trec::run_lines::RunReader;

/// Judge the text of a run; and its hash.
pub(crate) fn judge_text(
    text: InputText,
    index: &TopicIndex,
    options: JudgeOptions,
) -> Result<(JudgedRun, String), Error> {
    let (mut pieces, text) = read_pieces(text, index, options)?;
    let hash = if pieces.iter().any(|piece| piece.interleaved) || has_interleaved_topics(&pieces, index.len())? {
        let (data, hash) = text.read_to_end()?;
        pieces = judge_interleaved(&data, index, options)?;
        hash
    } else {
        text.finish()?
    };
    if let Some(problem) = first_error(&pieces) {
        return Err(problem.into());
    }
    if pieces.iter().all(|piece| piece.rows == 0) {
        return Err(FileError::Empty.into());
    }
    Ok((assemble_result(pieces, index.len(), options)?, hash))
}

/// All pieces of a text. Where a list turns out to be unfit for being read in stretches, all is read again, that list as a
/// whole.
fn read_pieces(
    text: InputText,
    index: &TopicIndex,
    options: JudgeOptions,
) -> Result<(Vec<PieceResult>, InputText), Error> {
    let all = |text: InputText, ends: WindowBoundary| {
        let give_up = AtomicBool::new(false);
        let work = |part: TextPart| read_piece(&part, index, options, &give_up);
        map_parts(text, options.threads, ends, work, |piece| {
            piece.interleaved || piece.needs_whole_list || piece.problem.is_some()
        })
    };
    let (pieces, text) = all(text, WindowBoundary::TopicEndOrLine)?;
    if pieces.iter().any(|piece| piece.interleaved) {
        return Ok((pieces, text));
    }
    let joined = if pieces.iter().any(|piece| piece.needs_whole_list) { None } else { join_segments(pieces, options)? };
    match joined {
        Some(pieces) => Ok((pieces, text)),
        None => all(text.rewind()?, WindowBoundary::TopicEnd),
    }
}

/// The problem of the earliest line: pieces before one that failed were read to their end, so their lines are known.
/// Memory that was refused comes before all: where that happened, nothing is known.
fn first_error(pieces: &[PieceResult]) -> Option<InputError> {
    let refused = pieces
        .iter()
        .filter_map(|piece| piece.problem.as_ref())
        .find(|problem| matches!(problem, InputError::Memory(_)));
    if refused.is_some() {
        return refused.cloned();
    }
    let mut before = 0;
    let mut first = None;
    for piece in pieces {
        if let Some(problem) = &piece.problem {
            keep_earliest(&mut first, problem.below(before));
            if piece.lines > 0 {
                break;
            }
        }
        before += piece.lines;
    }
    first
}

/// Whether a topic has lists in several pieces.
fn has_interleaved_topics(pieces: &[PieceResult], topics: usize) -> Result<bool, AllocError> {
    if pieces.len() == 1 {
        return Ok(false);
    }
    let mut met = SeenTopics::new(topics)?;
    for piece in pieces {
        for list in &piece.lists.lists {
            let judged = (list.topic != UNJUDGED).then_some(list.topic);
            if met.seen_before(judged, list.name.slice(&piece.text))? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Topics that were met: judged ones by their numbers, others by their names.
struct SeenTopics<'a> {
    judged: Vec<bool>,
    others: HashSet<&'a [u8]>,
}

impl<'a> SeenTopics<'a> {
    fn new(topics: usize) -> Result<SeenTopics<'a>, AllocError> {
        Ok(SeenTopics { judged: try_filled(false, topics)?, others: HashSet::new() })
    }

    /// Whether a topic was met before.
    fn seen_before(&mut self, judged: Option<u32>, name: &'a [u8]) -> Result<bool, AllocError> {
        let Some(number) = judged else {
            let others = &mut self.others;
            others.try_reserve(1).map_err(|_| AllocError(2 * others.len() * size_of::<&[u8]>()))?;
            return Ok(!others.insert(name));
        };
        Ok(std::mem::replace(&mut self.judged[number as usize], true))
    }
}

/// Read one piece, finishing each list as its topic ends; gives up (`scattered`) where a topic turns up again.
fn read_piece(part: &TextPart, index: &TopicIndex, options: JudgeOptions, give_up: &AtomicBool) -> PieceResult {
    let (mut out, data) = (PieceResult::default(), part.data);
    let mut reader = RunReader::new(&data[..part.to], options.layout, options.ties == TieBreak::Rank);
    reader.lines.at = part.from;
    if part.number == 0 {
        match skip_bom(data) {
            Ok(start) => reader.lines.at = start,
            Err(problem) => return PieceResult { problem: Some(problem.into()), ..out },
        }
    }
    let mut gather = ListBuilder::new(data, options.ties, options.keep_first, options.groups);
    match read_lists(&mut reader, &mut gather, index, part.shares_topic, give_up) {
        Ok(scattered) => out.interleaved = scattered,
        Err(problem) => out.problem = Some(problem),
    }
    if gather.needs_whole_list {
        give_up.store(true, Ordering::Relaxed);
    }
    (out.lists, out.segment, out.needs_whole_list) = (gather.done, gather.segment, gather.needs_whole_list);
    out.set_counts(&reader);
    out.notes = reader.notes;
    out.detach_text(data).unwrap_or_else(PieceResult::from)
}

/// Gather what a reader reads, list by list, the first one as a stretch where it is one; whether a topic turned up again.
/// What stands above a problem is gathered.
fn read_lists<'a>(
    reader: &mut RunReader<'a>,
    gather: &mut ListBuilder,
    index: &TopicIndex,
    mut stretch: bool,
    give_up: &AtomicBool,
) -> Result<bool, InputError> {
    let data: &'a [u8] = reader.lines.data;
    let mut met = SeenTopics::new(index.len())?;
    let mut open: Option<OpenList> = None;
    let mut ended = Ok(false);
    loop {
        let row = match reader.next_row() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            Err(problem) => {
                ended = Err(problem);
                break;
            }
        };
        let goes_on = |list: &OpenList| {
            list.name.start == row.topic.start || is_equal(list.name.slice(data), row.topic.slice(data))
        };
        if !open.as_ref().is_some_and(goes_on) {
            if let Some(mut list) = open.take() {
                gather.close(&mut list)?;
            }
            let name = row.topic.slice(data);
            let topic = index.topic(name);
            if met.seen_before(topic, name)? {
                ended = Ok(true);
                give_up.store(true, Ordering::Relaxed);
            }
            if give_up.load(Ordering::Relaxed) {
                break;
            }
            open = Some(OpenList::new(index, topic, row.topic, std::mem::take(&mut stretch)));
        }
        if let Some(list) = &mut open {
            gather.push_row(list, &row, reader.lines.line)?;
        }
    }
    if let Some(mut list) = open {
        gather.close(&mut list)?;
    }
    ended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::topic_index::sample_index;
    use crate::trec::run_lines::Layout;

    fn judge(text: &str, ties: TieBreak, threads: usize) -> Result<JudgedRun, &'static str> {
        let options = JudgeOptions { layout: Layout::Trec, ties, keep_first: false, groups: false, threads };
        let text = InputText::InMemory(text.as_bytes().to_vec(), String::new());
        let judged = judge_text(text, &sample_index(), options);
        judged.map(|(run, _)| run).map_err(|error| error.facts().map_or("of the system", |facts| facts.code))
    }

    #[test]
    fn topics_are_judged_alike_together_and_in_turns() {
        let lines = ["1 Q0 a 1 9 s", "1 Q0 x 2 8 s", "1 Q0 c 3 7 s", "2 Q0 y 1 9 s", "2 Q0 a 2 8 s"];
        let together = judge(&lines.join("\n"), TieBreak::Trec, 1);
        assert!(together.as_ref().is_ok_and(|run| run.judged.rank == [1, 3, 2] && run.judged.document == [0, 2, 3]));
        let in_turns = [lines[0], lines[3], lines[1], lines[4], lines[2]].join("\n");
        for threads in [1, 3] {
            assert_eq!(judge(&lines.join("\n"), TieBreak::Trec, threads), together);
            assert_eq!(judge(&in_turns, TieBreak::Trec, threads), together);
            assert_eq!(judge(&in_turns, TieBreak::Rank, threads), together);
        }
    }

    #[test]
    fn texts_without_rows_and_documents_that_occur_twice_are_refused() {
        assert_eq!(judge("\n\n", TieBreak::Trec, 2), Err("empty"));
        assert_eq!(judge("1 Q0 a 1 9 s\n1 Q0 a 2 8 s\n", TieBreak::Trec, 2), Err("duplicate"));
        assert_eq!(judge("1 Q0 a 1 9 s\n1 Q0 a 2\n", TieBreak::Trec, 2), Err("fields"));
    }
}
