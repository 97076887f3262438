//! Rows in flat columns, in any order, by topic.

use crate::counting_sort::{group_starts, sort_into_groups};
use crate::ids::column::{IdType, TextIdSlice, TextIds};
use crate::ids::interner::Interner;
use crate::memory::{AllocError, TryVec, try_collect_exact, try_to_vec, try_with_capacity};

/// Rows by topic in order of first appearance.
pub(crate) struct GroupedRows {
    pub topics: Vec<String>,
    pub starts: Vec<i64>,
    /// Data and offsets of the documents; None where they are as they were given.
    pub documents: Option<(Vec<u8>, Vec<i64>)>,
    pub score: Vec<f64>,
    pub rank: Option<Vec<i64>>,
}

/// Rows by topic; the documents of rows that are so already are not copied.
pub(crate) fn group_rows(
    topics: TextIdSlice,
    documents: TextIdSlice,
    score: &[f64],
    rank: Option<&[i64]>,
) -> Result<GroupedRows, AllocError> {
    let rows = score.len();
    let (mut numbers, mut names) = (try_with_capacity(rows)?, Interner::new());
    for row in 0..rows {
        numbers.push(names.number(TextIds::id(topics, row))?);
    }
    let starts = group_starts(numbers.iter().map(|&number| number as usize), names.len())?;
    let starts = try_collect_exact(starts.iter().map(|&start| start as i64))?;
    let topics = names.texts()?;
    let begin = documents.offsets[0];
    if numbers.is_sorted() {
        let complete = begin == 0 && documents.offsets[rows] as usize == documents.data.len();
        let part = || {
            let data = try_to_vec(&documents.data[begin as usize..documents.offsets[rows] as usize])?;
            Ok((data, try_collect_exact(documents.offsets.iter().map(|offset| offset - begin))?))
        };
        let documents = (!complete).then(part).transpose()?;
        let rank = rank.map(try_to_vec).transpose()?;
        return Ok(GroupedRows { topics, starts, documents, score: try_to_vec(score)?, rank });
    }
    let (_, order) =
        sort_into_groups(numbers.iter().zip(0..rows).map(|(&number, row)| (number as usize, row)), names.len())?;
    let (mut data, mut offsets) = (Vec::new(), Vec::new());
    data.try_reserve_more((documents.offsets[rows] - begin) as usize)?;
    offsets.try_reserve_more(rows + 1)?;
    offsets.push(0);
    for &row in &order {
        data.extend_from_slice(TextIds::id(documents, row));
        offsets.push(data.len() as i64);
    }
    let score = try_collect_exact(order.iter().map(|&row| score[row]))?;
    let rank = rank.map(|rank| try_collect_exact(order.iter().map(|&row| rank[row]))).transpose()?;
    Ok(GroupedRows { topics, starts, documents: Some((data, offsets)), score, rank })
}

/// Data and offsets of ids, and their numbers.
type SortedIds = (Vec<u8>, Vec<i64>, Vec<f64>);

/// The documents of each topic in id byte order, with their numbers; none where one occurs twice.
pub(crate) fn sort_by_id(
    starts: &[i64],
    data: &[u8],
    offsets: &[i64],
    number: &[f64],
) -> Result<Option<SortedIds>, AllocError> {
    let mut sorted = try_with_capacity(data.len())?;
    let mut ends = try_with_capacity(offsets.len())?;
    let mut numbers = try_with_capacity(number.len())?;
    ends.push(0);
    let id = |row: usize| &data[offsets[row] as usize..offsets[row + 1] as usize];
    let mut order: Vec<(u64, usize)> = Vec::new();
    for bounds in starts.windows(2) {
        let rows = bounds[0] as usize..bounds[1] as usize;
        let common = rows.clone().map(id).reduce(common_prefix).map_or(0, <[u8]>::len);
        order.clear();
        order.try_reserve_more(rows.len())?;
        order.extend(rows.map(|row| (TextIds::sort_prefix(&id(row)[common..]), row)));
        order.sort_unstable_by_key(|&(leading, _)| leading);
        for equal in order.chunk_by_mut(|left, right| left.0 == right.0) {
            equal.sort_unstable_by_key(|&(_, row)| id(row));
        }
        if order.windows(2).any(|pair| pair[0].0 == pair[1].0 && id(pair[0].1) == id(pair[1].1)) {
            return Ok(None);
        }
        for &(_, row) in &order {
            sorted.extend_from_slice(id(row));
            ends.push(sorted.len() as i64);
            numbers.push(number[row]);
        }
    }
    Ok(Some((sorted, ends, numbers)))
}

/// What two ids begin with.
fn common_prefix<'a>(left: &'a [u8], right: &'a [u8]) -> &'a [u8] {
    let length = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    &left[..length]
}

#[cfg(test)]
mod tests {
    use super::sort_by_id;

    fn sorted(topics: &[&[&str]]) -> Option<Vec<(String, f64)>> {
        let (mut starts, mut data, mut offsets, mut number) = (vec![0], Vec::new(), vec![0], Vec::new());
        for topic in topics {
            for id in *topic {
                data.extend_from_slice(id.as_bytes());
                offsets.push(data.len() as i64);
                number.push(number.len() as f64);
            }
            starts.push(number.len() as i64);
        }
        let (data, ends, number) = sort_by_id(&starts, &data, &offsets, &number).ok()??;
        let id = |pair: &[i64]| String::from_utf8_lossy(&data[pair[0] as usize..pair[1] as usize]).into_owned();
        Some(ends.windows(2).map(id).zip(number).collect())
    }

    #[test]
    fn ids_are_ordered_by_all_their_bytes() {
        let topics: [&[&str]; 4] = [
            &["doc10", "doc1", "doc", "doc2", "doc1 ", "dob", "é", "e"],
            &["a-long-prefix-00000000002", "a-long-prefix-0000000000", "a-long-prefix-00000000001", "a-long-prefix-1"],
            &["only"],
            &["12345678", "123456789", "1234567", "12345678a"],
        ];
        let mut expected = Vec::new();
        let mut before = 0;
        for topic in topics {
            let mut rows: Vec<_> =
                topic.iter().zip(before..).map(|(id, at)| ((*id).to_owned(), f64::from(at))).collect();
            rows.sort_by(|left, right| left.0.as_bytes().cmp(right.0.as_bytes()));
            expected.extend(rows);
            before += topic.len() as i32;
        }
        assert_eq!(sorted(&topics), Some(expected));
    }

    #[test]
    fn an_id_that_occurs_twice_is_not_ordered() {
        assert_eq!(sorted(&[&["b", "a", "b"]]), None);
        assert_eq!(sorted(&[&["a-long-prefix-1", "x", "a-long-prefix-1"]]), None);
        assert!(sorted(&[&["a"], &["a"]]).is_some());
    }
}
