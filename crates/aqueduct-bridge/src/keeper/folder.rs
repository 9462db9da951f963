//! A session's folder: what is where, and who has it.
//!
//! | file | what |
//! |---|---|
//! | `lock` | locked by the keeper as long as it lives: the truth about that |
//! | `keeper.json` | [`KeeperCard`]: which keeper, which agent |
//! | `keeper.sock` | the keeper's socket |
//! | `spool/` | the agent's output |
//! | `stderr/` | the newest lines of the agent's stderr |
//! | `inputs` | the journal of inputs |
//! | `exit` | how the agent ended |
//! | `closed` | a bridge has given the folder up: no keeper starts an agent in it |
//!
//! The lock is a record lock of `fcntl`: it goes with its process, however that dies, is not inherited, and can
//! be looked at without being taken. The query returns the process that holds it, so a process number that is
//! reused is not taken for the holder.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use aqueduct_os::lock::RecordLock;
use aqueduct_os::private_dir;
use aqueduct_os::process::Pid;
use serde::{Deserialize, Serialize};

use super::protocol::AgentExit;

const LOCK: &str = "lock";
const CARD: &str = "keeper.json";
const EXIT: &str = "exit";
const CLOSED: &str = "closed";
const FAILURE: &str = "failure";

/// The name of the keeper's socket.
pub(super) const SOCKET: &str = "keeper.sock";

/// Which keeper has a folder, and which agent it keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeeperCard {
    /// The version of its protocol.
    pub version: u32,
    /// Its process.
    pub keeper: u32,
    /// The agent's process; none before it has been started.
    pub agent: Option<u32>,
    /// When it was started, in milliseconds since 1970.
    pub started: u64,
    /// What every process of the agent has in its environment as `AQUEDUCT_KEEPER`: where the folder was when the keeper
    /// started. In a copy of the folder it names the original, whose processes are not to be touched.
    pub mark: String,
}

impl KeeperCard {
    /// The mark of a keeper in this folder.
    pub(super) fn mark(folder: &Path) -> String {
        folder.to_string_lossy().into_owned()
    }
}

/// The places in a session's folder.
#[derive(Debug, Clone)]
pub(super) struct KeeperFolder {
    path: PathBuf,
}

/// The lock on a folder. It lasts as long as the process, if this does.
#[derive(Debug)]
pub(super) struct FolderLock(RecordLock);

impl KeeperFolder {
    pub(super) fn new(path: &Path) -> KeeperFolder {
        KeeperFolder { path: path.to_owned() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn spool(&self) -> PathBuf {
        self.path.join("spool")
    }

    pub(super) fn inputs(&self) -> PathBuf {
        self.path.join("inputs")
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.path.join(SOCKET)
    }

    pub(super) fn lock_path(&self) -> PathBuf {
        self.path.join(LOCK)
    }

    /// Makes the folder if it is not there, and closes it to everyone else.
    pub(super) fn make(&self) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path)?;
        self.secure()?;
        self.open_lock(true).map(drop)
    }

    /// Deletes the folder. The lock goes first: who comes for it later finds none, and makes none.
    pub(super) fn delete(&self) -> io::Result<()> {
        remove(&self.lock_path())?;
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn open_lock(&self, create: bool) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create(create).truncate(false).mode(0o600).open(self.lock_path())
    }

    /// Closes the folder to everyone else.
    pub(super) fn secure(&self) -> io::Result<()> {
        private_dir::close_to_others(&self.path)
    }

    /// Takes the folder's lock for this process; none if another one has it. Without a lock file, the folder
    /// is given up, and the lock is made only for who reads what is left.
    pub(super) fn lock(&self, create: bool) -> io::Result<Option<FolderLock>> {
        Ok(RecordLock::take(self.open_lock(create)?)?.map(FolderLock))
    }

    /// Which process has the lock.
    pub(super) fn owner(&self) -> io::Result<Option<Pid>> {
        let file = match self.open_lock(false) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        RecordLock::owner(&file)
    }

    /// Who has the folder, or had it last. None if no process had it, or if the machine went down before it
    /// was on the disk.
    pub(super) fn card(&self) -> io::Result<Option<KeeperCard>> {
        let bytes = read(&self.path.join(CARD))?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    pub(super) fn write_card(&self, card: &KeeperCard) -> io::Result<()> {
        self.replace(CARD, &serde_json::to_vec(card)?)
    }

    /// No keeper is to start an agent here any more. For who has the lock.
    pub(super) fn close(&self) -> io::Result<()> {
        self.replace(CLOSED, &[])
    }

    /// Whether no keeper is to start an agent here.
    pub(super) fn is_closed(&self) -> io::Result<bool> {
        self.path.join(CLOSED).try_exists()
    }

    /// How the last agent ended, if its keeper lived to see it, and the machine to keep it.
    pub(super) fn exit(&self) -> io::Result<Option<AgentExit>> {
        Ok(read(&self.path.join(EXIT))?.and_then(|bytes| AgentExit::decode(0, &bytes).ok()))
    }

    pub(super) fn write_exit(&self, exit: &AgentExit) -> io::Result<()> {
        let mut bytes = Vec::new();
        exit.encode(&mut bytes);
        self.replace(EXIT, &bytes)
    }

    /// Forgets the agent before.
    pub(super) fn forget_exit(&self) -> io::Result<()> {
        remove(&self.path.join(EXIT))
    }

    /// Why the keeper failed, if it could write that down.
    pub(super) fn failure(&self) -> io::Result<Option<String>> {
        Ok(read(&self.path.join(FAILURE))?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    pub(super) fn write_failure(&self, reason: &str) -> io::Result<()> {
        self.replace(FAILURE, reason.as_bytes())
    }

    /// Takes the socket away.
    pub(super) fn forget_socket(&self) -> io::Result<()> {
        remove(&self.socket())
    }

    /// Writes a file that is there as a whole or not at all.
    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let new = self.path.join(format!("{name}.new"));
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        io::Write::write_all(&mut file, bytes)?;
        fs::rename(new, self.path.join(name))
    }
}

impl FolderLock {
    /// Whether the folder is still where others find it.
    pub(super) fn is_there(&self) -> bool {
        self.0.is_named()
    }
}

/// The bytes of a file; none if it is not there.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
