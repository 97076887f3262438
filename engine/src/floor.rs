//! What reading costs at least: the floor for anything that reads runs.

use crate::pieces::{Part, read};
use crate::source::Text;
use crate::tokens::{Field, Lines};
use crate::unpack::Failure;
use crate::windows::Ends;

/// The sum of all bytes.
pub fn count_bytes(text: Text) -> Result<u64, Failure> {
    let sum = |part: Part| part.data[part.from..part.to].iter().map(|&byte| u64::from(byte)).sum::<u64>();
    let (sums, text) = read(text, 1, Ends::AtTopics, sum, |_| false)?;
    text.end()?;
    Ok(sums.iter().sum())
}

/// Split every line of a run into its six fields and do nothing with them: (lines, fields).
pub fn count_fields(text: Text, threads: usize) -> Result<(usize, usize), Failure> {
    let count = |part: Part| {
        let mut lines = Lines::new(&part.data[..part.to]);
        lines.at = part.from;
        let mut fields = [Field::default(); 6];
        let mut bytes = 0;
        while let Ok(true) = lines.next(&mut fields) {
            bytes += fields.iter().map(|field| field.end - field.start).sum::<usize>();
        }
        (lines.rows, std::hint::black_box(bytes) - bytes + 6 * lines.rows)
    };
    let (counts, text) = read(text, threads, Ends::AtTopics, count, |_| false)?;
    text.end()?;
    Ok(counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1)))
}
