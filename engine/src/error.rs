//! What is wrong with an input, a type for each kind; `cranfield.io.error_messages` turns the facts of one into a sentence.

use std::io;

use crate::memory::AllocError;
use crate::notice::DocumentNotice;

/// What a call fails with.
#[derive(Debug)]
pub(crate) enum Error {
    /// The system refused to read or to open a file.
    Io(io::Error),
    /// A file is no longer what it was when it was opened.
    Changed,
    /// A fault of ours, and what it said.
    Panic(String),
    Archive(ArchiveError),
    Input(InputError),
}

/// Why an archive of this format cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ArchiveError {
    pub format: &'static str,
    pub fault: ArchiveFault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArchiveFault {
    /// More than this number of bytes would come out.
    Bomb {
        limit: usize,
    },
    Damaged,
    /// What follows the archive at this byte is not one of its kind.
    Trailing {
        at: usize,
    },
    Truncated,
    /// It asks for a larger window or dictionary than is allowed.
    Window,
}

/// Why a text, or rows in columns, cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputError {
    Memory(AllocError),
    File(FileError),
    Line(LineError),
}

/// What is wrong with a text as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileError {
    Empty,
    /// Ranks are to decide, and there are none.
    NoRanks,
    TooMany,
    Utf16,
    Utf32,
}

/// What is wrong with a line, or with a row of columns; lines and rows count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineError {
    pub line: usize,
    pub fault: LineFault,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LineFault {
    Nul,
    Utf8,
    Fields {
        text: String,
        count: usize,
        expected: usize,
    },
    LongId {
        id: String,
        bytes: usize,
        field: &'static str,
    },
    NotANumber {
        field: NumberField,
        value: String,
    },
    Overflow {
        field: NumberField,
        value: String,
    },
    Duplicate {
        topic: String,
        document: String,
    },
    /// The label of a document contradicts that of an earlier line.
    Conflict {
        topic: String,
        document: String,
        earlier: usize,
    },
    EqualRanks {
        rank: String,
    },
}

/// Fields that hold numbers, by the names that Python knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberField {
    Label,
    Rank,
    Score,
}

impl NumberField {
    fn name(self) -> &'static str {
        match self {
            NumberField::Label => "label",
            NumberField::Rank => "rank",
            NumberField::Score => "score",
        }
    }

    /// This field of a line is not a number.
    pub(crate) fn not_a_number(self, line: usize, value: &[u8]) -> InputError {
        LineFault::NotANumber { field: self, value: preview(value) }.on(line)
    }
}

impl LineFault {
    pub(crate) fn on(self, line: usize) -> InputError {
        InputError::Line(LineError { line, fault: self })
    }
}

/// A document that occurs twice in a topic, and the line on which it occurs again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DuplicateDocument {
    pub line: usize,
    pub topic: String,
    pub document: String,
}

impl DuplicateDocument {
    pub(crate) fn new(line: usize, topic: &[u8], document: &[u8]) -> Self {
        DuplicateDocument { line, topic: lossy_string(topic), document: lossy_string(document) }
    }

    /// What is noticed where such rows are dropped, this number of them.
    pub(crate) fn into_notice(self, count: usize) -> DocumentNotice {
        let DuplicateDocument { line, topic, document } = self;
        DocumentNotice { count, line, topic, document }
    }
}

/// Two documents of a list have this rank, the second one on this line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EqualRanks {
    pub line: usize,
    pub rank: i64,
}

/// What is known by its line.
pub(crate) trait AtLine: Clone {
    /// The line, 0 where it is of none.
    fn line(&self) -> usize;
    /// The same with this number of lines above it.
    fn below(&self, lines: usize) -> Self;
}

impl AtLine for InputError {
    fn line(&self) -> usize {
        if let InputError::Line(error) = self { error.line } else { 0 }
    }

