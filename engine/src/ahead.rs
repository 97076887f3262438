//! Reading that begins before anyone waits for it: while Python imports NumPy, which takes longer than to read a small
//! collection. Whoever asks for the very same later is given what was read, or the failure; whoever asks for anything else
//! reads it as ever.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use pyo3::prelude::*;

use crate::guard::guarded;
use crate::judge::{self, Judged, Options};
use crate::lookup::Index;
use crate::qrels::{self, Columns};
use crate::room::available;
use crate::source::Source;
use crate::unpack::Failure;

/// Address space that must be free, or nothing is begun: NumPy needs memory at the same time.
const AMPLE: usize = 1 << 30;

type Read<T> = Result<(T, String), Failure>;
/// Judgments, and the tables of them.
type ReadJudgments = (Read<Columns>, Option<Arc<Index>>);

/// A file of judgments, and how it is read.
#[derive(Clone, PartialEq)]
pub struct AskedJudgments {
    pub source: Source,
    pub header: bool,
    pub max_unpacked: usize,
}

/// A run, and how it is read.
#[derive(Clone, PartialEq)]
pub struct AskedRun {
    pub source: Source,
    pub options: Options,
    pub max_unpacked: usize,
    pub sign: bool,
}

/// What was begun. Each outcome is taken once.
struct Begun {
    qrels: AskedJudgments,
    run: Option<AskedRun>,
    judgments: Option<Receiver<ReadJudgments>>,
    judged: Option<Receiver<Read<Judged>>>,
    /// The tables of the judgments, once these were taken.
    index: Option<Arc<Index>>,
}

static BEGUN: Mutex<Option<Begun>> = Mutex::new(None);

fn begun() -> MutexGuard<'static, Option<Begun>> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AskedJudgments {
    /// Read them, or wait for what is being read.
    pub fn read(self) -> Read<Columns> {
        let waiting = begun().as_mut().filter(|begun| begun.qrels == self).and_then(|begun| begun.judgments.take());
        let Some((read, index)) = waiting.and_then(|waiting| waiting.recv().ok()) else { return self.read_now() };
        if let Some(begun) = &mut *begun() {
            begun.index = index;
        }
        read
    }

    fn read_now(self) -> Read<Columns> {
        let (text, hash) = self.source.open(self.max_unpacked, true)?.whole()?;
        Ok((qrels::read(&text, self.header)?, hash))
    }
}

impl AskedRun {
    /// Judge it, or wait for what is being judged.
    pub fn judge(self, index: &Arc<Index>) -> Read<Judged> {
        let same = |begun: &&mut Begun| {
            begun.run.as_ref() == Some(&self) && begun.index.as_ref().is_some_and(|made| Arc::ptr_eq(made, index))
        };
        let waiting = begun().as_mut().filter(same).and_then(|begun| begun.judged.take());
        waiting.and_then(|waiting| waiting.recv().ok()).unwrap_or_else(|| self.judge_now(index))
    }

    fn judge_now(self, index: &Index) -> Read<Judged> {
        judge::judge(self.source.open(self.max_unpacked, self.sign)?, index, self.options)
    }
}

/// The tables of these judgments, if they were made ahead.
pub fn index_of(topics: &[String], starts: &[i64], data: &[u8], offsets: &[i64]) -> Option<Arc<Index>> {
    begun().as_ref()?.index.as_ref().filter(|index| index.is_of(topics, starts, data, offsets)).cloned()
}

/// Begin to read judgments, and a run that is seen through them, both in TREC's layout, on a thread that needs no Python.
/// Where the system gives no thread, or little memory, nothing is begun.
#[pyfunction]
#[pyo3(signature = (qrels, max_unpacked, run, ties, on_duplicate, threads, sign))]
pub fn begin_reading(
    qrels: PathBuf,
    max_unpacked: usize,
    run: Option<PathBuf>,
    ties: &str,
    on_duplicate: &str,
    threads: usize,
    sign: bool,
) -> PyResult<()> {
    let options = crate::options(ties, on_duplicate, crate::layout_of("trec")?, threads.max(1))?;
    let qrels = AskedJudgments { source: Source::Path(qrels), header: false, max_unpacked };
    let run = run.map(|run| AskedRun { source: Source::Path(run), options, max_unpacked, sign });
    let ((judgments_to, judgments), (judged_to, judged)) = (channel(), channel());
    let asked = (qrels.clone(), run.clone());
    let work = move || read_ahead(asked, &judgments_to, &judged_to);
    if available(AMPLE, AMPLE).is_ok() && Builder::new().spawn(work).is_ok() {
        *begun() = Some(Begun { qrels, run, judgments: Some(judgments), judged: Some(judged), index: None });
    }
    Ok(())
}

/// Forget what was begun: whatever reads the same files later reads what they hold then.
#[pyfunction]
pub fn end_reading() {
    *begun() = None;
}

fn read_ahead(
    (qrels, run): (AskedJudgments, Option<AskedRun>),
    judgments_to: &Sender<ReadJudgments>,
    judged_to: &Sender<Read<Judged>>,
) {
    let read = guarded(|| qrels.read_now());
    let tables = |of: &Columns| Ok(Index::new(&of.topics, &of.starts, &of.data, &of.offsets)?);
    let index = read.as_ref().ok().and_then(|(columns, _)| guarded(|| tables(columns)).ok()?).map(Arc::new);
    // Where nobody waits any more, nothing is lost.
    let _ = judgments_to.send((read, index.clone()));
    if let (Some(index), Some(run)) = (index, run) {
        let _ = judged_to.send(guarded(|| run.judge_now(&index)));
    }
}
