//! Outcomes of reading that wait for whoever asks for them: several threads make them, in order and no more than may wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::panics::catch_panic;

/// Bytes of outcomes that may wait; with so many of them nothing new is begun before somebody asks.
const MAX_READY_BYTES: usize = if cfg!(test) { 8 } else { 64 << 20 };
/// How many are begun at the most before the first is asked for, and beyond the last that was.
const MAX_AHEAD: usize = if cfg!(test) { 4 } else { 32 };

/// What knows how much memory it takes.
pub(crate) trait MemorySize {
    fn size(&self) -> usize;
}

enum Stage<T> {
    Pending,
    Running,
    Ready(Result<T, Error>),
    /// Nobody gets it any more.
    Taken,
}

struct QueueState<T> {
    stages: Vec<Stage<T>>,
    /// Bytes of what is done.
    waiting: usize,
    /// Somebody waits for one of the first so many.
    wanted: usize,
    cancelled: bool,
}

/// What is asked for, in the order in which it is begun, and what became of each.
pub(crate) struct PrefetchQueue<A, T> {
    asked: Vec<A>,
    state: Mutex<QueueState<T>>,
    changed: Condvar,
}

impl<A: Clone + PartialEq, T: MemorySize> PrefetchQueue<A, T> {
    pub(crate) fn new(asked: impl Iterator<Item = A>) -> Arc<Self> {
        let asked: Vec<A> = asked.collect();
        let stages = asked.iter().map(|_| Stage::Pending).collect();
        let state = QueueState { stages, waiting: 0, wanted: 0, cancelled: false };
        Arc::new(PrefetchQueue { asked, state: Mutex::new(state), changed: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn later<'a>(&self, state: MutexGuard<'a, QueueState<T>>) -> MutexGuard<'a, QueueState<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Begin one after the other, as one of several threads, until all are begun or it is over.
    pub(crate) fn run_worker(&self, work: impl Fn(A) -> Result<T, Error>) {
        while let Some(number) = self.next() {
            let done = catch_panic(|| work(self.asked[number].clone()));
            let mut state = self.state();
            if !state.cancelled {
                state.waiting += done.as_ref().map_or(0, MemorySize::size);
                state.stages[number] = Stage::Ready(done);
            }
            self.changed.notify_all();
        }
    }

    /// The number of the next one, which is begun now.
    fn next(&self) -> Option<usize> {
        let mut state = self.state();
        loop {
            if state.cancelled {
                return None;
            }
            let number = state.stages.iter().position(|stage| matches!(stage, Stage::Pending))?;
            if number < state.wanted || (state.waiting < MAX_READY_BYTES && number < state.wanted + MAX_AHEAD) {
                state.stages[number] = Stage::Running;
                return Some(number);
            }
            state = self.later(state);
        }
    }

    /// What became of it, once: it is waited for. None where it was not asked for in this way, or is not begun any more.
    pub(crate) fn take(&self, asked: &A) -> Option<Result<T, Error>> {
        let mut state = self.state();
        let mut left = state.stages.iter().zip(&self.asked);
        let number = left.position(|(stage, one)| !matches!(stage, Stage::Taken) && one == asked)?;
        state.wanted = state.wanted.max(number + 1);
        self.changed.notify_all();
        loop {
            if state.cancelled {
                return None;
            }
            match std::mem::replace(&mut state.stages[number], Stage::Taken) {
                Stage::Ready(done) => {
                    state.waiting -= done.as_ref().map_or(0, MemorySize::size);
                    self.changed.notify_all();
                    return Some(done);
                }
                // Somebody else asked for the same meanwhile, and was given it.
                Stage::Taken => return None,
                before => state.stages[number] = before,
            }
            state = self.later(state);
        }
    }

    /// Begin nothing more; what was done is given back, and nobody waits for it.
    pub(crate) fn cancel(&self) {
        let mut state = self.state();
        state.cancelled = true;
        state.stages.clear();
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread::{scope, sleep};
    use std::time::Duration;

    use super::*;
    use crate::error::{ErrorCode, InputError};

    impl MemorySize for usize {
        fn size(&self) -> usize {
            *self
        }
    }

    fn some(count: usize) -> Arc<PrefetchQueue<usize, usize>> {
        PrefetchQueue::new(0..count)
    }

    /// Whether one thread begins `before` and nothing more while nobody asks, and then `after`, where a number is asked for.
    fn begins(size: usize, before: &[usize], asked: usize, after: &[usize]) {
        let early = some(9);
        let (to, from) = channel();
        let begun = |expected: &[usize]| {
            for number in expected {
                assert_eq!(from.recv_timeout(Duration::from_secs(60)), Ok(*number));
            }
            sleep(Duration::from_millis(20));
            assert!(from.try_recv().is_err(), "more is begun than {expected:?}");
        };
        scope(|scope| {
            scope.spawn(|| {
                early.run_worker(|number| {
                    let _ = to.send(number);
                    Ok(size)
                });
            });
            begun(before);
            assert_eq!(early.take(&asked).and_then(Result::ok), Some(size));
            begun(after);
            assert!(early.take(&asked).is_none(), "it is taken once");
            early.cancel();
        });
    }

    #[test]
    fn no_more_is_begun_than_may_wait() {
        begins(0, &[0, 1, 2, 3], 1, &[4, 5]);
        begins(4, &[0, 1], 0, &[2]);
        begins(100, &[0], 2, &[1, 2]);
    }

    #[test]
    fn failures_and_panics_are_given_to_who_asks() {
        let early = some(3);
        early.run_worker(|number| match number {
            0 => Err(InputError::new(ErrorCode::Empty, 0).into()),
            1 => panic!("a fault"),
            _ => Ok(number),
        });
        let code = |number| match early.take(&number) {
            Some(Err(Error::Input(problem))) => problem.code.as_str(),
            _ => "",
        };
        assert_eq!((code(0), code(1)), ("empty", "panic"));
        assert_eq!(early.take(&2).and_then(Result::ok), Some(2));
        assert!(early.take(&3).is_none());
    }

    #[test]
    fn nobody_waits_beyond_the_end() {
        let early = some(2);
        scope(|scope| {
            let asking = scope.spawn(|| early.take(&0));
            sleep(Duration::from_millis(20));
            early.cancel();
            assert!(asking.join().is_ok_and(|found| found.is_none()));
        });
        early.run_worker(|_| panic!("nothing is begun"));
    }
}
