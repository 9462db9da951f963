use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use anyhow::{Context as _, Result, bail};
use tempfile::TempDir;

use crate::conformance::bridge::served::end_keepers;

/// The clients' token. What it protects is in a closed network, and deleted with the suite.
pub(super) const TOKEN: &str = "aqt_for_clients_in_a_closed_network";

/// How long a bridge may take to answer for the first time.
const START: Duration = Duration::from_secs(60);

/// How long an unwatched agent is kept: short, since requests start many.
const IDLE: &str = "5s";

/// A bridge on a port of loopback, with a folder of its own, until this is dropped.
pub(super) struct LoopbackBridge {
    place: TempDir,
    process: Child,
    port: u16,
}

impl LoopbackBridge {
    pub(super) fn start(aqueduct: &Path) -> Result<Self> {
        let place =
            tempfile::Builder::new().prefix("aqueduct-").tempdir().context("cannot make a directory")?;
        for folder in ["home", "projects", "projects/demo"] {
            fs::create_dir(place.path().join(folder)).context("cannot make a directory")?;
        }
        let free = TcpListener::bind("127.0.0.1:0").context("cannot bind to loopback")?;
        let port = free.local_addr().context("a port is needed")?.port();
        drop(free);
        let log = File::create(place.path().join("log")).context("cannot make the log")?;
        let process = Command::new(aqueduct)
            .args(["serve", "--no-pair", "--idle", IDLE, "--agent", "builtin"])
            .arg("--listen")
            .arg(format!("127.0.0.1:{port}"))
            .arg("--data-dir")
            .arg(place.path().join("data"))
            .arg("--root")
            .arg(place.path().join("projects"))
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", place.path().join("home"))
            .env("AQUEDUCT_TOKEN", TOKEN)
            .stdin(Stdio::null())
            .stdout(log.try_clone().context("cannot share the log")?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", aqueduct.display()))?;
        let bridge = LoopbackBridge { place, process, port };
        let deadline = Instant::now() + START;
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if Instant::now() > deadline {
                bail!("the bridge does not answer:\n{}", bridge.log());
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(bridge)
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// A folder that sessions can be started in.
    pub(super) fn project(&self) -> PathBuf {
        self.place.path().join("projects/demo")
    }

    /// What the bridge has printed.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.place.path().join("log")).unwrap_or_default()
    }
}

impl Drop for LoopbackBridge {
    fn drop(&mut self) {
        // One that is gone already is what was wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
        end_keepers(&self.place.path().join("data"));
    }
}
