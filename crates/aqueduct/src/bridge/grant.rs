use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use aqueduct_bridge::auth::Grant;
use aqueduct_bridge::log::Time;
use aqueduct_bridge::message::Scope;
use serde_json::{Value, json};

use crate::config;
use crate::explained::advice;

/// What a new device or token may do.
#[derive(Debug, clap::Args)]
pub(crate) struct GrantArgs {
    /// What it may do: watch, decide, operate or admin; each includes those before it
    #[arg(long, value_name = "SCOPE", default_value = "operate", value_parser = scope)]
    scope: Scope,
    /// When its access ends, from now, such as 12h or 30d [default: never]
    #[arg(long, value_name = "TIME", value_parser = expiry)]
    expires: Option<Expiry>,
    /// Limit it to one folder: it sees and starts sessions there only
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// When access ends, from now.
#[derive(Debug, Clone, Copy)]
enum Expiry {
    After(Duration),
    Never,
}

impl GrantArgs {
    /// The grant, from now on.
    pub(crate) fn grant(&self, now: Time) -> anyhow::Result<Grant> {
        let expires = match self.expires {
            Some(Expiry::After(time)) => {
                let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
                Some(Time(now.0.saturating_add(millis)))
            }
            Some(Expiry::Never) | None => None,
        };
        let root = self.root.as_deref().map(folder).transpose()?.flatten();
        Ok(Grant { scope: self.scope, expires, root })
    }
}

/// A grant as the members of `pair_device` and of `--json`.
pub(crate) fn members(grant: &Grant) -> Value {
    let mut members = json!({ "scope": grant.scope.as_str() });
    if let Some(expires) = grant.expires {
        members["expiresAt"] = expires.0.into();
    }
    if let Some(root) = &grant.root {
        members["root"] = root.as_str().into();
    }
    members
}

fn scope(text: &str) -> anyhow::Result<Scope> {
    let names: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
    Scope::parse(text).with_context(|| format!("use one of {}", names.join(", ")))
}

fn expiry(text: &str) -> anyhow::Result<Expiry> {
    match config::time(text) {
        _ if text.trim() == "never" => Ok(Expiry::Never),
        Some(time) if !time.is_zero() => Ok(Expiry::After(time)),
        _ => bail!("use a time such as 90m, 12h or 30d, or never"),
    }
}

/// The folder with symlinks resolved; none where it holds everything.
fn folder(root: &Path) -> anyhow::Result<Option<String>> {
    let shown = root.display();
    let real = std::fs::canonicalize(root)
        .with_context(|| advice(format!("the folder {shown} can't be a root"), "name one that exists"))?;
    ensure!(real.is_dir(), advice(format!("{shown} is not a folder"), "name one with --root"));
    if real == Path::new("/") {
        return Ok(None);
    }
    let text = real.into_os_string().into_string();
    let text =
        text.map_err(|_| advice(format!("the path of {shown} is not valid UTF-8"), "rename the folder"))?;
    Ok(Some(text))
}
