//! A file in pieces that can be read side by side.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::tokens::next_line;

/// Pieces that begin where a topic begins. A topic that lasts very long makes a piece longer.
pub fn cut(data: &[u8], start: usize, threads: usize) -> Vec<(usize, usize)> {
    /// Tests and fuzz targets cut what they are given, however small.
    const SMALL: usize = if cfg!(any(test, fuzzing)) { 16 } else { 1 << 20 };
    let parts = if threads > 1 { (data.len() / SMALL).clamp(1, 16 * threads) } else { 1 };
    let mut cuts = vec![start];
    for part in 1..parts {
        let wanted = start + (data.len() - start) / parts * part;
        if wanted > cuts[cuts.len() - 1] {
            let at = topic_start(data, wanted);
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

fn topic_start(data: &[u8], wanted: usize) -> usize {
    let first_word = |at: usize| data[at..].split(|byte| b" \t\r\n".contains(byte)).next();
    let mut at = next_line(data, wanted - 1);
    if at >= data.len() {
        return at;
    }
    let topic = first_word(at);
    while at < data.len() && first_word(at) == topic {
        at = next_line(data, at);
    }
    at
}

/// `work` on every item, several at a time; results in the order of the items. Where the system gives no more threads,
/// those that are there do it all.
pub fn side_by_side<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // A fuzz target looks for cuts that change a result, and starting threads is most of its time.
    let workers = if cfg!(fuzzing) { 1 } else { threads.min(items.len()) };
    if workers <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return done };
            done.push((number, work(item)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, worker).ok();
        let handles: Vec<_> = (1..workers).map_while(start).collect();
        let mut all = worker();
        for handle in handles {
            all.extend(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}
