//! A text in pieces that can be read side by side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread::{Builder, Scope, ScopedJoinHandle, scope};

use crate::error::Error;
use crate::input::file::READ_SIZE;
use crate::input::source::InputText;
use crate::input::windows::{WindowBoundary, Windows};
use crate::memory::{HEADROOM, probe_free_memory};
use crate::text::fields::line_after;

/// Pieces that begin where a topic begins. A topic that lasts very long makes a piece longer.
fn split_at_topics(data: &[u8], start: usize, threads: usize) -> Vec<(usize, usize)> {
    let parts = if threads > 1 { (data.len() / READ_SIZE).clamp(1, 16 * threads) } else { 1 };
    let mut cuts = vec![start];
    for part in 1..parts {
        let target = start + (data.len() - start) / parts * part;
        if target > cuts[cuts.len() - 1] {
            let at = topic_start(data, target);
            if at >= data.len() {
                break;
            }
            if at > cuts[cuts.len() - 1] {
                cuts.push(at);
            }
        }
    }
    cuts.push(data.len());
    cuts.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

fn topic_start(data: &[u8], target: usize) -> usize {
    let first_word = |at: usize| data[at..].split(|byte| b" \t\r\n".contains(byte)).next();
    let mut at = line_after(data, target - 1);
    if at >= data.len() {
        return at;
    }
    let topic = first_word(at);
    while at < data.len() && first_word(at) == topic {
        at = line_after(data, at);
    }
    at
}

/// A part of a text: `data[from..to]`; what it is a part of may be the whole or a window of it.
pub(crate) struct TextPart<'a> {
    pub number: usize,
    pub data: &'a [u8],
    pub from: usize,
    pub to: usize,
    /// Its first list began in an earlier part, or goes on in a later one.
    pub shares_topic: bool,
}

/// `work` on every part of a text, several at a time; results in the order of the parts. Parts begin where a line does,
/// where a topic does, but for windows that may end elsewhere. Of a file that is read in windows none is begun after a
/// result that is `last`.
pub(crate) fn map_parts<R: Send>(
    text: InputText,
    threads: usize,
    ends: WindowBoundary,
    work: impl Fn(TextPart) -> R + Sync,
    last: impl Fn(&R) -> bool + Sync,
) -> Result<(Vec<R>, InputText), Error> {
    match text {
        InputText::InMemory(data, hash) => {
            let parts: Vec<_> = split_at_topics(&data, 0, threads).into_iter().enumerate().collect();
            let part = |number, from, to| TextPart { number, data: &data, from, to, shares_topic: false };
            let results = parallel_map(&parts, threads, |&(number, (from, to))| work(part(number, from, to)));
            Ok((results, InputText::InMemory(data, hash)))
        }
        InputText::Stream(mut stream) => {
            stream.set_threads(threads);
            let windows = Windows::new(stream, ends);
            let results = run_workers(threads, || {
                let (mut done, mut window) = (Vec::new(), Vec::new());
                while let Some((number, within)) = windows.next(&mut window) {
                    let part = TextPart { number, data: &window, from: 0, to: window.len(), shares_topic: within };
                    let result = windows.with_hashing(number, &window, || work(part));
                    if last(&result) {
                        windows.stop();
                    }
                    done.push((number, result));
                }
                done
            });
            Ok((results, InputText::Stream(windows.finish()?)))
        }
    }
}

/// `work` on every item, several at a time; results in the order of the items.
pub(crate) fn parallel_map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    run_workers(threads.min(items.len()), || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return done };
            done.push((number, work(item)));
        }
    })
}

/// What this number of workers has done, in the order of its numbers. Where the system gives no more threads, those that are
/// there do it all.
fn run_workers<R: Send>(count: usize, worker: impl Fn() -> Vec<(usize, R)> + Sync) -> Vec<R> {
    // A fuzz target looks for cuts that change a result, and starting threads is most of its time.
    let mut done = if cfg!(fuzzing) || count <= 1 {
        worker()
    } else {
        let gate = Mutex::new(());
        let gated = || {
            drop(gate.lock());
            worker()
        };
        scope(|scope| {
            let shut = gate.lock();
            let handles: Vec<_> = (1..count).map_while(|_| try_spawn(scope, &gated)).collect();
            drop(shut);
            let mut all = worker();
            for handle in handles {
                all.extend(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            all
        })
    };
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A thread that runs already; None where the system gives none. It takes memory at its beginning (the C library's, for what
/// is local to a thread), and the process ends where that is refused: it must be there, and nobody else may take it meanwhile.
fn try_spawn<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    worker: &'scope (impl Fn() -> R + Sync),
) -> Option<ScopedJoinHandle<'scope, R>> {
    probe_free_memory(HEADROOM, HEADROOM).ok()?;
    let (begins, begun) = mpsc::channel();
    let start = move || {
        let _ = begins.send(());
        worker()
    };
    let thread = Builder::new().spawn_scoped(scope, start).ok()?;
    let _ = begun.recv();
    Some(thread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        let doubled: Vec<usize> = items.iter().map(|item| 2 * item).collect();
        for threads in [1, 2, 7] {
            assert_eq!(parallel_map(&items, threads, |item| 2 * item), doubled);
        }
        assert!(parallel_map(&[0_u8; 0], 3, |&item| item).is_empty());
    }

    #[test]
    fn pieces_begin_where_topics_do_and_leave_nothing_out() {
        let lines = (0..40_000).map(|line| format!("{} Q0 d{line} 1 0.5 x\n", line / 1_000));
        let data = lines.collect::<Vec<String>>().concat();
        let pieces = split_at_topics(data.as_bytes(), 0, 4);
        assert!(pieces.len() > 1 && (pieces[0].0, pieces[pieces.len() - 1].1) == (0, data.len()));
        assert!(pieces.windows(2).all(|pair| pair[0].1 == pair[1].0));
        let topic = |at: usize| data[at..].split(' ').next();
        let last_line = |end: usize| data[..end - 1].rfind('\n').map_or(0, |at| at + 1);
        assert!(pieces.windows(2).all(|pair| topic(last_line(pair[0].1)) != topic(pair[1].0)));
        assert_eq!(split_at_topics(data.as_bytes(), 0, 1), [(0, data.len())]);
    }
}
