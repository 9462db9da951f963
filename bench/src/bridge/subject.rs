//! The bridge that is measured: ours, started here, or another one that runs already.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use super::healthz;
use super::listener;
use crate::memory;

/// How long a bridge may take to start and to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often it is looked whether a bridge answers.
const LOOK: Duration = Duration::from_micros(250);

/// The credential of this bench's clients for our bridge.
const TOKEN: &str = "for-the-bench-alone-0123456789";

/// Which messages a bridge understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Everything of docs/bridge-api.md.
    Ours,
    /// What the protocol had at first: `start`, `input`, `stop_session`, `get_history`, and all clients
    /// receive everything.
    Original,
}

/// A bridge to measure.
#[derive(Clone)]
pub(super) struct Subject {
    /// Host and port.
    pub(super) address: String,
    path: String,
    pub(super) token: Option<String>,
    pub(super) dialect: Dialect,
    /// The folder that sessions work in.
    pub(super) project: PathBuf,
    /// The process that listens, where it is on this machine and can be looked at.
    pub(super) process: Option<u32>,
    /// Where keepers leave their cards.
    keepers: Option<PathBuf>,
}

impl Subject {
    /// A bridge that runs already at `ws://HOST:PORT/PATH`.
    pub(super) fn peer(url: &str) -> Result<Self> {
        let rest = url.strip_prefix("ws://").context("--peer takes an address that begins with ws://")?;
        let (address, path) = rest.split_once('/').unwrap_or((rest, ""));
        let port = address.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
        Ok(Self {
            address: address.to_owned(),
            path: path.to_owned(),
            token: std::env::var("AQUEDUCT_TOKEN").ok(),
            dialect: Dialect::Original,
            project: std::env::current_dir().context("no current folder")?,
            process: listener::find(port.context("--peer needs a port: ws://HOST:PORT")?),
            keepers: None,
        })
    }

    pub(super) fn url(&self) -> String {
        format!("ws://{}/{}", self.address, self.path)
    }

    /// What the bridge holds in memory by itself, in bytes.
    pub(super) fn memory(&self) -> Option<f64> {
        self.process.and_then(|process| memory::own(process).ok()).map(|bytes| bytes as f64)
    }

    /// What of that comes from no file: what sessions and clients add to.
    pub(super) fn anonymous_memory(&self) -> Option<f64> {
        self.process.and_then(|process| memory::anonymous(process).ok()).map(|bytes| bytes as f64)
    }

    /// The processes that hold the agents of ours.
    pub(super) fn keepers(&self) -> Vec<u32> {
        let folders = self.keepers.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let keeper = |folder: fs::DirEntry| {
            let card: Value =
                serde_json::from_slice(&fs::read(folder.path().join("keeper.json")).ok()?).ok()?;
            u32::try_from(card["keeper"].as_u64()?).ok()
        };
        folders.filter_map(keeper).collect()
    }

    /// What the bridge and its keepers hold in memory together: pages of the program that they share count once.
    pub(super) fn memory_with_keepers(&self) -> Option<f64> {
        let keepers = self.keepers().into_iter().filter_map(|keeper| memory::own(keeper).ok()).sum::<u64>();
        self.memory().map(|memory| memory + keepers as f64)
    }

    /// What a keeper holds in memory, on average.
    pub(super) fn keeper_memory(&self) -> Option<f64> {
        let each: Vec<u64> =
            self.keepers().into_iter().filter_map(|keeper| memory::own(keeper).ok()).collect();
        (!each.is_empty()).then(|| each.iter().sum::<u64>() as f64 / each.len() as f64)
    }
}

/// A bridge of ours that runs, and ends with this.
pub(super) struct Ours {
    pub(super) subject: Subject,
    /// From before the process was made to the first answer.
    pub(super) took: Duration,
    bridge: Child,
}

