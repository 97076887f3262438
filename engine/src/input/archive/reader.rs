//! Packed bytes to text, as much of it at a time as is asked for.

use crate::error::{Error, InputError};
use crate::input::archive::bytes::Packed;
use crate::input::archive::decoder::Member;
use crate::input::archive::error::Fault;
use crate::input::archive::format::{HEAD, Kind, is_skippable};
use crate::input::file::STEP;
use crate::memory::{HEADROOM, TryVec, probe_free_memory};

/// Unpacking stops past this many times the packed size, plus `SPARE`, unless the caller allows more.
const FACTOR: usize = 200;
const SPARE: usize = 64 << 20;

/// An archive, as far as it was unpacked: all members or streams, one after the other; zero bytes may follow each.
pub(crate) struct Unpacking {
    kind: Kind,
    state: State,
    /// The most bytes that may come out, and how many did.
    limit: usize,
    given: usize,
    threads: usize,
}

enum State {
    Between(Box<Packed>),
    Within(Box<Member>),
    /// Nothing can be had any more.
    Failed,
}

impl Unpacking {
    /// An archive from its beginning; `max_unpacked` of 0 means the default limit.
    pub(crate) fn new(kind: Kind, packed: Box<Packed>, max_unpacked: usize) -> Result<Unpacking, Error> {
        let usual = packed.size().saturating_mul(FACTOR).saturating_add(SPARE);
        let limit = if max_unpacked > 0 { max_unpacked } else { usual };
        // What decompressors take at their beginning.
        probe_free_memory(HEADROOM, HEADROOM)?;
        Ok(Unpacking { kind, state: State::Between(packed), limit, given: 0, threads: 1 })
    }

    /// Unpack so many parts of a member side by side that is not begun yet, where it allows that.
    pub(crate) fn on(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Append the next bytes of the text, at most `count`; whether there are no more.
    pub(crate) fn read(&mut self, text: &mut Vec<u8>, count: usize) -> Result<bool, Error> {
        let enough = text.len().saturating_add(count);
        while text.len() < enough {
            self.state = match std::mem::replace(&mut self.state, State::Failed) {
                State::Failed => return Ok(true),
                State::Between(mut packed) => {
                    if packed.head(1)?.is_empty() {
                        self.state = State::Between(packed);
                        return Ok(true);
                    }
                    self.enter(packed)?
                }
                State::Within(member) => self.go_on(member, text, enough)?,
            }
        }
        Ok(false)
    }

    /// The same archive from its beginning.
    pub(crate) fn again(self) -> Result<Unpacking, Error> {
        let (kind, limit) = (self.kind, self.limit);
        Unpacking::new(kind, Box::new(self.into_packed()?.again()?), limit)
    }

    /// All of the text from its beginning, and the hash of the archive.
    pub(crate) fn whole(self) -> Result<(Vec<u8>, String), Error> {
        let mut again = self.again()?;
        let (mut text, limit) = (Vec::new(), again.limit);
        if let State::Between(packed) = &again.state {
            text.try_reserve_more(packed.size().saturating_mul(4).min(limit).min(1 << 30))?;
        }
        while !again.read(&mut text, STEP)? {}
        Ok((text, again.end()?))
    }

    /// The hash of the archive. What was not read yet is unpacked before, to nowhere: of an archive that is damaged nothing
    /// is said but that.
    pub(crate) fn end(mut self) -> Result<String, Error> {
        let mut passed = Vec::new();
        while !self.read(&mut passed, STEP)? {
            passed.clear();
        }
        self.into_packed()?.end()
    }

    fn into_packed(self) -> Result<Box<Packed>, Error> {
        match self.state {
            State::Between(packed) => Ok(packed),
            State::Within(member) => Ok(member.into_packed()),
            State::Failed => Err(self.problem("damaged").into()),
        }
    }

    /// Into the next member.
    fn enter(&self, mut packed: Box<Packed>) -> Result<State, Error> {
        let at = packed.position();
        let head = packed.head(HEAD)?;
        if !self.kind.begins(head) && !self.kind.magic().starts_with(head) {
            return Err(self.problem("trailing").with_number(at).into());
        }
        if matches!(self.kind, Kind::Zstd) && is_skippable(head) {
            let length = head.get(4..8).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
            let whole = packed.skip(8)? && packed.skip(length.unwrap_or_default() as usize)?;
            return if whole { past_zeros(packed) } else { Err(self.failure(Fault::Data, packed)) };
        }
        Member::new(self.kind, packed, self.threads)
            .map(|member| State::Within(Box::new(member)))
            .map_err(|(fault, packed)| self.failure(fault, packed))
    }

    /// On in a member, until there is enough of the text: into what follows it where it ends before.
    fn go_on(&mut self, mut member: Box<Member>, text: &mut Vec<u8>, enough: usize) -> Result<State, Error> {
        let before = text.len();
        let room = (self.limit - self.given).saturating_add(1);
        let done = member.read(text, room.min(enough - before));
        self.given += text.len() - before;
        if self.given > self.limit {
            return Err(self.problem("bomb").with_number(self.limit).into());
        }
        match done {
            Ok(false) => Ok(State::Within(member)),
            Ok(true) => past_zeros(member.into_packed()),
            Err(fault) => Err(self.failure(fault, member.into_packed())),
        }
    }

    fn failure(&self, fault: Fault, packed: Box<Packed>) -> Error {
        let ended = packed.ended;
        if let Some(failure) = packed.failure() {
            return failure;
        }
        match fault {
            Fault::Memory(refused) => refused.into(),
            Fault::Window => self.problem("window").into(),
            Fault::Data if ended => self.problem("truncated").into(),
            Fault::Data => self.problem("damaged").into(),
        }
    }

    fn problem(&self, code: &'static str) -> InputError {
        InputError::new(code, 0).with_detail(self.kind.name())
    }
}

fn past_zeros(mut packed: Box<Packed>) -> Result<State, Error> {
    packed.skip_zeros()?;
    Ok(State::Between(packed))
}
