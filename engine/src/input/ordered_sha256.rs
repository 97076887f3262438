//! The SHA-256 of a text whose parts are held by several workers: its order is that of the parts, so each worker adds its
//! own in its turn. Nobody waits before its own work is done, and no thread is needed that the system might refuse.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};

use sha2::{Digest, Sha256};

pub(crate) struct OrderedSha256 {
    state: Mutex<HashState>,
    advanced: Condvar,
}

struct HashState {
    hash: Sha256,
    next: usize,
    /// A part will never be added: whoever held it is gone.
    broken: bool,
}

impl OrderedSha256 {
    pub(crate) fn new(hash: Sha256) -> OrderedSha256 {
        OrderedSha256 { state: Mutex::new(HashState { hash, next: 0, broken: false }), advanced: Condvar::new() }
    }

    /// Do `work` on a part, and add the part: before it where its turn has come already, or else after it.
    pub(crate) fn update_in_order<R>(&self, number: usize, part: &[u8], work: impl FnOnce() -> R) -> R {
        let mut turn = PendingUpdate { turns: self, done: false };
        match self.state.try_lock() {
            Ok(state) if state.next == number => turn.add(state, part),
            Ok(_) | Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => {}
        }
        let result = work();
        if !turn.done {
            let waits = |state: &mut HashState| state.next != number && !state.broken;
            let state = self.advanced.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
            turn.add(state, part);
        }
        result
    }

    pub(crate) fn finalize(self) -> Sha256 {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).hash
    }

    fn state(&self) -> MutexGuard<'_, HashState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The duty to add a part. Where work on it panics, nobody waits for it any more.
struct PendingUpdate<'a> {
    turns: &'a OrderedSha256,
    done: bool,
}

impl PendingUpdate<'_> {
    fn add(&mut self, mut state: MutexGuard<HashState>, part: &[u8]) {
        state.hash.update(part);
        state.next += 1;
        self.done = true;
        drop(state);
        self.turns.advanced.notify_all();
    }
}

impl Drop for PendingUpdate<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.turns.state().broken = true;
            self.turns.advanced.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::channel;
    use std::thread::scope;

    #[test]
    fn parts_are_added_in_their_order_whoever_is_first() {
        let turns = OrderedSha256::new(Sha256::new());
        let (later, earlier) = channel();
        scope(|scope| {
            let turns = &turns;
            // The second part is worked on before the first is even begun, and that work is not held up by it.
            scope.spawn(move || turns.update_in_order(1, b"second", || later.send(())));
            assert_eq!(earlier.recv(), Ok(()));
            assert_eq!(turns.update_in_order(0, b"first", || 7), 7);
        });
        assert_eq!(turns.finalize().finalize(), Sha256::digest(b"firstsecond"));
    }

    #[test]
    fn nobody_waits_for_a_part_that_was_given_up() {
        let turns = OrderedSha256::new(Sha256::new());
        let (later, earlier) = channel();
        scope(|scope| {
            let turns = &turns;
            let waiting = scope.spawn(move || turns.update_in_order(2, b"third", || later.send(())));
            assert_eq!(earlier.recv(), Ok(()));
            let gone =
                catch_unwind(AssertUnwindSafe(|| turns.update_in_order(1, b"second", || panic!("while it is read"))));
            assert!(gone.is_err());
            assert!(waiting.join().is_ok());
        });
    }
}
