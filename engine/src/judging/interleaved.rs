//! Runs whose topics come back later in the file: the lines of every topic are found first, then read topic by topic.

use memchr::arch::all::is_equal;

use crate::counting_sort::sort_into_groups;
use crate::error::{InputError, keep_earliest};
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::input::parallel::parallel_map;
use crate::judging::list_builder::{ListBuilder, OpenList};
use crate::judging::piece::{JudgeOptions, PieceResult};
use crate::judging::topic_index::TopicIndex;
use crate::memory::{AllocError, TryVec};
use crate::ranking::tie_order::TieBreak;
use crate::text::fields::{Field, FieldReader, skip_bom};
use crate::trec::run_lines::RunReader;

/// Where a line of a topic is.
#[derive(Clone, Copy, Default)]
struct LinePosition {
    start: usize,
    line: usize,
}

/// Find the lines of every topic first, then read them topic by topic. The pieces count lines of the whole file, which
/// they say by having no lines of their own.
pub(crate) fn judge_interleaved(
    data: &[u8],
    index: &TopicIndex,
    options: JudgeOptions,
) -> Result<Vec<PieceResult>, InputError> {
    let mut lines = FieldReader::new(data);
    lines.at = skip_bom(data)?;
    let TopicLines { names, starts: bounds, positions } = group_lines_by_topic(&mut lines, options.layout.fields())?;
    let mut first = RunReader::new(data, options.layout, false);
    (first.lines.at, first.lines.line) =
        positions.first().map_or((data.len(), 0), |position| (position.start, position.line - 1));
    // What is wrong with the first line, if anything is, comes up again below.
    let _ = first.next_row();
    let share = names.len().div_ceil(4 * options.threads).max(1);
    let parts: Vec<_> = (0..names.len()).step_by(share).map(|from| from..(from + share).min(names.len())).collect();
    let mut pieces = parallel_map(&parts, options.threads, |part| {
        let mut reader = RunReader::new(data, options.layout, options.ties == TieBreak::Rank);
        reader.notes.tag = first.notes.tag;
        let mut gather = ListBuilder::new(data, options.ties, options.keep_first, options.groups);
        let mut out = PieceResult::default();
        for topic in part.clone() {
            let list = OpenList::new(index, index.topic(names[topic].slice(data)), names[topic], false);
            let positions = &positions[bounds[topic]..bounds[topic + 1]];
            if let Err(refused) = read_list(positions, list, &mut reader, &mut gather, &mut out.problem) {
                return refused.into();
            }
        }
        out.lists = gather.done;
        out.rows = reader.lines.rows;
        out.notes = reader.notes;
        out.detach_text(data).unwrap_or_else(PieceResult::from)
    });
    if let Some(first) = pieces.first_mut() {
        (first.skipped, first.commented) = (lines.skipped, lines.commented);
    }
    Ok(pieces)
}

/// Gather the list of one topic from the places of its lines, as far as there is no problem.
fn read_list(
    positions: &[LinePosition],
    mut list: OpenList,
    reader: &mut RunReader,
    gather: &mut ListBuilder,
    problem: &mut Option<InputError>,
) -> Result<(), AllocError> {
    for position in positions {
        (reader.lines.at, reader.lines.line) = (position.start, position.line - 1);
        match reader.next_row() {
            Ok(Some(row)) => gather.push_row(&mut list, &row, position.line)?,
            Ok(None) => break,
            Err(error) => {
                keep_earliest(problem, error);
                break;
            }
        }
    }
    gather.close(&mut list)
}

/// Topics in order of first appearance, and the positions of their lines: topic t has `positions[starts[t]..starts[t + 1]]`.
struct TopicLines {
    names: Vec<Field>,
    starts: Vec<usize>,
    positions: Vec<LinePosition>,
}

fn group_lines_by_topic(lines: &mut FieldReader, fields: usize) -> Result<TopicLines, AllocError> {
    let data = lines.data;
    let (mut seen, hasher) = (PositionTable::new(), IdHasher::new());
    let mut names: Vec<Field> = Vec::new();
    let mut unsorted: Vec<(u32, LinePosition)> = Vec::new();
    while let Some((start, topic)) = lines.next_first_field(fields) {
        let id = topic.slice(data);
        let met = seen.insert_or_get(hasher.hash32(id), names.len(), |at| is_equal(names[at].slice(data), id))?;
        let number = met.unwrap_or(names.len());
        if number == names.len() {
            names.try_push(topic)?;
        }
        unsorted.try_push((number as u32, LinePosition { start, line: lines.line }))?;
    }
    let (starts, positions) =
        sort_into_groups(unsorted.iter().map(|&(topic, line)| (topic as usize, line)), names.len())?;
    Ok(TopicLines { names, starts, positions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_every_topic_are_found() -> Result<(), AllocError> {
        let data = b"b 1 x\na 1 y\n\nb 2 z\n";
        let TopicLines { names, starts, positions } = group_lines_by_topic(&mut FieldReader::new(data), 3)?;
        let names: Vec<_> = names.iter().map(|name| name.slice(data)).collect();
        assert_eq!((names, starts), (vec![&b"b"[..], b"a"], vec![0, 2, 3]));
        let lines: Vec<_> = positions.iter().map(|position| (position.start, position.line)).collect();
        assert_eq!(lines, [(0, 1), (13, 4), (6, 2)]);
        Ok(())
    }
}
