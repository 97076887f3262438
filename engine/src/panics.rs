//! A panic, which is a fault of ours, as a refusal: the interpreter and whoever called go on.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::{Mutex, Once, PoisonError};

use crate::error::Error;

/// Where the last panic was and what it said, from whichever thread.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());
static HOOK: Once = Once::new();

/// Do `work`; a panic in it is a problem called `panic`, and prints nothing.
pub(crate) fn catch_panic<R>(work: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    HOOK.call_once(|| {
        set_hook(Box::new(|panic| {
            let text = panic.to_string();
            *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) =
                text.split_whitespace().collect::<Vec<_>>().join(" ");
        }));
    });
    // Nothing of what the work held outlives it: what was left half done is dropped.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Err(Error::Panic(message))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::parallel::parallel_map;

    fn message(done: Result<Vec<u8>, Error>) -> String {
        match done {
            Err(Error::Panic(message)) => message,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_panic_is_a_problem_that_says_where() {
        let alone = message(catch_panic(|| panic!("of one thread")));
        assert!(alone.contains("panics.rs") && alone.ends_with("of one thread"), "{alone}");
        let many: Vec<u8> = (0..9).collect();
        let beside = message(catch_panic(|| Ok(parallel_map(&many, 3, |&item| [0][usize::from(item)]))));
        assert!(beside.contains("index out of bounds"), "{beside}");
        assert_eq!(catch_panic(|| Ok(7)).ok(), Some(7));
    }
}
