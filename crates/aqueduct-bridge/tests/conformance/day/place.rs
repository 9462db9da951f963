use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::client::Client;
use crate::verdict::{Trouble, ensure};

/// How often a file is looked for.
const LOOK: Duration = Duration::from_millis(20);

/// How often, before it counts as missing.
const LOOKS: usize = 3000;

/// An empty project for one case, and the bridge and the agent that it is played with.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    folder: PathBuf,
    project: PathBuf,
    agent: String,
    token: String,
}

/// Looks until something is so.
async fn wait_until(missing: &str, is_so: impl Fn() -> bool) -> Result<(), Trouble> {
    for _ in 0..LOOKS {
        if is_so() {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
    Err(Trouble::failed(missing))
}

impl Place {
    pub(crate) fn new(folder: &Path, agent: &str, token: &str, case: &str) -> io::Result<Self> {
        let folder = folder.canonicalize()?;
        let project = folder.join("projects").join(case);
        fs::create_dir_all(&project)?;
        Ok(Place { folder, project, agent: agent.to_owned(), token: token.to_owned() })
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join("socket")
    }

    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    pub(crate) fn agent(&self) -> &str {
        &self.agent
    }

    pub(crate) fn project(&self) -> &Path {
        &self.project
    }

    /// A file in the project.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.project.join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        fs::write(self.file(name), bytes)
    }

    /// A program of the project, which a shell runs.
    pub(crate) fn program(&self, name: &str, commands: &str) -> io::Result<()> {
        self.write(name, format!("#!/bin/sh\n{commands}\n"))?;
        fs::set_permissions(self.file(name), fs::Permissions::from_mode(0o755))
    }

    /// Waits until a tool has made a file in the project.
    pub(crate) async fn wait_for(&self, name: &str) -> Result<(), Trouble> {
        wait_until(&format!("{name} was not made"), || self.file(name).exists()).await
    }

    /// Waits until the agent has stored the messages: the reference does so with a short delay.
    pub(crate) async fn wait_for_transcript(&self, session: &str, wanted: &str) -> Result<(), Trouble> {
        let projects = self.folder.join("home/.claude/projects");
        let is_written = || {
            let folders = fs::read_dir(&projects).into_iter().flatten().flatten();
            let mut files = folders.map(|folder| folder.path().join(format!("{session}.jsonl")));
            files.any(|file| fs::read_to_string(file).is_ok_and(|text| text.contains(wanted)))
        };
        wait_until("the agent wrote no transcript", is_written).await
    }

    /// A client with a session that is yet to be started.
    pub(crate) async fn client(&self) -> Result<Client, Trouble> {
        Client::connect(self, &uuid::Uuid::new_v4().to_string()).await
    }

    /// A client whose session has had its first turn.
    pub(crate) async fn started(&self, text: &str) -> Result<Client, Trouble> {
        let mut client = self.client().await?;
        client.start(self, json!({"text": text})).await?;
        client.turn().await?;
        Ok(client)
    }

    /// Kills the agent of the session that was started last, as a crash would.
    pub(crate) fn kill_agent(&self) -> Result<(), Trouble> {
        let cards = fs::read_dir(self.folder.join("data/keepers"))?.flatten().filter_map(|keeper| {
            let card = fs::read(keeper.path().join("keeper.json")).ok()?;
            let card: Value = serde_json::from_slice(&card).ok()?;
            Some((card["started"].as_u64()?, card["agent"].as_i64()?))
        });
        let newest = cards.max().and_then(|(_, agent)| i32::try_from(agent).ok()).and_then(Pid::from_raw);
        let Some(agent) = newest else { return Err(Trouble::failed("no keeper has an agent")) };
        kill_process(agent, Signal::KILL).map_err(|error| Trouble::failed(format!("can't kill it: {error}")))
    }

    /// Ends every session of the bridge.
    pub(crate) async fn clear(&self) -> Result<(), Trouble> {
        let mut client = self.client().await?;
        let list = client.ask(json!({"type": "list_sessions"})).await?;
        for session in list["sessions"].as_array().into_iter().flatten() {
            let gone =
                client.ask(json!({"type": "delete_session", "sessionId": session["sessionId"]})).await?;
            ensure!(gone["type"] == "ok", "the session could not be deleted: {gone}");
        }
        Ok(())
    }
}
