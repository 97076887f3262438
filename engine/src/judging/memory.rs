//! Runs in memory, judged under several tie policies at once.

use crate::checked::Checked;
use crate::error::InputError;
use crate::judging::list_builder::{ListBuilder, OpenList};
use crate::judging::piece::{JudgeOptions, JudgedRun, PieceResult};
use crate::judging::result::assemble_result;
use crate::judging::topic_index::TopicIndex;
use crate::memory::{TryVec, try_to_vec};
use crate::ranking::NO_RANK;
use crate::text::fields::Field;
use crate::trec::run_lines::RunRow;
use crate::trec::run_view::RunView;

/// Judge a run in memory under each of some options, which differ in the order of ties: a document is looked up once.
pub(crate) fn judge_memory_run(
    run: &Checked<RunView>,
    index: &TopicIndex,
    orders: &[JudgeOptions],
) -> Result<Vec<JudgedRun>, InputError> {
    // Names follow the ids, so that both are fields of the same bytes.
    let mut data = try_to_vec(run.ids.data())?;
    let mut names: Vec<Field> = Vec::new();
    names.try_reserve_more(run.topics.len())?;
    for topic in run.topics {
        data.try_reserve_more(topic.len())?;
        data.extend_from_slice(topic.as_bytes());
        names.push(Field { start: data.len() - topic.len(), end: data.len() });
    }
    let gather = |&JudgeOptions { ties, keep_first, groups, .. }: &JudgeOptions| {
        ListBuilder::new(&data, ties, keep_first, groups)
    };
    let mut gathers: Vec<ListBuilder> = orders.iter().map(gather).collect();
    let Some((first, others)) = gathers.split_first_mut() else { return Ok(Vec::new()) };
    for (&name, bounds) in names.iter().zip(run.starts.windows(2)) {
        let mut list = OpenList::new(index, index.topic(name.slice(&data)), name, false);
        for at in bounds[0] as usize..bounds[1] as usize {
            let (start, end) = run.ids.range(at);
            let row = RunRow {
                topic: name,
                document: Field { start, end },
                score: run.score[at],
                rank: run.rank.map_or(NO_RANK, |ranks| ranks[at]),
            };
            first.push_row(&mut list, &row, at + 1)?;
        }
        first.find_judged_and_duplicates(&mut list)?;
        for builder in &mut *others {
            let same = builder.copy_from(first, &list)?;
            builder.finish_list(&same)?;
        }
        first.finish_list(&list)?;
    }
    let judged = |(gather, &options): (ListBuilder, &JudgeOptions)| {
        let piece = PieceResult { rows: run.score.len(), lists: gather.done, ..PieceResult::default() };
        assemble_result(vec![piece.detach_text(&data)?], index.len(), options)
    };
    gathers.into_iter().zip(orders).map(judged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checked::checked;
    use crate::ids::column::TextIdSlice;
    use crate::judging::topic_index::sample_index;
    use crate::ranking::tie_order::TieBreak;
    use crate::trec::run_lines::Layout;

    #[test]
    fn a_run_is_judged_under_several_orders_of_ties() -> Result<(), InputError> {
        let topics = ["2".to_owned(), "1".to_owned()];
        let (starts, score) = ([0, 1, 4], [1.0, 5.0, 5.0, 5.0]);
        let Some(ids) = TextIdSlice::of_any_bytes(b"aabx", &[0, 1, 2, 3, 4]) else { panic!("these fit together") };
        let run = RunView { topics: &topics, starts: &starts, ids, score: &score, rank: None };
        let order = |ties| JudgeOptions { layout: Layout::Trec, ties, keep_first: false, groups: false, threads: 1 };
        let judged = judge_memory_run(&checked(run), &sample_index(), &[TieBreak::Trec, TieBreak::Docid].map(order))?;
        let found: Vec<_> = judged.into_iter().map(|run| (run.judged.rank, run.judged.document)).collect();
        assert_eq!(found, [(vec![2, 3, 1], vec![1, 0, 3]), (vec![1, 2, 1], vec![0, 1, 3])]);
        Ok(())
    }
}
