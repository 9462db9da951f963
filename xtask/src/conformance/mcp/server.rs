//! The servers: the reference implementation that does everything, and the one for files.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::super::reference;
use crate::npm;

const VERSION: &str = "2026.8.31";

/// How long a server may take to listen.
const PATIENCE: Duration = Duration::from_secs(20);

/// The programs.
pub(super) struct Programs {
    /// Does everything that MCP has.
    everything: PathBuf,
    /// Reads and writes files.
    files: PathBuf,
}

/// Installs the servers if they are not there.
pub(super) fn install() -> Result<Programs> {
    let program = |name: &str| {
        let directory = reference::lab()?.join(format!("mcp-server-{name}-{VERSION}"));
        npm::install(&directory, &format!("@modelcontextprotocol/server-{name}"), VERSION)?;
        Ok::<_, anyhow::Error>(directory.join(format!("node_modules/.bin/mcp-server-{name}")))
    };
    Ok(Programs { everything: program("everything")?, files: program("filesystem")? })
}

/// How a server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transport {
    Stdio,
    Http,
    Sse,
}

impl Transport {
    pub(super) const ALL: &[Transport] = &[Transport::Stdio, Transport::Http, Transport::Sse];

    pub(super) fn name(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
            Transport::Sse => "sse",
        }
    }
}

/// The servers of one conversation. Those on the network run beside the agent.
pub(super) struct Servers<'p> {
    programs: &'p Programs,
    transport: Transport,
    port: u16,
    running: Option<Child>,
}

impl<'p> Servers<'p> {
    pub(super) fn start(programs: &'p Programs, transport: Transport) -> Result<Self> {
        let mut servers = Servers { programs, transport, port: free_port()?, running: None };
        servers.listen()?;
        Ok(servers)
    }

    /// Their configuration for the agent.
    pub(super) fn config(&self, folder: &str) -> Value {
        let node = |program: &PathBuf, arguments: &[&str]| {
            let arguments: Vec<&str> =
                program.to_str().into_iter().chain(arguments.iter().copied()).collect();
            json!({ "command": "node", "args": arguments })
        };
        let everything = match self.transport {
            Transport::Stdio => node(&self.programs.everything, &[]),
            Transport::Http => {
                json!({ "type": "http", "url": format!("http://127.0.0.1:{}/mcp", self.port) })
            }
            Transport::Sse => json!({ "type": "sse", "url": format!("http://127.0.0.1:{}/sse", self.port) }),
        };
        json!({ "mcpServers": { "every": everything, "files": node(&self.programs.files, &[folder]) } })
    }

    /// Kills the server that does everything. One on the network is started again: a program comes back when
    /// the agent needs it.
    pub(super) fn kill(&mut self) -> Result<()> {
        match self.running.take() {
            Some(mut child) => {
                child.kill().context("cannot kill the server")?;
                child.wait().context("cannot wait for the server")?;
                self.listen()
            }
            None => {
                let pids = self.processes();
                if pids.is_empty() {
                    bail!("no server to kill");
                }
                for pid in pids {
                    kill_process(pid, Signal::KILL).context("cannot kill the server")?;
                }
                Ok(())
            }
        }
    }

    /// The processes of programs that an agent has started.
    pub(super) fn processes(&self) -> Vec<Pid> {
        let programs = [&self.programs.everything, &self.programs.files];
        let own = self.running.as_ref().map(Child::id);
        let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
        processes
            .filter_map(|process| {
                let id: u32 = process.file_name().to_str()?.parse().ok()?;
                let command = fs::read_to_string(process.path().join("cmdline")).ok()?;
                let (program, arguments) = command.split_once('\0')?;
                let is_server = program == "node"
                    && programs
                        .iter()
                        .any(|program| arguments.starts_with(program.to_str().unwrap_or_default()));
                (is_server && own != Some(id)).then(|| Pid::from_raw(i32::try_from(id).ok()?)).flatten()
            })
            .collect()
    }

    fn listen(&mut self) -> Result<()> {
        let mode = match self.transport {
            Transport::Stdio => return Ok(()),
            Transport::Http => "streamableHttp",
            Transport::Sse => "sse",
        };
        let mut node = Command::new("node");
        node.arg(&self.programs.everything).arg(mode).env("PORT", self.port.to_string());
        node.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.running = Some(node.spawn().context("cannot start the server")?);
        await_port(self.port)
    }
}

/// A port that no program has.
pub(super) fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// Waits until a server listens.
pub(super) fn await_port(port: u16) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while TcpStream::connect(("localhost", port)).is_err() {
        if Instant::now() > deadline {
            bail!("the server does not listen");
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

impl Drop for Servers<'_> {
    fn drop(&mut self) {
        if let Some(mut child) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
