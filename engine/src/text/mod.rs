//! Bytes of text files to fields and numbers, and numbers to text.
//!
//! A text comes in as a slice of bytes. `fields` walks over its lines and yields the fields of each as positions in the
//! slice, so that nothing is copied; `delimiters` finds the blanks of 64 bytes at a time. `parse_number` reads scores,
//! ranks and labels: floats are those that Rust's and Python's parsers give, to the last bit. `format_number` writes floats
//! as Python's `repr` does. Fields are separated by blanks (space and tab), lines end with a line feed or a carriage return
//! before one, and ids are UTF-8 without NUL.

pub(crate) mod delimiters;
pub(crate) mod fields;
pub(crate) mod format_number;
pub(crate) mod parse_number;
