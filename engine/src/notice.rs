//! What a careful user should know of data that are accepted all the same: facts, by the names that Python knows
//! (`Noticed`); `cranfield.findings` turns them into sentences.

/// Lines of a kind: how many, the first and what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineNotice {
    pub count: usize,
    pub line: usize,
    pub value: String,
}

impl LineNotice {
    /// One more line, which is the first where there was none.
    pub(crate) fn count(notice: &mut Option<LineNotice>, line: usize, value: impl FnOnce() -> String) {
        notice.get_or_insert_with(|| LineNotice { count: 0, line, value: value() }).count += 1;
    }
}

/// Documents of a kind: how many, the line of the first, its topic and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocumentNotice {
    pub count: usize,
    pub line: usize,
    pub topic: String,
    pub document: String,
}

/// Topics of a kind in a file: how many, the line of the first and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TopicLineNotice {
    pub count: usize,
    pub line: usize,
    pub topic: String,
}

/// Topics of a kind: how many, and the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TopicNotice {
    pub count: usize,
    pub topic: String,
}

/// Topics of a kind: how many, and the first names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamesNotice {
    pub count: usize,
    pub names: Vec<String>,
}

/// Documents with several labels: how many, how many of them contradict each other, and the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LabelsNotice {
    pub count: usize,
    pub differing: usize,
    pub topic: String,
    pub document: String,
}

/// A tag that differs from the first of its run, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagNotice {
    pub line: usize,
    pub value: String,
}
