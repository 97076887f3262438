//! What holds whatever the bytes are: no panic, bounded memory, the same result from every entrance and on any number of
//! threads. The fuzz targets (`../fuzz`) call these functions; the tests at the end do so on the corpus there, and on rows
//! from a generator.

use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::checked::Checked;
use crate::error::{Error, InputError, LineError, LineFault, NumberField};
use crate::ids::column::IdType;
use crate::ids::hash::IdHasher;
use crate::ids::position_table::PositionTable;
use crate::input::source::{InputText, Source};
use crate::judging::file::judge_text;
use crate::judging::memory::judge_memory_run;
use crate::judging::piece::{JudgeOptions, JudgedRun};
use crate::judging::topic_index::TopicIndex;
use crate::ranking::UNJUDGED;
use crate::ranking::tie_order::TieBreak;
use crate::text::parse_number::{parse_float, parse_int};
use crate::trec::run_lines::Layout;
use crate::trec::run_view::RunView;
use crate::trec::run_writer::{LineBuffer, RunRows};
use crate::trec::score_writer::RowTemplate;
use crate::trec::{qrels, run_columns};

pub mod columns;

const TIES: [TieBreak; 5] = [TieBreak::Trec, TieBreak::Trec9, TieBreak::Docid, TieBreak::Rank, TieBreak::File];

/// Some documents of some topics are judged; ids of every length up to past a word of the hash.
const JUDGMENTS: &[u8] =
    b"1 0 d 1\n1 0 d1 2\n2 0 b 0\n2 0 d10 1\n10 0 a 1\n1 0 clueweb12-0 3\n2 0 abcdefgh 1\n10 0 abcdefghi 1\n";

/// The text of a run: neither threads nor windows change anything, and judging a run in memory gives what judging its text
/// gives.
///
/// Layout, order and the fate of repeated documents follow from the bytes, so that each input is one case.
///
/// # Panics
/// If one of this is not so.
pub fn check_run(data: &[u8]) {
    let choice = data.iter().fold(data.len(), |sum, &byte| sum + usize::from(byte));
    let layout = if choice % 11 == 0 { Layout::Msmarco } else { Layout::Trec };
    let (ties, keep_first) = (TIES[choice % TIES.len()], choice % 2 == 0);
    let Some(index) = &*JUDGED else { panic!("the judgments above can be read") };
    // Only where ties are weighed or bounded, and these stand as trec orders them.
    let options = |threads| JudgeOptions { layout, ties, keep_first, groups: ties == TieBreak::Trec, threads };
    let on = |threads| outcome(judge_text(InputText::InMemory(data.to_vec(), String::new()), index, options(threads)));
    let alone = on(1);
    assert_eq!(alone, on(2));
    assert_eq!(alone, on(5));
    let packed = packed(data);
    for threads in [1, 3] {
        let in_windows = Source::Bytes(packed.clone()).open(0, false);
        assert_eq!(alone, outcome(in_windows.and_then(|text| judge_text(text, index, options(threads)))), "{ties:?}");
    }
    let read = run_columns::read_run(data, layout, keep_first);
    entry_points_agree(alone, read, index, options(1));
}

/// The same as an archive, which is read in windows of a few bytes here.
fn packed(data: &[u8]) -> Vec<u8> {
    let mut archive = GzEncoder::new(Vec::new(), Compression::fast());
    let Ok(()) = archive.write_all(data) else { panic!("memory is written to") };
    archive.finish().unwrap_or_default()
}

fn outcome(judged: Result<(JudgedRun, String), Error>) -> Result<JudgedRun, InputError> {
    match judged {
        Ok((judged, _)) => Ok(judged),
        Err(Error::Input(problem)) => Err(problem),
        Err(error) => panic!("of a text in memory: {error:?}"),
    }
}

/// Whether a rank is not a whole number, where ranks are to decide.
fn is_of_a_rank(error: &InputError) -> bool {
    let InputError::Line(LineError { fault, .. }) = error else { return false };
    matches!(fault, LineFault::NotANumber { field: NumberField::Rank, .. })
}

