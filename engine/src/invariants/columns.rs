//! What holds of rows in flat columns.

use crate::columns::judged_lists::JudgedLists;
use crate::columns::list_judge::{ListJudge, ListOptions};
use crate::columns::pools::{PoolBuilder, Pools, RowBatch};
use crate::columns::unordered_rows::UnorderedRows;
use crate::error::InputError;
use crate::ids::column::{IdType, IntIds, TextIds};
use crate::invariants::TIES;
use crate::ranking::judged_ranks::JudgedRanks;

/// Rows in flat columns, four bytes each: rows whose topics come together are judged as rows in any order are, and whole
/// numbers as their text.
///
/// # Panics
/// If one of this is not so.
pub fn check_columns(data: &[u8]) {
    let (odd, rows) = (data.len() % 2 == 1, data.chunks_exact(4));
    let mut rows: Vec<(i64, i64, f64, i64)> = rows
        .map(|row| (i64::from(row[0] % 5), i64::from(row[1] % 32), f64::from(row[2] % 8), i64::from(row[3] % 4)))
        .collect();
    rows.sort_by_key(|row| row.0);
    let mut judged: Vec<(i64, i64, f64, i64)> = rows.iter().filter(|row| row.3 > 0).copied().collect();
    judged.sort_by_key(|row| (row.0, row.1));
    judged.dedup_by_key(|row| (row.0, row.1));
    let wanted = ListOptions { ties: TIES[usize::from(odd)], groups: odd, keep_first: !rows.len().is_multiple_of(3) };
    let of_numbers = judge_columns::<IntIds>(&judged, &rows, wanted, |ids, id| ids.try_push(id).is_ok());
    let of_text =
        judge_columns::<TextIds>(&judged, &rows, wanted, |ids, id| ids.try_push(id.to_string().as_bytes()).is_ok());
    // Judgments are in the order of the text of their ids, whatever the ids are.
    assert_eq!(of_numbers, of_text);
}

type JudgedColumns = Result<(Vec<i64>, Vec<i64>, JudgedRanks<i64>, usize), &'static str>;

fn judge_columns<I: IdType>(
    judged: &[(i64, i64, f64, i64)],
    rows: &[(i64, i64, f64, i64)],
    wanted: ListOptions,
    push: impl Fn(&mut I, i64) -> bool,
) -> JudgedColumns {
    let columns = |rows: &[(i64, i64, f64, i64)]| {
        let (mut topics, mut documents) = (I::default(), I::default());
        for row in rows {
            assert!(push(&mut topics, row.0) && push(&mut documents, row.1), "memory is there");
        }
        (topics, documents, rows.iter().map(|row| row.2).collect::<Vec<_>>())
    };
    let pools = pools_of(&columns(judged));
    let outcome = |lists: JudgedLists| (lists.topic, lists.length, lists.judged, lists.dropped);
    let (topics, documents, score) = columns(rows);
    let mut grouped = ListJudge::new(&pools, wanted);
    let grouped = grouped.judge_grouped(batch(&topics, &documents, &score)).and_then(|()| {
        grouped.done.unjudged_names.clear();
        Ok(outcome(grouped.done.by_topic()?))
    });
    // Every topic's rows in their order, and the topics in turns.
    let mut numbered: Vec<_> = rows.iter().enumerate().collect();
    numbered.sort_by_key(|&(at, row)| (at - rows.partition_point(|other| other.0 < row.0), row.0));
    let mixed: Vec<_> = numbered.into_iter().map(|(_, &row)| row).collect();
    let (topics, documents, score) = columns(&mixed);
    let mut unordered = UnorderedRows::new(0, pools.topics.len());
    let added = unordered.add(&pools, batch(&topics, &documents, &score), 0);
    let unordered = added.and_then(|()| unordered.judge(&pools, wanted)).map(outcome);
    let code = |problem: InputError| problem.facts().code;
    let (grouped, unordered) = (grouped.map_err(code), unordered.map_err(code));
    assert_eq!(grouped, unordered);
    grouped
}

fn batch<'a, I: IdType>(topics: &'a I, documents: &'a I, number: &'a [f64]) -> RowBatch<'a, I, I> {
    RowBatch { topics: topics.as_slice(), documents: documents.as_slice(), number }
}

fn pools_of<I: IdType>((topics, documents, label): &(I, I, Vec<f64>)) -> Pools<I, I> {
    let built = PoolBuilder::new(label.len()).map_err(InputError::from).and_then(|mut builder| {
        builder.add(topics.as_slice(), documents.as_slice(), label)?;
        builder.finish()
    });
    match built {
        Ok((pools, labels)) => {
            assert_eq!(labels.len(), label.len());
            pools
        }
        Err(problem) => panic!("each document is judged once: {problem:?}"),
    }
}
