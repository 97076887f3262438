//! Reading that begins before anyone waits for it: while Python imports NumPy and what else a command needs. Whoever asks
//! for the very same later is given what was read, or the failure; whoever asks for anything else reads it as ever.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use crate::error::Error;
use crate::input::prefetch::{MemorySize, PrefetchQueue};
use crate::input::source::Source;
use crate::judging::file::{self};
use crate::judging::piece::{Judged, Options};
use crate::judging::topic_index::Index;
use crate::memory::probe_free_memory;
use crate::panics::catch_panic;
use crate::trec::qrels;
use crate::trec::run_columns::{self, RunColumns};
use crate::trec::run_lines::Layout;

/// Address space that must be free, or nothing is begun: NumPy needs memory at the same time.
const AMPLE: usize = 1 << 30;

/// What was read, and the hash of the file.
type Read<T> = Result<(T, String), Error>;
/// Judgments, and the tables of them.
type ReadJudgments = (Read<qrels::QrelsColumns>, Option<Arc<Index>>);

/// A file of judgments, and how it is read.
#[derive(Clone, PartialEq)]
pub(crate) struct AskedJudgments {
    pub source: Source,
    pub header: bool,
    pub max_unpacked: usize,
}

/// A run that is seen through judgments, and how it is read.
#[derive(Clone, PartialEq)]
pub(crate) struct AskedRun {
    pub source: Source,
    pub options: Options,
    pub max_unpacked: usize,
    pub sign: bool,
}

/// A run that is wanted as a whole, and how it is read.
#[derive(Clone, PartialEq)]
pub(crate) struct AskedColumns {
    pub source: Source,
    pub layout: Layout,
    pub max_unpacked: usize,
    pub keep_first: bool,
}

/// Runs that are begun: each is asked for in one way.
#[derive(Clone)]
enum Runs {
    Judged(Arc<PrefetchQueue<AskedRun, (Judged, String)>>),
    Whole(Arc<PrefetchQueue<AskedColumns, (RunColumns, String)>>),
}

/// What was begun. Each outcome is taken once.
struct Begun {
    qrels: AskedJudgments,
    runs: Runs,
    judgments: Option<Receiver<ReadJudgments>>,
    /// The tables of the judgments, once these were taken.
    index: Option<Arc<Index>>,
}

static BEGUN: Mutex<Option<Begun>> = Mutex::new(None);

fn begun() -> MutexGuard<'static, Option<Begun>> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AskedJudgments {
    /// Read them, or wait for what is being read.
    pub(crate) fn read(self) -> Read<qrels::QrelsColumns> {
        let waiting = begun().as_mut().filter(|begun| begun.qrels == self).and_then(|begun| begun.judgments.take());
        let Some((read, index)) = waiting.and_then(|waiting| waiting.recv().ok()) else { return self.read_now() };
        if let Some(begun) = &mut *begun() {
            begun.index = index;
        }
        read
    }

    fn read_now(self) -> Read<qrels::QrelsColumns> {
        let (text, hash) = self.source.open(self.max_unpacked, true)?.read_to_end()?;
        Ok((qrels::read_qrels(&text, self.header)?, hash))
    }
}

impl AskedRun {
    /// Judge it, or wait for what is being judged.
    pub(crate) fn judge(self, index: &Arc<Index>) -> Read<Judged> {
        let same = |begun: &Begun| begun.index.as_ref().is_some_and(|made| Arc::ptr_eq(made, index));
        let early = begun().as_ref().and_then(|begun| match &begun.runs {
            Runs::Judged(runs) if same(begun) => Some(runs.clone()),
            other => {
                // Others are wanted, of these or other judgments: nobody will ask for what is left.
                other.end();
                None
            }
        });
        early.and_then(|runs| runs.take(&self)).unwrap_or_else(|| self.judge_now(index))
    }

    fn judge_now(self, index: &Index) -> Read<Judged> {
        file::judge(self.source.open(self.max_unpacked, self.sign)?, index, self.options)
    }
}

impl AskedColumns {
    /// Read it, or wait for what is being read.
    pub(crate) fn read(self) -> Read<RunColumns> {
        let early = begun().as_ref().and_then(|begun| match &begun.runs {
            Runs::Whole(runs) => Some(runs.clone()),
            Runs::Judged(_) => None,
        });
        early.and_then(|runs| runs.take(&self)).unwrap_or_else(|| self.read_now())
    }

