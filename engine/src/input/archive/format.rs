//! Kinds of compression, recognised by content and not by name.

/// The bytes at the head of a file that say whether it is packed.
pub(crate) const MAGIC_BYTES: usize = 10;

#[derive(Clone, Copy)]
pub(crate) enum Compression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Compression {
    pub(crate) fn detect(data: &[u8]) -> Option<Compression> {
        [Compression::Gzip, Compression::Bzip2, Compression::Xz, Compression::Zstd]
            .into_iter()
            .find(|kind| kind.matches(data))
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zstd => "zstd",
        }
    }

    /// What a member begins with; of zstd, its frames that are not skippable.
    pub(crate) fn magic(self) -> &'static [u8] {
        match self {
            Compression::Gzip => b"\x1f\x8b",
            Compression::Bzip2 => b"BZh",
            Compression::Xz => b"\xfd7zXZ\0",
            Compression::Zstd => b"\x28\xb5\x2f\xfd",
        }
    }

    /// Whether data begin as a member does.
    pub(crate) fn matches(self, data: &[u8]) -> bool {
        match (self, data) {
            // "BZh" alone could begin a text: a block follows it, or the end of an empty file.
            (Compression::Bzip2, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]) => {
                let head = &rest[..rest.len().min(6)];
                b"1AY&SY".starts_with(head) || b"\x17rE8P\x90".starts_with(head)
            }
            (Compression::Bzip2, _) => false,
            (Compression::Zstd, data) => data.starts_with(self.magic()) || is_skippable(data),
            (_, data) => data.starts_with(self.magic()),
        }
    }
}

/// Whether a frame of zstd that holds no data begins here; pzstd writes one in front.
pub(crate) fn is_skippable(data: &[u8]) -> bool {
    matches!(data, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_recognised_by_their_first_bytes() {
        let name = |data: &[u8]| Compression::detect(data).map(Compression::name);
        for kind in [Compression::Gzip, Compression::Xz, Compression::Zstd] {
            assert_eq!(name(&[kind.magic(), b"more"].concat()), Some(kind.name()));
            assert_eq!(name(&kind.magic()[1..]), None);
        }
        assert_eq!(name(b"BZh91AY&SY"), Some("bzip2"));
        assert_eq!(name(b"BZh9\x17rE8P\x90"), Some("bzip2"), "an empty file");
        assert_eq!(name(b"BZh9 Q0 d 1"), None, "a topic of that name");
        assert_eq!(name(b"\x5a\x2a\x4d\x18"), Some("zstd"), "a frame to be skipped");
        assert_eq!(name(b"1 Q0 d 1 2.5 t"), None);
        assert_eq!(name(b""), None);
    }
}
