//! What the benchmarks (`../benches`) measure: reading, judging, archives, writing and kernels, on a run that is made here.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::checked::Checked;
use crate::ids::column::IdType;
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::input::source::Source;
use crate::judging::file::judge_text;
use crate::judging::piece::JudgeOptions;
use crate::judging::topic_index::TopicIndex;
use crate::measures::segments::{ListValues, ScanOp};
use crate::ranking::tie_order::TieBreak;
use crate::trec::run_lines::Layout;
use crate::trec::run_view::RunView;
use crate::trec::run_writer::{LineBuffer, RunRows};
use crate::trec::{qrels, run_columns};

/// Lines of each topic, and every how many of them is judged.
const LINES: usize = 1000;
const JUDGED: usize = 10;

/// Something to measure, and how many lines or numbers it goes through.
pub struct Workload {
    /// Lines or numbers.
    pub items: usize,
    /// Goes through all of them once.
    pub run: Box<dyn Fn()>,
}

/// A run whose scores fall, with six decimals.
fn run_text(topics: usize) -> Vec<u8> {
    let mut text = String::new();
    for topic in 0..topics {
        for rank in 0..LINES {
            let score = 20.0 - rank as f64 * 0.019_327;
            _ = writeln!(text, "{topic} Q0 d{:07} {} {score:.6} system", document(topic, rank), rank + 1);
        }
    }
    text.into_bytes()
}

fn document(topic: usize, rank: usize) -> usize {
    (topic * LINES + rank) * 7_919 % 9_999_991
}

fn judgments(topics: usize) -> Option<TopicIndex> {
    let mut text = String::new();
    for topic in 0..topics {
        for rank in (0..LINES).step_by(JUDGED) {
            _ = writeln!(text, "{topic} 0 d{:07} {}", document(topic, rank), rank % 3);
        }
    }
    let read = qrels::read_qrels(text.as_bytes(), false).ok()?;
    TopicIndex::new(&read.topics, &read.starts, read.documents.as_slice()).ok().flatten()
}

/// Scores of all topics, and where the list of each begins.
fn lists(topics: usize) -> (Vec<f64>, Vec<i64>) {
    let values = (0..topics * LINES).map(|row| (row * 7_919 % 10_007) as f64 / 10_007.0).collect();
    (values, (0..=topics).map(|topic| (topic * LINES) as i64).collect())
}

fn workload(items: usize, run: impl Fn() + 'static) -> Workload {
    Workload { items, run: Box::new(run) }
}

/// The lines of a run to columns.
#[must_use]
pub fn reading(topics: usize) -> Workload {
    let text = run_text(topics);
    workload(topics * LINES, move || {
        black_box(run_columns::read_run(&text, Layout::Trec, false).is_ok());
    })
}

fn judging_of(topics: usize, bytes: Vec<u8>) -> Workload {
    let index = judgments(topics);
    let options =
        JudgeOptions { layout: Layout::Trec, ties: TieBreak::Trec, keep_first: false, groups: false, threads: 1 };
    workload(topics * LINES, move || {
        let text = Source::Bytes(bytes.clone()).open(0, false);
        let judged = text.ok().zip(index.as_ref()).map(|(text, index)| judge_text(text, index, options).is_ok());
        assert_eq!(black_box(judged), Some(true));
    })
}

/// The text of a run to the ranks of its judged documents.
#[must_use]
pub fn judging(topics: usize) -> Workload {
    judging_of(topics, run_text(topics))
}

/// The text of a run in gzip to the ranks of its judged documents.
#[must_use]
pub fn judging_gzip(topics: usize) -> Workload {
    let mut archive = GzEncoder::new(Vec::new(), Compression::default());
    _ = archive.write_all(&run_text(topics));
    judging_of(topics, archive.finish().unwrap_or_default())
}

/// A run to lines.
#[must_use]
pub fn writing(topics: usize) -> Workload {
    let run = run_columns::read_run(&run_text(topics), Layout::Trec, false).ok();
    workload(topics * LINES, move || {
        let Some(run) = &run else { return };
        let (starts, ids, score) = (&run.starts, run.documents.as_slice(), &run.score);
        let run_view = RunView { topics: &run.topics, starts, ids, score, rank: None };
        let Some(rows) = Checked::new(RunRows { run: run_view, tag: "system" }) else { return };
        let mut buffer =
            LineBuffer { seen: PositionTable::new(), hasher: IdHasher::new(), order: Vec::new(), ranks: Vec::new() };
        let mut out = Vec::new();
        for topic in 0..run.topics.len() {
            black_box(rows.write_topic(topic, &mut buffer, &mut out).is_ok());
        }
    })
}

fn of<'a>(values: &'a [f64], starts: &'a [i64]) -> Option<Checked<ListValues<'a, f64>>> {
    Checked::new(ListValues { values, starts })
}

/// The sum of each list.
#[must_use]
pub fn sum_lists(topics: usize) -> Workload {
    let (values, starts) = lists(topics);
    workload(values.len(), move || {
        black_box(of(&values, &starts).is_some_and(|lists| lists.list_sums().is_ok()));
    })
}

/// Sums of each list up to every rank.
#[must_use]
pub fn running_sums(topics: usize) -> Workload {
    let (values, starts) = lists(topics);
    workload(values.len(), move || {
        black_box(of(&values, &starts).is_some_and(|lists| lists.running_values(ScanOp::Add, false).is_ok()));
    })
}

/// The sum of each list, rounded once.
#[must_use]
pub fn exact_sums(topics: usize) -> Workload {
    let (values, starts) = lists(topics);
    workload(values.len(), move || {
        black_box(of(&values, &starts).is_some_and(|lists| lists.exact_sums().is_ok()));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workloads_go_through_all_of_their_items() {
        for make in [reading, judging, judging_gzip, writing, sum_lists, running_sums, exact_sums] {
            let workload = make(2);
            assert_eq!(workload.items, 2 * LINES);
            (workload.run)();
        }
    }
}