fn entry_points_agree(
    file: Result<JudgedRun, InputError>,
    read: Result<run_columns::RunColumns, InputError>,
    index: &TopicIndex,
    on: JudgeOptions,
) {
    let run = match (&file, read) {
        (_, Ok(run)) => run,
        (Ok(_), Err(problem)) => panic!("the run is judged but not read: {problem:?}"),
        (Err(judged), Err(problem)) => {
            // Where ranks decide, they are looked at before what stands further down.
            assert!(*judged == problem || is_of_a_rank(judged), "{judged:?}, {problem:?}");
            return;
        }
    };
    if on.ties == TieBreak::Rank && (run.rank.is_none() || run.duplicates.is_some()) {
        return;
    }
    let memory = RunView {
        topics: &run.topics,
        starts: &run.starts,
        ids: run.documents.as_slice(),
        score: &run.score,
        rank: run.rank.as_deref(),
    };
    let Some(memory) = Checked::new(memory) else { panic!("a run that was read fits together") };
    let orders = [on, JudgeOptions { ties: TieBreak::Trec9, ..on }, on];
    let together = judge_memory_run(&memory, index, &orders);
    let alone = orders[..2].iter().map(|&on| judge_memory_run(&memory, index, &[on]).map(|mut one| one.remove(0)));
    match (&together, alone.collect::<Result<Vec<_>, _>>()) {
        (Ok(together), Ok(alone)) => assert!(together[..2] == alone[..] && together[2] == alone[0]),
        (Err(together), Err(alone)) => assert_eq!(together.clone().facts().code, alone.facts().code),
        (together, alone) => panic!("{together:?}, {alone:?}"),
    }
    match (file, together.map(|mut one| one.remove(0))) {
        (Ok(file), Ok(memory)) => {
            assert_eq!((file.length, file.starts), (memory.length, memory.starts));
            assert_eq!((file.judged.rank, file.judged.document), (memory.judged.rank, memory.judged.document));
            assert_eq!(file.facts.unjudged, memory.facts.unjudged);
        }
        // A run in memory has its rows topic by topic: of two equal ranks another one may be the first.
        (Err(file), Err(memory)) => {
            let (file, memory) = (file.facts(), memory.facts());
            assert_eq!(file.code, memory.code);
            assert!(file.value == memory.value || run.interleaved.is_some());
        }
        (file, memory) => panic!("{file:?}, {memory:?}"),
    }
}

static JUDGED: LazyLock<Option<TopicIndex>> = LazyLock::new(|| index_of(&qrels::read_qrels(JUDGMENTS, false).ok()?));

fn index_of(read: &qrels::QrelsColumns) -> Option<TopicIndex> {
    TopicIndex::new(&read.topics, &read.starts, read.documents.as_slice()).ok().flatten()
}

/// The text of judgments: every judged document is found in the row where it stands, and no other id is.
///
/// # Panics
/// If one of this is not so.
pub fn check_qrels(data: &[u8]) {
    for header in [false, true] {
        let Ok(read) = qrels::read_qrels(data, header) else { continue };
        let hasher = IdHasher::new();
        let Some(index) = index_of(&read) else { panic!("the columns do not fit together") };
        for (topic, bounds) in read.topics.iter().zip(read.starts.windows(2)) {
            let Some(number) = index.topic(topic.as_bytes()) else { panic!("topic {topic:?} is not found") };
            let table = index.table(number);
            let mut before: Option<&[u8]> = None;
            for row in bounds[0] as usize..bounds[1] as usize {
                let id = read.documents.get(row);
                assert!(before.is_none_or(|before| before < id), "documents are in id order, each once");
                before = Some(id);
                assert_eq!(table.find(id, hasher.hash32(id)) as usize, row);
                let unknown = [id, b"\xff"].concat();
                assert_eq!(table.find(&unknown, hasher.hash32(&unknown)), UNJUDGED);
            }
        }
        assert_eq!(read.document.len(), read.label.len());
        assert!(read.grade.iter().chain(&read.label).all(|label| label.is_finite()));
    }
}

/// Bytes that may be an archive: never more than the limit comes out, and plain text comes out as it went in.
///
/// # Panics
/// If one of this is not so.
pub fn check_archive(data: &[u8]) {
    const LIMIT: usize = 1 << 18;
    match Source::Bytes(data.to_vec()).open(LIMIT, false).and_then(InputText::read_to_end) {
        Ok((out, _)) => assert!(out.len() <= LIMIT || out == data),
        Err(Error::Archive(_)) => {}
        Err(error) => panic!("of no archive: {error:?}"),
    }
}

