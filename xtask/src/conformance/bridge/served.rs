use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// The clients' token. What it protects is in a closed network, and deleted with the suite.
pub(super) const TOKEN: &str = "aqt_for_a_day_in_a_closed_network";

/// How long an unwatched agent is kept: short, since a case waits for it.
const IDLE: &str = "3s";

/// A bridge that is started again when it ends, until this is dropped.
pub(super) struct Served {
    place: TempDir,
    watch: Arc<Watch>,
    watching: Option<JoinHandle<()>>,
}

/// What the thread that watches the bridge shares with its owner.
struct Watch(Mutex<State>);

struct State {
    /// The bridge's process, while it runs.
    process: Option<u32>,
    is_over: bool,
}

impl Served {
    /// Starts a bridge with a folder of its own: `socket`, `data`, `home`, and `projects` as its only root.
    pub(super) fn start(aqueduct: &Path, config: &str) -> Result<Served> {
        let place =
            tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory")?;
        for folder in ["home", "projects"] {
            fs::create_dir(place.path().join(folder)).context("cannot make a directory")?;
        }
        let settings = place.path().join("config.toml");
        fs::write(&settings, config).context("cannot write the configuration")?;
        // It has a key, and the bridge refuses one that others can read.
        fs::set_permissions(settings, fs::Permissions::from_mode(0o600))
            .context("cannot close the configuration to others")?;
        let mut bridge = command(aqueduct, place.path());
        let first = bridge.spawn().with_context(|| format!("cannot start {}", aqueduct.display()))?;
        let watch = Arc::new(Watch(Mutex::new(State { process: Some(first.id()), is_over: false })));
        let watching = thread::spawn({
            let watch = Arc::clone(&watch);
            move || watch.keep(first, bridge)
        });
        Ok(Served { place, watch, watching: Some(watching) })
    }

    pub(super) fn folder(&self) -> &Path {
        self.place.path()
    }

    pub(super) fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }
}

fn command(aqueduct: &Path, place: &Path) -> Command {
    let mut command = Command::new(aqueduct);
    command
        .args(["serve", "--no-pair", "--idle", IDLE, "--agent", "builtin"])
        .arg("--config")
        .arg(place.join("config.toml"))
        .arg("--listen")
        .arg(format!("unix:{}", place.join("socket").display()))
        .arg("--data-dir")
        .arg(place.join("data"))
        .arg("--root")
        .arg(place.join("projects"))
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", place.join("home"))
        .env("AQUEDUCT_TOKEN", TOKEN)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

impl Watch {
    /// Waits for the bridge's end, and starts it again, until it is not needed any more.
    fn keep(&self, mut bridge: Child, mut again: Command) {
        loop {
            let ended = bridge.wait();
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.process = None;
            if state.is_over || ended.is_err() {
                return;
            }
            match again.spawn() {
                Ok(next) => bridge = next,
                // Connections are refused meanwhile.
                Err(_) => return,
            }
            state.process = Some(bridge.id());
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        {
            let mut state = self.watch.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_over = true;
            kill(state.process.map(i64::from));
        }
        if let Some(watching) = self.watching.take() {
            let _ = watching.join();
        }
        end_keepers(&self.place.path().join("data"));
    }
}

/// Ends what a bridge has left. Agents outlive their bridge, and a day that broke off leaves some; they end with their
/// keepers.
pub(in crate::conformance) fn end_keepers(data: &Path) {
    for keeper in fs::read_dir(data.join("keepers")).into_iter().flatten().flatten() {
        let card = fs::read(keeper.path().join("keeper.json")).unwrap_or_default();
        let card: Value = serde_json::from_slice(&card).unwrap_or_default();
        kill(card["keeper"].as_i64());
    }
}

fn kill(process: Option<i64>) {
    let process = process.and_then(|process| i32::try_from(process).ok()).and_then(Pid::from_raw);
    if let Some(process) = process {
        // One that is gone already is what was wanted.
        let _ = kill_process(process, Signal::KILL);
    }
}
