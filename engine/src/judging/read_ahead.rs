//! Reading that begins before anyone waits for it: while Python imports NumPy and what else a command needs. Whoever asks
//! for the very same later is given what was read, or the failure; whoever asks for anything else reads it as ever.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use crate::error::Error;
use crate::input::prefetch::{MemorySize, PrefetchQueue};
use crate::input::source::Source;
use crate::judging::file::{self};
use crate::judging::piece::{JudgeOptions, JudgedRun};
use crate::judging::topic_index::TopicIndex;
use crate::memory::probe_free_memory;
use crate::panics::catch_panic;
use crate::trec::qrels;
use crate::trec::run_columns::{self, RunColumns};
use crate::trec::run_lines::Layout;

/// Address space that must be free, or nothing is begun: NumPy needs memory at the same time.
const MIN_FREE_MEMORY: usize = 1 << 30;

/// What was read, and the hash of the file.
type ReadResult<T> = Result<(T, String), Error>;
/// Judgments, and the tables of them.
type QrelsResult = (ReadResult<qrels::QrelsColumns>, Option<Arc<TopicIndex>>);

/// A file of judgments, and how it is read.
#[derive(Clone, PartialEq)]
pub(crate) struct QrelsRequest {
    pub source: Source,
    pub header: bool,
    pub max_unpacked: usize,
}

/// A run that is seen through judgments, and how it is read.
#[derive(Clone, PartialEq)]
pub(crate) struct JudgeRequest {
    pub source: Source,
    pub options: JudgeOptions,
    pub max_unpacked: usize,
    pub sign: bool,
}

/// A run that is wanted as a whole, and how it is read.
#[derive(Clone, PartialEq)]
pub(crate) struct RunRequest {
    pub source: Source,
    pub layout: Layout,
    pub max_unpacked: usize,
    pub keep_first: bool,
}

/// Runs that are begun: each is asked for in one way.
#[derive(Clone)]
enum PrefetchedRuns {
    Judged(Arc<PrefetchQueue<JudgeRequest, (JudgedRun, String)>>),
    Whole(Arc<PrefetchQueue<RunRequest, (RunColumns, String)>>),
}

/// What was begun. Each outcome is taken once.
struct ReadAhead {
    qrels: QrelsRequest,
    runs: PrefetchedRuns,
    judgments: Option<Receiver<QrelsResult>>,
    /// The tables of the judgments, once these were taken.
    index: Option<Arc<TopicIndex>>,
}

static READ_AHEAD: Mutex<Option<ReadAhead>> = Mutex::new(None);

fn state() -> MutexGuard<'static, Option<ReadAhead>> {
    READ_AHEAD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl QrelsRequest {
    /// Read them, or wait for what is being read.
    pub(crate) fn read(self) -> ReadResult<qrels::QrelsColumns> {
        let waiting = state().as_mut().filter(|begun| begun.qrels == self).and_then(|begun| begun.judgments.take());
        let Some((read, index)) = waiting.and_then(|waiting| waiting.recv().ok()) else { return self.read_directly() };
        if let Some(begun) = &mut *state() {
            begun.index = index;
        }
        read
    }

    fn read_directly(self) -> ReadResult<qrels::QrelsColumns> {
        let (text, hash) = self.source.open(self.max_unpacked, true)?.read_to_end()?;
        Ok((qrels::read_qrels(&text, self.header)?, hash))
    }
}

impl JudgeRequest {
    /// Judge it, or wait for what is being judged.
    pub(crate) fn judge(self, index: &Arc<TopicIndex>) -> ReadResult<JudgedRun> {
        let same = |begun: &ReadAhead| begun.index.as_ref().is_some_and(|made| Arc::ptr_eq(made, index));
        let early = state().as_ref().and_then(|begun| match &begun.runs {
            PrefetchedRuns::Judged(runs) if same(begun) => Some(runs.clone()),
            other => {
                // Others are wanted, of these or other judgments: nobody will ask for what is left.
                other.cancel();
                None
            }
        });
        early.and_then(|runs| runs.take(&self)).unwrap_or_else(|| self.judge_directly(index))
    }

    fn judge_directly(self, index: &TopicIndex) -> ReadResult<JudgedRun> {
        file::judge_text(self.source.open(self.max_unpacked, self.sign)?, index, self.options)
    }
}

impl RunRequest {
    /// Read it, or wait for what is being read.
    pub(crate) fn read(self) -> ReadResult<RunColumns> {
        let early = state().as_ref().and_then(|begun| match &begun.runs {
            PrefetchedRuns::Whole(runs) => Some(runs.clone()),
            PrefetchedRuns::Judged(_) => None,
        });
        early.and_then(|runs| runs.take(&self)).unwrap_or_else(|| self.read_directly())
    }

    fn read_directly(self) -> ReadResult<RunColumns> {
        let (text, hash) = self.source.open(self.max_unpacked, true)?.read_to_end()?;
        Ok((run_columns::read_run(&text, self.layout, self.keep_first)?, hash))
    }
}