    fn read_now(self) -> Read<RunColumns> {
        let (text, hash) = self.source.open(self.max_unpacked, true)?.read_to_end()?;
        Ok((run_columns::read_run(&text, self.layout, self.keep_first)?, hash))
    }
}

impl MemorySize for (Judged, String) {
    fn size(&self) -> usize {
        size_of::<i64>() * (self.0.length.len() + 4 * self.0.rank.len())
    }
}

impl MemorySize for (RunColumns, String) {
    fn size(&self) -> usize {
        self.0.data.len() + 3 * size_of::<i64>() * self.0.score.len()
    }
}

impl Runs {
    /// Do what is to be done, with others or alone.
    fn work(&self, index: Option<&Index>) {
        match (self, index) {
            (Runs::Judged(runs), Some(index)) => runs.run_worker(|run| run.judge_now(index)),
            (Runs::Judged(runs), None) => runs.cancel(),
            (Runs::Whole(runs), _) => runs.run_worker(AskedColumns::read_now),
        }
    }

    fn end(&self) {
        match self {
            Runs::Judged(runs) => runs.cancel(),
            Runs::Whole(runs) => runs.cancel(),
        }
    }

    /// Have so many more threads work on them, as far as the system gives them.
    fn shared(&self, workers: usize, index: Option<&Arc<Index>>) {
        for _ in 0..workers {
            let (runs, index) = (self.clone(), index.cloned());
            let work = move || runs.work(index.as_deref());
            if probe_free_memory(AMPLE, AMPLE).is_err() || Builder::new().spawn(work).is_err() {
                return;
            }
        }
    }
}

/// Index of these judgments, if it was made ahead.
pub(crate) fn index_of(topics: &[String], starts: &[i64], data: &[u8], offsets: &[i64]) -> Option<Arc<Index>> {
    begun().as_ref()?.index.as_ref().filter(|index| index.is_of(topics, starts, data, offsets)).cloned()
}

/// What is to be read besides the judgments: runs, and how each is read.
pub(crate) struct AskedRuns {
    pub sources: Vec<Source>,
    pub options: Options,
    pub max_unpacked: usize,
    pub sign: bool,
    /// They are read as a whole, or else seen through the judgments.
    pub whole: bool,
}

impl From<AskedRuns> for Runs {
    fn from(asked: AskedRuns) -> Runs {
        let AskedRuns { sources, options, max_unpacked, sign, whole } = asked;
        let Options { layout, keep_first, .. } = options;
        let sources = sources.into_iter();
        if whole {
            Runs::Whole(PrefetchQueue::new(sources.map(|source| AskedColumns {
                source,
                layout,
                max_unpacked,
                keep_first,
            })))
        } else {
            Runs::Judged(PrefetchQueue::new(sources.map(|source| AskedRun { source, options, max_unpacked, sign })))
        }
    }
}

/// Begin to read judgments and runs on threads that need no Python: `workers` of them, each of which reads a run on as many
/// threads as its options say. Where the system gives no thread, or little memory, nothing is begun.
pub(crate) fn begin(qrels: AskedJudgments, runs: AskedRuns, workers: usize) {
    let others = workers.min(runs.sources.len()).saturating_sub(1);
    let runs = Runs::from(runs);
    let (to, judgments) = channel();
    let asked = (qrels.clone(), runs.clone());
    let work = move || read_ahead(asked, others, &to);
    end();
    if probe_free_memory(AMPLE, AMPLE).is_ok() && Builder::new().spawn(work).is_ok() {
        *begun() = Some(Begun { qrels, runs, judgments: Some(judgments), index: None });
    }
}

/// Forget what was begun: whatever reads the same files later reads what they hold then.
pub(crate) fn end() {
    if let Some(begun) = begun().take() {
        begun.runs.end();
    }
}

fn read_ahead((qrels, runs): (AskedJudgments, Runs), others: usize, to: &Sender<ReadJudgments>) {
    if let Runs::Whole(_) = runs {
        runs.shared(others, None);
    }
    let read = catch_panic(|| qrels.read_now());
    let tables = |of: &qrels::QrelsColumns| Ok(Index::new(&of.topics, &of.starts, &of.data, &of.offsets)?);
    let index = read.as_ref().ok().and_then(|(columns, _)| catch_panic(|| tables(columns)).ok()?).map(Arc::new);
    // Where nobody waits any more, nothing is lost.
    let _ = to.send((read, index.clone()));
    if let Runs::Judged(_) = runs {
        runs.shared(if index.is_some() { others } else { 0 }, index.as_ref());
    }
    runs.work(index.as_deref());
}
