//! What is wrong with an input, as facts; `cranfield.io.messages` turns them into sentences.

use std::io;

use crate::memory::Refused;

/// A refusal: a code, the line it concerns (0 where none), and the values its text needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub code: &'static str,
    pub line: usize,
    pub value: String,
    pub number: i64,
    pub more: String,
}

/// Characters of a value that a message shows at most.
const SHOWN: usize = 80;

impl Problem {
    pub(crate) fn new(code: &'static str, line: usize) -> Self {
        Problem { code, line, value: String::new(), number: 0, more: String::new() }
    }

    pub(crate) fn value(mut self, value: &[u8]) -> Self {
        self.value = shown(value);
        self
    }

    pub(crate) fn number(mut self, number: usize) -> Self {
        self.number = i64::try_from(number).unwrap_or(i64::MAX);
        self
    }

    pub(crate) fn more(mut self, more: impl Into<String>) -> Self {
        self.more = more.into();
        self
    }
}

/// The beginning of a value, readable whatever its bytes are.
pub(crate) fn shown(value: &[u8]) -> String {
    let enough = &value[..value.len().min(4 * SHOWN)];
    String::from_utf8_lossy(enough).chars().take(SHOWN).collect()
}

/// Text that was checked to be UTF-8 when its line was read.
pub(crate) fn text(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

#[derive(Debug)]
pub(crate) enum Failure {
    Io(io::Error),
    Problem(Problem),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Failure::Problem(refused.into())
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::Problem(problem)
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        Problem::new("memory", 0).number(refused.0)
    }
}

/// A document that occurs twice in a topic.
pub(crate) fn repeated(line: usize, topic: &[u8], document: &[u8]) -> Problem {
    Problem { value: text(topic), more: text(document), ..Problem::new("duplicate", line) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_refused_is_a_problem_with_its_size() {
        let problem = Problem::from(Refused(7));
        assert_eq!((problem.code, problem.line, problem.number), ("memory", 0, 7));
    }

    #[test]
    fn a_value_is_shown_from_its_beginning_whatever_its_bytes_are() {
        let problem = Problem::new("number", 3).value(b"a\xff").number(usize::MAX);
        assert_eq!((problem.value.as_str(), problem.number), ("a\u{fffd}", i64::MAX));
        assert_eq!(shown(&[b'x'; 1000]), "x".repeat(SHOWN));
        assert_eq!(shown("\u{1d11e}".repeat(1000).as_bytes()), "\u{1d11e}".repeat(SHOWN));
    }
}
