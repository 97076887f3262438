//! Rows in flat columns, in any order, by topic.

use std::cmp::Ordering;

use memchr::arch::all::is_equal;

use crate::counting_sort::{group_starts, sort_into_groups};
use crate::ids::column::{IdType, TextIdSlice, TextIds};
use crate::ids::interner::Interner;
use crate::ids::sort::IdSorter;
use crate::memory::{AllocError, TryVec, try_collect_exact, try_to_vec, try_with_capacity};

/// Rows by topic in order of first appearance.
pub(crate) struct GroupedRows {
    pub topics: Vec<String>,
    pub starts: Vec<i64>,
    /// None where they are as they were given.
    pub documents: Option<TextIds>,
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
        numbers.push(names.number(topics.get(row))?);
    }
    let starts = group_starts(numbers.iter().map(|&number| number as usize), names.len())?;
    let starts = try_collect_exact(starts.iter().map(|&start| start as i64))?;
    let topics = names.texts()?;
    if numbers.is_sorted() {
        let documents = (!documents.uses_all()).then(|| documents.to_owned()).transpose()?;
        let rank = rank.map(try_to_vec).transpose()?;
        return Ok(GroupedRows { topics, starts, documents, score: try_to_vec(score)?, rank });
    }
    let (_, order) =
        sort_into_groups(numbers.iter().zip(0..rows).map(|(&number, row)| (number as usize, row)), names.len())?;
    let mut sorted = TextIds::with_capacity(rows, documents.used().len())?;
    order.iter().try_for_each(|&row| sorted.try_push(documents.get(row)))?;
    let score = try_collect_exact(order.iter().map(|&row| score[row]))?;
    let rank = rank.map(|rank| try_collect_exact(order.iter().map(|&row| rank[row]))).transpose()?;
    Ok(GroupedRows { topics, starts, documents: Some(sorted), score, rank })
}

/// Documents, and a number of each.
pub(crate) struct NumberedIds {
    pub documents: TextIds,
    pub number: Vec<f64>,
}

/// The documents of each topic in id byte order, with their numbers; none where one occurs twice.
pub(crate) fn sort_by_id(
    starts: &[i64],
    documents: TextIdSlice,
    number: &[f64],
) -> Result<Option<NumberedIds>, AllocError> {
    let mut sorted = NumberedIds {
        documents: TextIds::with_capacity(number.len(), documents.used().len())?,
        number: try_with_capacity(number.len())?,
    };
    let (mut sorter, mut order) = (IdSorter::new(), Vec::new());
    for bounds in starts.windows(2) {
        order.clear();
        order.try_reserve_more((bounds[1] - bounds[0]) as usize)?;
        order.extend(bounds[0] as usize..bounds[1] as usize);
        sorter.sort::<TextIds>(&mut order, |&row| documents.get(row), |_, _| Ordering::Equal)?;
        if order.windows(2).any(|pair| is_equal(documents.get(pair[0]), documents.get(pair[1]))) {
            return Ok(None);
        }
        for &row in &order {
            sorted.documents.try_push(documents.get(row))?;
            sorted.number.push(number[row]);
        }
    }
    Ok(Some(sorted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(topics: &[&[&str]]) -> Option<Vec<(String, f64)>> {
        let (mut starts, mut ids, mut number) = (vec![0], TextIds::default(), Vec::new());
        for topic in topics {
            for id in *topic {
                ids.try_push(id.as_bytes()).ok()?;
                number.push(number.len() as f64);
            }
            starts.push(number.len() as i64);
        }
        let sorted = sort_by_id(&starts, ids.as_slice(), &number).ok()??;
        let id = |row| String::from_utf8_lossy(sorted.documents.get(row)).into_owned();
        Some((0..number.len()).map(id).zip(sorted.number).collect())
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
