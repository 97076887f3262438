//! A file or an archive in windows: some bytes of its text at a time, handed out in their order to whoever asks next.
//!
//! Reading and unpacking happen in that order, under a lock; what is done with a window happens side by side, and it is hashed by whoever
//! holds it. A window ends where a topic ends, so that it can be read alone. A topic that lasts very long makes a window
//! longer, or is cut into several.

use std::sync::{Mutex, MutexGuard, PoisonError};

use memchr::memrchr;

use crate::error::Error;
use crate::input::file::READ_SIZE;
use crate::input::ordered_sha256::OrderedSha256;
use crate::input::source::Stream;
use crate::memory::TryVec;

/// Where windows end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowBoundary {
    /// Where a topic ends, however long it lasts.
    TopicEnd,
    /// The same, or where a line ends of a topic that lasts longer than `MAX_TOPIC_BYTES`.
    TopicEndOrLine,
}

/// Bytes of a topic that is not kept together any more.
const MAX_TOPIC_BYTES: usize = 4 * READ_SIZE;

pub(crate) struct Windows {
    state: Mutex<WindowState>,
    /// Where the windows are hashed.
    turns: Option<OrderedSha256>,
}

struct WindowState {
    stream: Stream,
    /// Read already, and the beginning of the next window.
    carried: Vec<u8>,
    handed_out: usize,
    ends: WindowBoundary,
    /// The window that was given last ends within a topic.
    inside_topic: bool,
    over: bool,
    failure: Option<Error>,
}

impl Windows {
    pub(crate) fn new(mut stream: Stream, ends: WindowBoundary) -> Windows {
        let turns = stream.hash().and_then(Option::take).map(OrderedSha256::new);
        let state = WindowState {
            stream,
            carried: Vec::new(),
            handed_out: 0,
            ends,
            inside_topic: false,
            over: false,
            failure: None,
        };
        Windows { state: Mutex::new(state), turns }
    }

    fn state(&self) -> MutexGuard<'_, WindowState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Put the next window in place of `window`, and give its number and whether it begins or ends within a topic; None if
    /// there is none.
    pub(crate) fn next(&self, window: &mut Vec<u8>) -> Option<(usize, bool)> {
        let mut state = self.state();
        if state.over {
            return None;
        }
        let begins_within = state.inside_topic;
        if let Err(failure) = state.fill(window) {
            state.over = true;
            state.failure = Some(failure);
            return None;
        }
        state.handed_out += 1;
        Some((state.handed_out - 1, begins_within || state.inside_topic))
    }

    /// Do `work` on a window, which is hashed before or after.
    pub(crate) fn with_hashing<R>(&self, number: usize, window: &[u8], work: impl FnOnce() -> R) -> R {
        match &self.turns {
            Some(turns) => turns.update_in_order(number, window, work),
            None => work(),
        }
    }

    /// No further window is handed out.
    pub(crate) fn stop(&self) {
        self.state().over = true;
    }

    /// What the windows are of again, as far as it was read.
    pub(crate) fn finish(self) -> Result<Stream, Error> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = state.stream.hash() {
            *hash = self.turns.map(OrderedSha256::finalize);
        }
        state.failure.map_or(Ok(state.stream), Err)
    }
}

impl WindowState {
    fn fill(&mut self, window: &mut Vec<u8>) -> Result<(), Error> {
        window.clear();
        window.try_reserve_more(self.carried.len())?;
        window.append(&mut self.carried);
        loop {
            // Twice as much each time: the bytes of a long topic are looked at a few times, not once a step.
            if self.stream.read(window, READ_SIZE.max(window.len()))? {
                self.over = true;
                return Ok(());
            }
            // Within a long topic, the first line and the last one say that it goes on.
            let end = if self.inside_topic && is_single_topic(window) { 0 } else { last_topic_start(window) };
            if end > 0 {
                self.inside_topic = false;
                return self.carry_over(window, end);
            }
            let enough = if self.inside_topic { READ_SIZE } else { MAX_TOPIC_BYTES };
            if self.ends == WindowBoundary::TopicEndOrLine && window.len() >= enough {
                let end = memrchr(b'\n', window).map_or(0, |at| at + 1);
                if end > 0 {
                    self.inside_topic = true;
                    return self.carry_over(window, end);
                }
            }
        }
    }

    /// Keep what stands behind the end of a window for the next one.
    fn carry_over(&mut self, window: &mut Vec<u8>, end: usize) -> Result<(), Error> {
        self.carried.try_reserve_more(window.len() - end)?;
        self.carried.extend_from_slice(&window[end..]);
        window.truncate(end);
        Ok(())
    }
}

/// Whether the first and the last whole line that hold data are of one topic.
fn is_single_topic(data: &[u8]) -> bool {
    let end = memrchr(b'\n', data).map_or(0, |at| at + 1);
    let topic = data[..end].split_inclusive(|&byte| byte == b'\n').find_map(first_word);
    let mut above = end;
    while above > 0 {
        let start = memrchr(b'\n', &data[..above - 1]).map_or(0, |at| at + 1);
        if let Some(word) = first_word(&data[start..above]) {
            return topic == Some(word);
        }
        above = start;
    }
    false
}

/// Where the lines of the last topic begin that has a whole line; 0 if there is no other before it.
fn last_topic_start(data: &[u8]) -> usize {
    let mut end = memrchr(b'\n', data).map_or(0, |at| at + 1);
    let (mut begin, mut topic) = (0, None);
    while end > 0 {
        let start = memrchr(b'\n', &data[..end - 1]).map_or(0, |at| at + 1);
        if let Some(word) = first_word(&data[start..end]) {
            if *topic.get_or_insert(word) != word {
                return begin;
            }
            begin = start;
        }
        end = start;
    }
    0
}

/// The topic of a line, None where it holds no data.
fn first_word(line: &[u8]) -> Option<&[u8]> {
    let mut fields = line.split(|byte| b" \t\r\n".contains(byte)).filter(|word| !word.is_empty());
    fields.next().filter(|_| line[0] != b'#')
}

#[cfg(test)]
mod tests {
    use super::{is_single_topic, last_topic_start};

    #[test]
    fn the_last_topic_begins_with_its_first_line() {
        for (data, expected) in [
            ("", 0),
            ("1 a", 0),
            ("1 a\n", 0),
            ("1 a\n1 b\n", 0),
            ("1 a\n2 b\n", 4),
            ("1 a\n2 b\n2 c\n\n# 3\n 2 d\n2 e", 4),
            ("1 a\n\n2 b\n", 5),
            ("1 a\n2 b\n1 c\n", 8),
            ("\u{feff}1 a\n1 b\n", 7),
        ] {
            assert_eq!(last_topic_start(data.as_bytes()), expected, "{data:?}");
        }
    }

    #[test]
    fn the_first_and_the_last_whole_line_say_whether_a_topic_goes_on() {
        for (data, expected) in [
            ("", false),
            ("1 a", false),
            ("\n# 1 a\n", false),
            ("1 a\n", true),
            ("1 a\n1 b\n2 c", true),
            ("\n# 2\n1 a\n 1 b\n\n", true),
            ("1 a\n2 b\n", false),
            ("1 a\n2 b\n1 c\n", true),
        ] {
            assert_eq!(is_single_topic(data.as_bytes()), expected, "{data:?}");
        }
    }
}
