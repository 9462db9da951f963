//! What a keeper left behind that is gone.

use std::io;
use std::path::Path;

use aqueduct_os::marked;

use super::MARK;
use super::folder::{FolderLock, KeeperCard, KeeperFolder};
use super::job::KeeperLimits;
use super::journal::{Journal, WriteState};
use super::protocol::{AgentExit, InputId, OUTPUT_LIMIT};
use super::spool::{Sizes, Spool, SpoolLine, SpoolLines};

/// What a keeper that has ended left behind: the agent's output up to then.
///
/// All of this reads files, and so may wait for a disk. No other process uses the folder while this value
/// exists.
#[derive(Debug)]
pub struct KeeperRemains {
    folder: KeeperFolder,
    card: Option<KeeperCard>,
    _lock: FolderLock,
}

/// What is known of an input that was sent to a keeper that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputDelivery {
    /// It was written to the agent completely.
    Written,
    /// It may have been written, in part or completely.
    Unconfirmed,
    /// It was not written.
    Not,
    /// The journal is empty or damaged, and does not have it.
    Unknown,
}

impl KeeperRemains {
    pub(super) fn new(folder: KeeperFolder, card: Option<KeeperCard>, lock: FolderLock) -> KeeperRemains {
        KeeperRemains { folder, card, _lock: lock }
    }

    /// Sees to it that no keeper starts an agent in this folder any more, also when the lock is free again. To be
    /// called before the keeper is noted as gone anywhere.
    pub fn close(&self) -> io::Result<()> {
        self.folder.close()
    }

    /// Which keeper it was. None if the machine went down soon after it was started.
    pub fn card(&self) -> Option<&KeeperCard> {
        self.card.as_ref()
    }

    /// How the agent ended. None if the keeper was killed before that, and the agent with it, or if the machine
    /// went down.
    pub fn exit(&self) -> io::Result<Option<AgentExit>> {
        self.folder.exit()
    }

    /// The lines from this offset on. Lines before the oldest offset were acknowledged; in a copy that was made at
    /// another time than the log's, there may be nothing after it.
    pub fn lines(&self, from: u64) -> io::Result<RemainingLines> {
        let limits = KeeperLimits::default();
        let spool = Spool::open(&self.folder.spool(), Sizes { line: limits.line, segment: limits.segment })?;
        let lines = SpoolLines::new(from.clamp(spool.oldest(), spool.next()));
        Ok(RemainingLines { spool, lines, bytes: Vec::new(), cut: 0 })
    }

    /// What became of inputs, each given by its name.
    pub fn sent<'i>(&self, inputs: impl IntoIterator<Item = &'i InputId>) -> io::Result<Vec<InputDelivery>> {
        sent(self.folder.path(), inputs)
    }

    /// Why the keeper failed. None if it was killed, or could not write it down.
    pub fn failure(&self) -> io::Result<Option<String>> {
        self.folder.failure()
    }

    /// Kills what the agent started and what outlived the keeper's sudden death; returns their number. The agent
    /// itself has died with its keeper.
    ///
    /// They are known by a variable that they inherited. One that has cleared its environment is not found. In a copy
    /// of a folder, the keeper of the original may live: its processes are left alone.
    pub fn sweep(&self) -> usize {
        let Some(card) = &self.card else { return 0 };
        let was_moved = !Path::new(&card.mark).exists();
        match was_moved || card.mark == KeeperCard::mark(self.folder.path()) {
            true => marked::kill(MARK, &card.mark),
            false => 0,
        }
    }

    /// Deletes the folder.
    pub fn delete(self) -> io::Result<()> {
        self.folder.delete()
    }
}

/// What became of inputs that were sent to a keeper, each given by its name: the journal in its folder decides.
pub fn sent<'i>(
    folder: &Path,
    inputs: impl IntoIterator<Item = &'i InputId>,
) -> io::Result<Vec<InputDelivery>> {
    let journal = Journal::read(&KeeperFolder::new(folder).inputs())?;
    let sent = |id| match journal.fate(id) {
        Some(WriteState::Written) => InputDelivery::Written,
        Some(WriteState::Begun) => InputDelivery::Unconfirmed,
        None if journal.is_complete() => InputDelivery::Not,
        None => InputDelivery::Unknown,
    };
    Ok(inputs.into_iter().map(sent).collect())
}

/// Lines that a keeper left behind.
#[derive(Debug)]
pub struct RemainingLines {
    spool: Spool,
    lines: SpoolLines,
    /// What has been read and not been cut into lines yet.
    bytes: Vec<u8>,
    cut: usize,
}

impl Iterator for RemainingLines {
    type Item = io::Result<SpoolLine>;

    fn next(&mut self) -> Option<io::Result<SpoolLine>> {
        loop {
            let mut rest = &self.bytes[self.cut..];
            let line = self.lines.next(&mut rest);
            self.cut = self.bytes.len() - rest.len();
            if let Some(line) = line {
                return Some(Ok(line));
            }
            self.bytes.resize(OUTPUT_LIMIT, 0);
            self.cut = 0;
            let length = self.spool.read(self.lines.at(), &mut self.bytes);
            self.bytes.truncate(*length.as_ref().unwrap_or(&0));
            match length {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
