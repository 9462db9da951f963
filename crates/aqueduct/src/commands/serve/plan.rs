//! What the configuration means for the bridge: resolved, checked, ready to be started.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use aqueduct_bridge::Journal;
use aqueduct_bridge::server::{Options, Tls};
use aqueduct_bridge::settings::Settings;
use aqueduct_bridge::workspace::Git;

use super::agents;
use super::explain::Explainer;
use crate::agents::Places;
use crate::commands::keeper;
use crate::commands::rules::Folders;
use crate::config::{Config, Surroundings};
use crate::output;
use crate::terminal::plain;

/// What the bridge and its server are told.
pub(super) struct Plan {
    pub(super) settings: Settings,
    pub(super) options: Options,
}

impl Plan {
    /// Resolves and checks. Nothing is started yet, and nothing is written.
    pub(super) fn new(config: &Config, surroundings: &Surroundings) -> anyhow::Result<Self> {
        let tls = tls(config)?;
        for place in &config.listen {
            place.check(tls.is_some(), config.insecure)?;
        }
        let (agents, default_agent) = agents::choose(config, surroundings, &Places::of_this_process()?)?;
        let named = surroundings.variable("CLAUDE_CONFIG_DIR").map(PathBuf::from);
        let explainer = Explainer::start(Folders::new(surroundings.home.clone(), named))
            .context("can't start a thread; see how many this user may have")?;
        let settings = Settings {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: config.name.clone().or_else(machine),
            data: config.data_dir.clone(),
            keeper: keeper::own().into(),
            agents,
            default_agent,
            roots: config.root.iter().map(|root| resolved(root, config)).collect::<anyhow::Result<_>>()?,
            transcripts: surroundings.agents_folder().into_iter().collect(),
            git: git(surroundings),
            idle: config.idle,
            limits: config.limits,
            bypass: config.allow_bypass,
            explainer: Some(Arc::new(explainer)),
        };
        let options = Options {
            listen: config.listen.clone(),
            tls,
            hosts: config.host.clone(),
            automation: config.token.as_ref().map(|secret| secret.token.clone()),
            address: config.address(),
            admin: Some(config.admin_socket()),
            connections: config.limits.clients,
            journal: Journal::new(|line| output::remark(&plain(line))),
            ..Options::default()
        };
        Ok(Plan { settings, options })
    }
}

/// Git with the variables of its user that it needs.
fn git(surroundings: &Surroundings) -> Git {
    let known = |name: &str| Some((name.into(), surroundings.variable(name)?.into()));
    Git {
        environment: ["PATH", "HOME", "XDG_CONFIG_HOME"].into_iter().filter_map(known).collect(),
        ..Git::default()
    }
}

/// The certificates, if there are to be any.
fn tls(config: &Config) -> anyhow::Result<Option<Tls>> {
    match (&config.tls_cert, &config.tls_key) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => {
            let next = "give PEM files that this user can read with --tls-cert and --tls-key";
            Ok(Some(Tls::load(certificate, key).context(next)?))
        }
        (Some(_), None) => bail!("there is a certificate and no key: give --tls-key too"),
        (None, Some(_)) => bail!("there is a key and no certificate: give --tls-cert too"),
    }
}

/// A root with its links resolved.
fn resolved(root: &Path, config: &Config) -> anyhow::Result<PathBuf> {
    let told = || format!("{}: the folder {} can't be a root", config.origin("root"), root.display());
    let real = std::fs::canonicalize(root).with_context(told)?;
    match real.is_dir() {
        true => Ok(real),
        false => Err(anyhow::anyhow!("it is no folder")).with_context(told),
    }
}

/// The machine's name.
fn machine() -> Option<String> {
    let names = rustix::system::uname();
    let name = names.nodename().to_string_lossy();
    let first = name.split('.').next().unwrap_or_default();
    (!first.is_empty()).then(|| first.to_owned())
}
