//! What is wrong with an input, as facts; `cranfield.io.error_messages` turns them into sentences.

use std::io;

use crate::memory::AllocError;
use crate::notice::DocumentNotice;

/// What is wrong with an input. Each code has a name, by which `cranfield.io.error_messages` knows its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorCode {
    Bomb,
    Changed,
    Conflict,
    Damaged,
    Duplicate,
    Empty,
    EqualRanks,
    Fields,
    Label,
    Long,
    Memory,
    NoRanks,
    Nul,
    Overflow,
    Panic,
    Rank,
    Score,
    TooMany,
    Trailing,
    Truncated,
    Utf16,
    Utf32,
    Utf8,
    Window,
}

impl ErrorCode {
    /// The name that Python knows.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ErrorCode::Bomb => "bomb",
            ErrorCode::Changed => "changed",
            ErrorCode::Conflict => "conflict",
            ErrorCode::Damaged => "damaged",
            ErrorCode::Duplicate => "duplicate",
            ErrorCode::Empty => "empty",
            ErrorCode::EqualRanks => "equal-ranks",
            ErrorCode::Fields => "fields",
            ErrorCode::Label => "label",
            ErrorCode::Long => "long",
            ErrorCode::Memory => "memory",
            ErrorCode::NoRanks => "no-ranks",
            ErrorCode::Nul => "nul",
            ErrorCode::Overflow => "overflow",
            ErrorCode::Panic => "panic",
            ErrorCode::Rank => "rank",
            ErrorCode::Score => "score",
            ErrorCode::TooMany => "too-many",
            ErrorCode::Trailing => "trailing",
            ErrorCode::Truncated => "truncated",
            ErrorCode::Utf16 => "utf16",
            ErrorCode::Utf32 => "utf32",
            ErrorCode::Utf8 => "utf8",
            ErrorCode::Window => "window",
        }
    }
}

/// A refusal: a code, the line it concerns (0 where none), and the values its text needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputError {
    pub code: ErrorCode,
    pub line: usize,
    pub value: String,
    pub number: i64,
    pub detail: String,
}

/// Characters of a value that a message shows at most.
const PREVIEW_CHARS: usize = 80;

impl InputError {
    pub(crate) fn new(code: ErrorCode, line: usize) -> Self {
        InputError { code, line, value: String::new(), number: 0, detail: String::new() }
    }

    pub(crate) fn with_value(mut self, value: &[u8]) -> Self {
        self.value = preview(value);
        self
    }

    pub(crate) fn with_number(mut self, number: usize) -> Self {
        self.number = i64::try_from(number).unwrap_or(i64::MAX);
        self
    }

    /// A document that occurs twice, as what is noticed where such rows are dropped, this number of them.
    pub(crate) fn into_notice(self, count: usize) -> DocumentNotice {
        DocumentNotice { count, line: self.line, topic: self.value, document: self.detail }
    }

    pub(crate) fn with_detail(mut self, more: impl Into<String>) -> Self {
        self.detail = more.into();
        self
    }
}

/// The beginning of a value, readable whatever its bytes are.
pub(crate) fn preview(value: &[u8]) -> String {
    let enough = &value[..value.len().min(4 * PREVIEW_CHARS)];
    String::from_utf8_lossy(enough).chars().take(PREVIEW_CHARS).collect()
}

/// Text that was checked to be UTF-8 when its line was read.
pub(crate) fn lossy_string(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

#[derive(Debug)]
pub(crate) enum Error {
    Io(io::Error),
    Input(InputError),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error)
    }
}

impl From<AllocError> for Error {
    fn from(refused: AllocError) -> Self {
        Error::Input(refused.into())
    }
}

impl From<InputError> for Error {
    fn from(problem: InputError) -> Self {
        Error::Input(problem)
    }
}

impl From<AllocError> for InputError {
    fn from(refused: AllocError) -> InputError {
        InputError::new(ErrorCode::Memory, 0).with_number(refused.0)
    }
}

/// A document that occurs twice in a topic.
pub(crate) fn duplicate_error(line: usize, topic: &[u8], document: &[u8]) -> InputError {
    InputError {
        value: lossy_string(topic),
        detail: lossy_string(document),
        ..InputError::new(ErrorCode::Duplicate, line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_refused_is_a_problem_with_its_size() {
        let problem = InputError::from(AllocError(7));
        assert_eq!((problem.code.as_str(), problem.line, problem.number), ("memory", 0, 7));
    }

    #[test]
    fn a_value_is_shown_from_its_beginning_whatever_its_bytes_are() {
        let problem = InputError::new(ErrorCode::Score, 3).with_value(b"a\xff").with_number(usize::MAX);
        assert_eq!((problem.value.as_str(), problem.number), ("a\u{fffd}", i64::MAX));
        assert_eq!(preview(&[b'x'; 1000]), "x".repeat(PREVIEW_CHARS));
        assert_eq!(preview("\u{1d11e}".repeat(1000).as_bytes()), "\u{1d11e}".repeat(PREVIEW_CHARS));
    }
}