    fn below(&self, lines: usize) -> Self {
        match self {
            InputError::Line(error) => InputError::Line(LineError { line: error.line + lines, ..error.clone() }),
            whole => whole.clone(),
        }
    }
}

impl AtLine for DuplicateDocument {
    fn line(&self) -> usize {
        self.line
    }

    fn below(&self, lines: usize) -> Self {
        DuplicateDocument { line: self.line + lines, ..self.clone() }
    }
}

impl AtLine for EqualRanks {
    fn line(&self) -> usize {
        self.line
    }

    fn below(&self, lines: usize) -> Self {
        EqualRanks { line: self.line + lines, ..*self }
    }
}

/// Keep what is of the earlier line.
pub(crate) fn keep_earliest<E: AtLine>(earliest: &mut Option<E>, problem: E) {
    if earliest.as_ref().is_none_or(|earlier| problem.line() < earlier.line()) {
        *earliest = Some(problem);
    }
}

/// The facts of an error as Python has them: a code, the line it concerns (0 where none), and what its sentence needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorFacts {
    pub code: &'static str,
    pub line: usize,
    pub value: String,
    pub number: usize,
    pub detail: String,
}

impl ErrorFacts {
    fn new(code: &'static str) -> Self {
        ErrorFacts { code, ..ErrorFacts::default() }
    }
}

impl ArchiveError {
    pub(crate) fn facts(&self) -> ErrorFacts {
        let (code, number) = match self.fault {
            ArchiveFault::Bomb { limit } => ("bomb", limit),
            ArchiveFault::Damaged => ("damaged", 0),
            ArchiveFault::Trailing { at } => ("trailing", at),
            ArchiveFault::Truncated => ("truncated", 0),
            ArchiveFault::Window => ("window", 0),
        };
        ErrorFacts { number, detail: self.format.to_owned(), ..ErrorFacts::new(code) }
    }
}

impl InputError {
    pub(crate) fn facts(self) -> ErrorFacts {
        match self {
            InputError::Memory(AllocError(bytes)) => ErrorFacts { number: bytes, ..ErrorFacts::new("memory") },
            InputError::File(error) => ErrorFacts::new(match error {
                FileError::Empty => "empty",
                FileError::NoRanks => "no-ranks",
                FileError::TooMany => "too-many",
                FileError::Utf16 => "utf16",
                FileError::Utf32 => "utf32",
            }),
            InputError::Line(LineError { line, fault }) => ErrorFacts { line, ..fault.facts() },
        }
    }
}

impl LineFault {
    fn facts(self) -> ErrorFacts {
        let named = |code, topic, document| ErrorFacts { value: topic, detail: document, ..ErrorFacts::new(code) };
        match self {
            LineFault::Nul => ErrorFacts::new("nul"),
            LineFault::Utf8 => ErrorFacts::new("utf8"),
            LineFault::Fields { text, count, expected } => {
                ErrorFacts { number: count, ..named("fields", text, expected.to_string()) }
            }
            LineFault::LongId { id, bytes, field } => {
                ErrorFacts { number: bytes, ..named("long", id, field.to_owned()) }
            }
            LineFault::NotANumber { field, value } => ErrorFacts { value, ..ErrorFacts::new(field.name()) },
            LineFault::Overflow { field, value } => named("overflow", value, field.name().to_owned()),
            LineFault::Duplicate { topic, document } => named("duplicate", topic, document),
            LineFault::Conflict { topic, document, earlier } => {
                ErrorFacts { number: earlier, ..named("conflict", topic, document) }
            }
            LineFault::EqualRanks { rank } => ErrorFacts { value: rank, ..ErrorFacts::new("equal-ranks") },
        }
    }
}

impl Error {
    /// What Python is told, or the error of the system.
    pub(crate) fn facts(self) -> Result<ErrorFacts, io::Error> {
        Ok(match self {
            Error::Io(error) => return Err(error),
            Error::Changed => ErrorFacts::new("changed"),
            Error::Panic(message) => ErrorFacts { detail: message, ..ErrorFacts::new("panic") },
            Error::Archive(error) => error.facts(),
            Error::Input(error) => error.facts(),
        })
    }
}