/// One field: read as a number or a whole number as the standard library reads it, where the grammar is ours.
///
/// # Panics
/// If one of this is not so.
pub fn check_field(data: &[u8]) {
    let ours = parse_float(data);
    let text =
        std::str::from_utf8(data).ok().filter(|text| text.bytes().all(|byte| b"0123456789+-.eE".contains(&byte)));
    let theirs = text.and_then(|text| text.parse::<f64>().ok());
    assert_eq!(ours.map(f64::to_bits), theirs.map(f64::to_bits));
    let digits = data.strip_prefix(b"-").or_else(|| data.strip_prefix(b"+")).unwrap_or(data);
    let is_whole = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let value = text.filter(|_| is_whole && digits.len() <= 18).and_then(|text| text.parse::<i64>().ok());
    assert_eq!(parse_int(data), value);
}

/// A run as it was read, written and read again: the same rows with the same bits. And its scores as rows of text.
///
/// # Panics
/// If one of this is not so.
pub fn check_writers(data: &[u8]) {
    let Ok(run) = run_columns::read_run(data, Layout::Trec, true) else { return };
    let view = RunView {
        topics: &run.topics,
        starts: &run.starts,
        ids: run.documents.as_slice(),
        score: &run.score,
        rank: None,
    };
    let Some(rows) = Checked::new(RunRows { run: view, tag: "tag" }) else {
        panic!("a run that was read fits together")
    };
    let mut buffer =
        LineBuffer { seen: PositionTable::new(), hasher: IdHasher::new(), order: Vec::new(), ranks: Vec::new() };
    let mut text = Vec::new();
    for topic in 0..run.topics.len() {
        if rows.write_topic(topic, &mut buffer, &mut text) != Ok(true) {
            return;
        }
    }
    let Ok(again) = run_columns::read_run(&text, Layout::Trec, false) else { panic!("what was written is read") };
    assert_eq!((&again.topics, &again.starts, &again.documents), (&run.topics, &run.starts, &run.documents));
    let bits = |scores: &[f64]| scores.iter().map(|score| score.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&again.score), bits(&run.score));
    let form = RowTemplate { prefix: b"s ", measures: &[&b" m "[..]], suffixes: &[&b"\n"[..]], missing: b"nan" };
    let mut lines = Vec::new();
    for score in &run.score {
        lines.clear();
        assert_eq!(form.write_topic(b"t", &[*score], &mut lines), Ok(true));
        let number = std::str::from_utf8(&lines).ok().and_then(|line| line.strip_prefix("s t m "));
        assert_eq!(number.map(|number| number.trim_end().parse()), Some(Ok(*score)));
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use std::path::Path;

    /// Lists of one to three topics, longer than several windows: in order, or with ties, repeats and lines out of order.
    #[test]
    fn long_lists_obey() {
        let mut state = 1u64;
        let mut below = |count: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % count
        };
        for _ in 0..500 {
            let (ties, disorder, repeats) = (below(4), below(40), below(40));
            let mut text = String::new();
            for topic in 0..=below(3) {
                let (mut score, shift) = (1000, below(61));
                for rank in 1..=1 + below(60) {
                    score -= u64::from(below(4) >= ties);
                    let shown = if below(40) < disorder / 10 { score + 1 } else { score };
                    let document = if below(40) < repeats / 10 { 1 } else { (rank + shift) % 61 };
                    let topic = ["1", "2", "other"][topic as usize];
                    _ = writeln!(text, "{topic} Q0 d{document} {rank} {shown} tag");
                }
            }
            check_run(text.as_bytes());
        }
    }

    type Law = fn(&[u8]);

    /// Target, its law; the corpus of a target is the folder of its name.
    const TARGETS: [(&str, Law); 6] = [
        ("run", check_run),
        ("qrels", check_qrels),
        ("archive", check_archive),
        ("field", check_field),
        ("columns", columns::check_columns),
        ("writers", check_writers),
    ];

    #[test]
    fn rows_in_columns_obey() {
        let mut state = 1u64;
        for size in 0..400 {
            let bytes: Vec<u8> = (0..size)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 40) as u8
                })
                .collect();
            columns::check_columns(&bytes);
        }
    }

    #[test]
    fn the_corpus_obeys() -> std::io::Result<()> {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
        for (target, law) in TARGETS {
            let mut count = 0;
            for entry in std::fs::read_dir(corpus.join(target))? {
                law(&std::fs::read(entry?.path())?);
                count += 1;
            }
            assert!(count >= 5, "{target} has a corpus");
        }
        Ok(())
    }
}