impl MemorySize for (JudgedRun, String) {
    fn size(&self) -> usize {
        size_of::<i64>() * (self.0.length.len() + 4 * self.0.rank.len())
    }
}

impl MemorySize for (RunColumns, String) {
    fn size(&self) -> usize {
        self.0.data.len() + 3 * size_of::<i64>() * self.0.score.len()
    }
}

impl PrefetchedRuns {
    /// Do what is to be done, with others or alone.
    fn run_worker(&self, index: Option<&TopicIndex>) {
        match (self, index) {
            (PrefetchedRuns::Judged(runs), Some(index)) => runs.run_worker(|run| run.judge_directly(index)),
            (PrefetchedRuns::Judged(runs), None) => runs.cancel(),
            (PrefetchedRuns::Whole(runs), _) => runs.run_worker(RunRequest::read_directly),
        }
    }

    fn cancel(&self) {
        match self {
            PrefetchedRuns::Judged(runs) => runs.cancel(),
            PrefetchedRuns::Whole(runs) => runs.cancel(),
        }
    }

    /// Have so many more threads work on them, as far as the system gives them.
    fn spawn_workers(&self, workers: usize, index: Option<&Arc<TopicIndex>>) {
        for _ in 0..workers {
            let (runs, index) = (self.clone(), index.cloned());
            let work = move || runs.run_worker(index.as_deref());
            if probe_free_memory(MIN_FREE_MEMORY, MIN_FREE_MEMORY).is_err() || Builder::new().spawn(work).is_err() {
                return;
            }
        }
    }
}

/// Index of these judgments, if it was made ahead.
pub(crate) fn prefetched_index(
    topics: &[String],
    starts: &[i64],
    data: &[u8],
    offsets: &[i64],
) -> Option<Arc<TopicIndex>> {
    state().as_ref()?.index.as_ref().filter(|index| index.matches(topics, starts, data, offsets)).cloned()
}

/// What is to be read besides the judgments: runs, and how each is read.
pub(crate) struct RunRequests {
    pub sources: Vec<Source>,
    pub options: JudgeOptions,
    pub max_unpacked: usize,
    pub sign: bool,
    /// They are read as a whole, or else seen through the judgments.
    pub whole: bool,
}

impl From<RunRequests> for PrefetchedRuns {
    fn from(asked: RunRequests) -> PrefetchedRuns {
        let RunRequests { sources, options, max_unpacked, sign, whole } = asked;
        let JudgeOptions { layout, keep_first, .. } = options;
        let sources = sources.into_iter();
        if whole {
            PrefetchedRuns::Whole(PrefetchQueue::new(sources.map(|source| RunRequest {
                source,
                layout,
                max_unpacked,
                keep_first,
            })))
        } else {
            PrefetchedRuns::Judged(PrefetchQueue::new(sources.map(|source| JudgeRequest {
                source,
                options,
                max_unpacked,
                sign,
            })))
        }
    }
}

/// Begin to read judgments and runs on threads that need no Python: `workers` of them, each of which reads a run on as many
/// threads as its options say. Where the system gives no thread, or little memory, nothing is begun.
pub(crate) fn begin(qrels: QrelsRequest, runs: RunRequests, workers: usize) {
    let others = workers.min(runs.sources.len()).saturating_sub(1);
    let runs = PrefetchedRuns::from(runs);
    let (to, judgments) = channel();
    let asked = (qrels.clone(), runs.clone());
    let work = move || read_all(asked, others, &to);
    cancel();
    if probe_free_memory(MIN_FREE_MEMORY, MIN_FREE_MEMORY).is_ok() && Builder::new().spawn(work).is_ok() {
        *state() = Some(ReadAhead { qrels, runs, judgments: Some(judgments), index: None });
    }
}

/// Forget what was begun: whatever reads the same files later reads what they hold then.
pub(crate) fn cancel() {
    if let Some(begun) = state().take() {
        begun.runs.cancel();
    }
}

fn read_all((qrels, runs): (QrelsRequest, PrefetchedRuns), others: usize, to: &Sender<QrelsResult>) {
    if let PrefetchedRuns::Whole(_) = runs {
        runs.spawn_workers(others, None);
    }
    let read = catch_panic(|| qrels.read_directly());
    let tables = |of: &qrels::QrelsColumns| Ok(TopicIndex::new(&of.topics, &of.starts, &of.data, &of.offsets)?);
    let index = read.as_ref().ok().and_then(|(columns, _)| catch_panic(|| tables(columns)).ok()?).map(Arc::new);
    // Where nobody waits any more, nothing is lost.
    let _ = to.send((read, index.clone()));
    if let PrefetchedRuns::Judged(_) = runs {
        runs.spawn_workers(if index.is_some() { others } else { 0 }, index.as_ref());
    }
    runs.run_worker(index.as_deref());
}