macro_rules! becomes {
    ($($from:ty as $error:ident => $into:ty: $value:expr;)*) => {
        $(impl From<$from> for $into {
            fn from($error: $from) -> Self {
                $value
            }
        })*
    };
}

becomes! {
    io::Error as error => Error: Error::Io(error);
    ArchiveError as error => Error: Error::Archive(error);
    InputError as error => Error: Error::Input(error);
    AllocError as refused => Error: Error::Input(refused.into());
    FileError as error => Error: Error::Input(error.into());
    AllocError as refused => InputError: InputError::Memory(refused);
    FileError as error => InputError: InputError::File(error);
    DuplicateDocument as twice => InputError:
        LineFault::Duplicate { topic: twice.topic, document: twice.document }.on(twice.line);
    EqualRanks as equal => InputError: LineFault::EqualRanks { rank: equal.rank.to_string() }.on(equal.line);
}

/// Characters of a value that a message shows at most.
const PREVIEW_CHARS: usize = 80;

/// The beginning of a value, readable whatever its bytes are.
pub(crate) fn preview(value: &[u8]) -> String {
    let enough = &value[..value.len().min(4 * PREVIEW_CHARS)];
    String::from_utf8_lossy(enough).chars().take(PREVIEW_CHARS).collect()
}

/// Text that was checked to be UTF-8 when its line was read.
pub(crate) fn lossy_string(value: &[u8]) -> String {
    String::from_utf8_lossy(value).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_refused_is_a_problem_with_its_size() {
        let facts = InputError::from(AllocError(7)).facts();
        assert_eq!((facts.code, facts.line, facts.number), ("memory", 0, 7));
    }

    #[test]
    fn a_value_is_shown_from_its_beginning_whatever_its_bytes_are() {
        let facts = NumberField::Score.not_a_number(3, b"a\xff").facts();
        assert_eq!((facts.code, facts.line, facts.value.as_str()), ("score", 3, "a\u{fffd}"));
        assert_eq!(preview(&[b'x'; 1000]), "x".repeat(PREVIEW_CHARS));
        assert_eq!(preview("\u{1d11e}".repeat(1000).as_bytes()), "\u{1d11e}".repeat(PREVIEW_CHARS));
    }

    #[test]
    fn of_two_problems_the_one_of_the_earlier_line_is_kept() {
        let mut earliest = None;
        for (line, rank) in [(7, 1), (3, 2), (5, 3), (3, 4)] {
            keep_earliest(&mut earliest, EqualRanks { line, rank });
        }
        assert_eq!(earliest, Some(EqualRanks { line: 3, rank: 2 }));
        assert_eq!(earliest.map(|equal| equal.below(10).line()), Some(13));
        let whole = InputError::from(FileError::Empty);
        assert_eq!((whole.line(), whole.below(10)), (0, whole));
    }

    #[test]
    fn facts_have_what_a_sentence_needs() {
        let twice = DuplicateDocument::new(4, b"t", b"d");
        let expected = ErrorFacts { code: "duplicate", line: 4, value: "t".into(), number: 0, detail: "d".into() };
        assert_eq!(InputError::from(twice).facts(), expected);
        let fields = LineFault::Fields { text: "a b".into(), count: 2, expected: 6 }.on(9).facts();
        let expected = ErrorFacts { code: "fields", line: 9, value: "a b".into(), number: 2, detail: "6".into() };
        assert_eq!(fields, expected);
        let bomb = ArchiveError { format: "xz", fault: ArchiveFault::Bomb { limit: 7 } }.facts();
        assert_eq!((bomb.code, bomb.number, bomb.detail.as_str()), ("bomb", 7, "xz"));
    }
}
