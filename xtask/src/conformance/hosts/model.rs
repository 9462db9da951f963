//! The scripted model of a run: replies that are written in the prompt, or rules for a host whose prompts are its own.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::conformance::scripted_api::ScriptedApi;

pub(super) enum Model {
    InPrompts(ScriptedApi),
    ByRules { server: Child, url: String },
}

impl Model {
    pub(super) fn start(script: Option<&str>, aqueduct: &Path, folder: &Path) -> Result<Self> {
        let Some(script) = script else { return ScriptedApi::start().map(Self::InPrompts) };
        let rules = folder.join("rules.script");
        fs::write(&rules, script).with_context(|| format!("cannot write {}", rules.display()))?;
        let mut server = Command::new(aqueduct)
            .args(["scripted-api", "--listen", "127.0.0.1:0", "--json", "--script"])
            .arg(rules)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the scripted model")?;
        let mut line = String::new();
        let stdout = server.stdout.take().context("the scripted model has no stdout")?;
        BufReader::new(stdout)
            .read_line(&mut line)
            .context("the scripted model did not report its address")?;
        let started: Value = serde_json::from_str(&line).unwrap_or_default();
        let model = Self::ByRules { server, url: started["url"].as_str().unwrap_or_default().to_owned() };
        anyhow::ensure!(!model.url().is_empty(), "the scripted model did not start: {line}");
        Ok(model)
    }

    pub(super) fn url(&self) -> String {
        match self {
            Self::InPrompts(api) => api.url(),
            Self::ByRules { url, .. } => url.clone(),
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        if let Self::ByRules { server, .. } = self {
            // It may have ended by itself; there is nothing else to do then.
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}