/// Where a bridge of ours keeps everything.
pub(super) struct Place {
    folder: TempDir,
    program: PathBuf,
    idle: &'static str,
    /// The filter of its log.
    log: Option<&'static str>,
}

impl Place {
    /// A new place for a bridge that stops agents after `idle`.
    pub(super) fn new(program: &Path, idle: &'static str) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("aqueduct-bench-").tempdir();
        let folder = folder.context("cannot make a folder")?;
        for name in ["home", "project"] {
            fs::create_dir(folder.path().join(name)).context("cannot make a folder")?;
        }
        let this = std::env::current_exe().context("cannot find this program's file")?;
        let agent = folder.path().join("agent");
        // The bridge's arguments come first, and this program looks at its own first word.
        fs::write(&agent, format!("#!/bin/sh\nexec '{}' --scripted-agent \"$@\"\n", this.display()))
            .and_then(|()| fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)))
            .context("cannot write the agent's script")?;
        Ok(Self { folder, program: program.to_owned(), idle, log: None })
    }

    /// The same for a bridge that logs what this filter names.
    pub(super) fn with_log(program: &Path, idle: &'static str, filter: &'static str) -> Result<Self> {
        Ok(Self { log: Some(filter), ..Place::new(program, idle)? })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The size of the data folder, in bytes.
    pub(super) fn stored(&self) -> u64 {
        let files = fs::read_dir(self.path("data")).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum()
    }

    /// Starts the bridge, and waits until it answers.
    pub(super) fn start(&self) -> Result<Ours> {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let address = port.context("no free port")?.to_string();
        let mut command = Command::new(&self.program);
        command
            .args(["serve", "--no-pair", "--listen", &address, "--idle", self.idle])
            .arg("--data-dir")
            .arg(self.path("data"))
            .arg("--root")
            .arg(self.folder.path())
            .arg("--agent")
            .arg(self.path("agent"))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .env("AQUEDUCT_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(self.path("stderr")).context("cannot make a file")?);
        if let Some(filter) = self.log {
            command.args(["--log", filter]);
        }
        let started = Instant::now();
        let mut bridge =
            command.spawn().with_context(|| format!("cannot start {}", self.program.display()))?;
        while !healthz::answers(&address) {
            let ended = bridge.try_wait().context("cannot look at the bridge")?;
            if ended.is_some() || started.elapsed() > PATIENCE {
                let words = fs::read_to_string(self.path("stderr")).unwrap_or_default();
                bail!("the bridge does not start: {}", words.trim());
            }
            std::thread::sleep(LOOK);
        }
        let took = started.elapsed();
        let subject = Subject {
            address,
            path: "ws".to_owned(),
            token: Some(TOKEN.to_owned()),
            dialect: Dialect::Ours,
            project: self.path("project"),
            process: Some(bridge.id()),
            keepers: Some(self.path("data/keepers")),
        };
        Ok(Ours { subject, took, bridge })
    }
}

impl Ours {
    pub(super) fn process(&self) -> u32 {
        self.bridge.id()
    }

    /// Stops the bridge as a person would.
    pub(super) fn stop(mut self) -> Result<()> {
        let process = i32::try_from(self.bridge.id()).ok().and_then(Pid::from_raw);
        kill_process(process.context("the bridge has no process")?, Signal::TERM)
            .context("cannot stop the bridge")?;
        let asked = Instant::now();
        while self.bridge.try_wait().context("cannot look at the bridge")?.is_none() {
            ensure!(asked.elapsed() < PATIENCE, "the bridge does not stop");
            std::thread::sleep(LOOK);
        }
        Ok(())
    }
}

impl Drop for Ours {
    fn drop(&mut self) {
        // It may have ended already, and keepers with it.
        let _ = self.bridge.kill();
        let _ = self.bridge.wait();
        for keeper in self.subject.keepers() {
            if let Some(keeper) = i32::try_from(keeper).ok().and_then(Pid::from_raw) {
                let _ = kill_process(keeper, Signal::KILL);
            }
        }
    }
}
