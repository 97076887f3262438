//! What is wrong with an input, as facts; `cranfield.io.messages` turns them into sentences.

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
