//! A file or an archive in windows: some bytes of its text at a time, handed out in their order to whoever asks next.
//!
//! Reading and unpacking happen in that order, under a lock; what is done with a window happens side by side, and it is hashed by whoever
//! holds it. A window ends where a topic ends, so that it can be read alone. A topic that lasts very long makes a window
//! longer.

use std::sync::{Mutex, MutexGuard, PoisonError};

use memchr::memrchr;

use crate::room::Room;
use crate::source::{STEP, Stream};
use crate::turns::Turns;
use crate::unpack::Failure;

pub struct Windows {
    state: Mutex<State>,
    /// Where the windows are hashed.
    turns: Option<Turns>,
}

struct State {
    stream: Stream,
    /// Read already, and the beginning of the next window.
    rest: Vec<u8>,
    given: usize,
    over: bool,
    failure: Option<Failure>,
}

impl Windows {
    pub fn new(mut stream: Stream) -> Windows {
        let turns = stream.hash().and_then(Option::take).map(Turns::new);
        let state = State { stream, rest: Vec::new(), given: 0, over: false, failure: None };
        Windows { state: Mutex::new(state), turns }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Put the next window in place of `window`, and give its number; None if there is none.
    pub fn next(&self, window: &mut Vec<u8>) -> Option<usize> {
        let mut state = self.state();
        if state.over {
            return None;
        }
        if let Err(failure) = state.fill(window) {
            state.over = true;
            state.failure = Some(failure);
            return None;
        }
        state.given += 1;
        Some(state.given - 1)
    }

    /// Do `work` on a window, which is hashed before or after.
    pub fn on<R>(&self, number: usize, window: &[u8], work: impl FnOnce() -> R) -> R {
        match &self.turns {
            Some(turns) => turns.around(number, window, work),
            None => work(),
        }
    }

    /// No further window is handed out.
    pub fn stop(&self) {
        self.state().over = true;
    }

    /// What the windows are of again, as far as it was read.
    pub fn end(self) -> Result<Stream, Failure> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = state.stream.hash() {
            *hash = self.turns.map(Turns::end);
        }
        state.failure.map_or(Ok(state.stream), Err)
    }
}

impl State {
    fn fill(&mut self, window: &mut Vec<u8>) -> Result<(), Failure> {
        window.clear();
        window.room(self.rest.len())?;
        window.append(&mut self.rest);
        loop {
            // Twice as much each time: the bytes of a long topic are looked at a few times, not once a step.
            if self.stream.read(window, STEP.max(window.len()))? {
                self.over = true;
                return Ok(());
            }
            let end = last_topic(window);
            if end > 0 {
                self.rest.room(window.len() - end)?;
                self.rest.extend_from_slice(&window[end..]);
                window.truncate(end);
                return Ok(());
            }
        }
    }
}

/// Where the lines of the last topic begin that has a whole line; 0 if there is no other before it.
fn last_topic(data: &[u8]) -> usize {
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
    let mut words = line.split(|byte| b" \t\r\n".contains(byte)).filter(|word| !word.is_empty());
    words.next().filter(|_| line[0] != b'#')
}

#[cfg(test)]
mod tests {
    use super::last_topic;

    #[test]
    fn the_last_topic_begins_with_its_first_line() {
        for (data, wanted) in [
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
            assert_eq!(last_topic(data.as_bytes()), wanted, "{data:?}");
        }
    }
}
