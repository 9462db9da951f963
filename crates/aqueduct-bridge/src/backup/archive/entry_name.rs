use std::fmt;
use std::path::PathBuf;

/// The longest name of a keeper's folder.
const LONGEST_FOLDER: usize = 64;
/// How many digits the name of a segment has.
const SEGMENT_DIGITS: usize = 20;

/// The database.
const LOG: &str = "log.sqlite3";
/// Files of the data folder besides the log, if they are there: the key for notifications, and which folders are trusted.
const OWN_FILES: [&str; 2] = ["push.key", "trust.json"];
/// Files of a keeper's folder besides the spool.
const KEEPER_FILES: [&str; 5] = ["keeper.json", "exit", "failure", "closed", "inputs"];
const KEEPERS: &str = "keepers";
const SPOOL: &str = "spool";

/// A name that an entry of a backup can have: a file of the data folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryName {
    /// The log.
    Log,
    /// Another file of the data folder.
    Own(&'static str),
    /// A file of a keeper's folder.
    Keeper {
        /// The name of the folder.
        folder: String,
        /// The file.
        file: KeeperFile,
    },
}

/// A file of a keeper's folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeeperFile {
    /// A file by its name.
    Own(&'static str),
    /// A segment of the spool, by the offset at which it begins.
    Segment(u64),
}

impl EntryName {
    /// Files of the data folder besides the log and the keepers' folders.
    pub fn own_files() -> impl Iterator<Item = EntryName> {
        OWN_FILES.into_iter().map(EntryName::Own)
    }

    /// The name of a file in a keeper's folder; `None` if no keeper's folder has this name.
    pub fn keeper(folder: &str, file: KeeperFile) -> Option<EntryName> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let is_name = (1..=LONGEST_FOLDER).contains(&folder.len()) && folder.bytes().all(is_plain);
        is_name.then(|| EntryName::Keeper { folder: folder.to_owned(), file })
    }

    /// Reads a name as an archive has it.
    pub fn parse(name: &[u8]) -> Option<EntryName> {
        let name = std::str::from_utf8(name).ok()?;
        let known = |names: &[&'static str], name: &str| names.iter().copied().find(|known| *known == name);
        let parts: Vec<&str> = name.split('/').collect();
        match parts[..] {
            [LOG] => Some(EntryName::Log),
            [file] => known(&OWN_FILES, file).map(EntryName::Own),
            [KEEPERS, folder, file] => {
                known(&KEEPER_FILES, file).and_then(|file| EntryName::keeper(folder, KeeperFile::Own(file)))
            }
            [KEEPERS, folder, SPOOL, segment] => {
                let is_number =
                    segment.len() == SEGMENT_DIGITS && segment.bytes().all(|byte| byte.is_ascii_digit());
                let start = segment.parse().ok().filter(|_| is_number)?;
                EntryName::keeper(folder, KeeperFile::Segment(start))
            }
            _ => None,
        }
    }

    /// Where the file is in a data folder.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(self.to_string())
    }
}

impl KeeperFile {
    /// The files besides the spool, in the order in which they have to be copied: one that has the agent's end comes before
    /// the output, so that the output is complete; the journal comes last, so that no input is missing in it whose
    /// output is there.
    pub fn before_spool() -> impl Iterator<Item = KeeperFile> {
        KEEPER_FILES[..4].iter().copied().map(KeeperFile::Own)
    }

    /// Those that are copied after the spool.
    pub fn after_spool() -> impl Iterator<Item = KeeperFile> {
        KEEPER_FILES[4..].iter().copied().map(KeeperFile::Own)
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryName::Log => f.write_str(LOG),
            EntryName::Own(name) => f.write_str(name),
            EntryName::Keeper { folder, file } => write!(f, "{KEEPERS}/{folder}/{file}"),
        }
    }
}

impl fmt::Display for KeeperFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeeperFile::Own(name) => f.write_str(name),
            KeeperFile::Segment(start) => write!(f, "{SPOOL}/{start:0SEGMENT_DIGITS$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let keeper = |file| EntryName::keeper("0f1e-2d", file);
        let files = KeeperFile::before_spool().chain(KeeperFile::after_spool()).map(keeper);
        let segments = [0, 1 << 20, u64::MAX].map(|start| keeper(KeeperFile::Segment(start)));
        let names = files.chain(segments).map(Option::unwrap).chain(EntryName::own_files());
        for name in names.chain([EntryName::Log]) {
            assert_eq!(EntryName::parse(name.to_string().as_bytes()), Some(name.clone()), "{name}");
            assert!(name.path().is_relative());
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in [
            "",
            "/log.sqlite3",
            "./log.sqlite3",
            "../log.sqlite3",
            "log.sqlite3/",
            "log.sqlite3-wal",
            "log.lock",
            "admin.sock",
            "keepers",
            "keepers/../push.key",
            "keepers/../inputs",
            "keepers/./inputs",
            "keepers//inputs",
            "keepers/a/lock",
            "keepers/a/keeper.sock",
            "keepers/a b/inputs",
            "keepers/a/spool/1",
            "keepers/a/spool/+0000000000000000001",
            "keepers/a/spool/99999999999999999999",
            "keepers/a/spool/../inputs",
            "keepers/a/spool/00000000000000000000/x",
            "push.key\0",
            "PUSH.KEY",
        ] {
            assert_eq!(EntryName::parse(name.as_bytes()), None, "{name:?}");
        }
        assert_eq!(EntryName::parse(b"keepers/\xff/inputs"), None);
        assert_eq!(EntryName::keeper(&"a".repeat(65), KeeperFile::Segment(0)), None);
    }
}
