//! The folder of a round, and the bridge in it, which is started again whenever it ends.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use serde_json::json;
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

use crate::effects;
use crate::options::{Agent, Options};
use crate::plain_agent;
use crate::processes::{MARK, Processes};

/// The token of the clients. The bridge that it opens is gone when the round is over.
pub(crate) const TOKEN: &str = "aqt_for_the_crash_suite_0123456789abcdef";

/// How long an agent without work is kept.
const IDLE: &str = "4s";

/// What the reference CLI must not do besides its work.
const QUIET: &[(&str, &str)] = &[
    ("ANTHROPIC_API_KEY", "not-a-key"),
    ("CI", "1"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("IS_SANDBOX", "1"),
];

pub(crate) struct Machine {
    folder: PathBuf,
    agent: Agent,
    processes: Processes,
    bridge: Mutex<Option<Pid>>,
    /// How often the bridge was started.
    starts: AtomicUsize,
    /// The bridge is not started again.
    is_over: AtomicBool,
}

impl Machine {
    /// Makes the folder of a round.
    pub(crate) fn new(options: &Options, agent: Agent, seed: u64) -> std::io::Result<Arc<Machine>> {
        let folder = options.folder.join(format!("{}-{seed}", agent.name()));
        let _ = fs::remove_dir_all(&folder);
        for name in ["home", "project"] {
            fs::create_dir_all(folder.join(name))?;
        }
        let folder = folder.canonicalize()?;
        let settings = folder.join("config.toml");
        fs::write(&settings, config(options, agent, &folder)?)?;
        // It may have a key, and the bridge refuses one that others can read.
        fs::set_permissions(settings, fs::Permissions::from_mode(0o600))?;
        let mark = format!("{}-{}-{seed}", std::process::id(), agent.name());
        let processes = Processes::new(&mark, &folder.join("data"));
        let machine = Arc::new(Machine {
            folder,
            agent,
            processes,
            bridge: Mutex::new(None),
            starts: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        });
        let mut command = machine.command(&options.aqueduct, &mark)?;
        let first = command.spawn()?;
        machine.set_bridge(first.id());
        tokio::spawn(Arc::clone(&machine).supervise(first, command));
        Ok(machine)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn agent(&self) -> Agent {
        self.agent
    }

    pub(crate) fn processes(&self) -> &Processes {
        &self.processes
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    pub(crate) fn effects(&self) -> PathBuf {
        self.project().join(effects::FILE)
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    /// The bridge's process, while it runs.
    pub(crate) fn bridge(&self) -> Option<Pid> {
        *self.bridge.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn starts(&self) -> usize {
        self.starts.load(Ordering::Relaxed)
    }

    fn set_bridge(&self, process: Option<u32>) {
        let process = process.and_then(|process| Pid::from_raw(process as i32));
        self.starts.fetch_add(usize::from(process.is_some()), Ordering::Relaxed);
        *self.bridge.lock().unwrap_or_else(PoisonError::into_inner) = process;
    }

    /// Starts the bridge again whenever it ends, as a service manager does.
    async fn supervise(self: Arc<Machine>, mut bridge: Child, mut command: Command) {
        loop {
            let ended = bridge.wait().await;
            self.set_bridge(None);
            if self.is_over.load(Ordering::Relaxed) || ended.is_err() {
                return;
            }
            if ended.is_ok_and(|ended| ended.code().is_some_and(|code| code != 0)) {
                // It did not even start: `bridge.log` has the reason.
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            bridge = match command.spawn() {
                Ok(bridge) => bridge,
                Err(_) => return,
            };
            self.set_bridge(bridge.id());
        }
    }

    fn command(&self, aqueduct: &Path, mark: &str) -> std::io::Result<Command> {
        let log: File = OpenOptions::new().append(true).create(true).open(self.folder.join("bridge.log"))?;
        let mut command = Command::new(aqueduct);
        command
            .args(["serve", "--no-pair", "--idle", IDLE, "--agent", "under-test", "--push", "off"])
            .arg("--config")
            .arg(self.folder.join("config.toml"))
            .arg("--listen")
            .arg(format!("unix:{}", self.socket().display()))
            .arg("--data-dir")
            .arg(self.folder.join("data"))
            .arg("--root")
            .arg(self.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.join("home"))
            .env("AQUEDUCT_TOKEN", TOKEN)
            .env(MARK, mark)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        Ok(command)
    }

    /// Waits until the bridge accepts connections.
    pub(crate) async fn answers(&self) -> bool {
        for _ in 0..2000 {
            if UnixStream::connect(self.socket()).await.is_ok() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        false
    }

    /// Ends the bridge for good.
    pub(crate) async fn shut_down(&self, signal: Signal) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(bridge) = self.bridge() {
            self.processes.signal(bridge, signal);
        }
        for _ in 0..1000 {
            if self.bridge().is_none() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Ends everything and removes the folder.
    pub(crate) fn clear(&self, keep: bool) {
        self.is_over.store(true, Ordering::Relaxed);
        self.processes.kill_all();
        if !keep {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The bridge's settings: the agent under test.
fn config(options: &Options, agent: Agent, folder: &Path) -> std::io::Result<String> {
    // A string in JSON is one in TOML.
    let table = |program: Option<&Path>, variables: &[(&str, &str)]| {
        let pairs: Vec<String> =
            variables.iter().map(|(name, value)| format!("{name} = {}", json!(value))).collect();
        let program = program.map(|program| format!("program = {}\n", json!(program))).unwrap_or_default();
        format!("[agents.under-test]\n{program}environment = {{ {} }}\n", pairs.join(", "))
    };
    Ok(match (agent, &options.reference) {
        (Agent::Plain, _) => {
            let effects = folder.join("project").join(effects::FILE);
            table(Some(&std::env::current_exe()?), &[(plain_agent::EFFECTS, &effects.to_string_lossy())])
        }
        (Agent::Reference, Some((program, api))) => {
            let variables: Vec<_> =
                QUIET.iter().copied().chain([("ANTHROPIC_BASE_URL", api.as_str())]).collect();
            table(Some(program), &variables)
        }
        _ => table(None, &[]),
    })
}
