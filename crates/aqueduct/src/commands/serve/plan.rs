//! What the configuration means for the bridge: resolved, checked, ready to be started.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use aqueduct_bridge::keeper::{Activity, Unattended};
use aqueduct_bridge::push::PushSettings;
use aqueduct_bridge::server::{ServerOptions, Tls};
use aqueduct_bridge::settings::BridgeSettings;
use aqueduct_bridge::trust::TrustProvider;
use aqueduct_bridge::workspace::GitProgram;
use aqueduct_os::resources::machine_name;

use super::agents;
use super::explain::Explainer;
use super::service::ServiceSocket;
use super::trust::Trust;
use super::ui::Ui;
use crate::agents::AgentSearchPath;
use crate::commands::keeper;
use crate::commands::rules::Folders;
use crate::config::{Config, UserEnvironment};
use crate::explained::advice;

/// The settings of the bridge and the options of its server.
pub(super) struct ServePlan {
    pub(super) settings: BridgeSettings,
    pub(super) options: ServerOptions,
    /// Sockets that are listened on already.
    pub(super) sockets: Vec<ServiceSocket>,
}

impl ServePlan {
    /// Resolves and checks. Nothing is started yet; the data folder is made.
    pub(super) fn new(config: &Config, environment: &UserEnvironment) -> anyhow::Result<Self> {
        let tls = tls(config)?;
        for place in &config.listen {
            place.check(tls.is_some(), config.insecure)?;
        }
        let sockets = ServiceSocket::of_this_process(config)?;
        let places = AgentSearchPath::of_this_process()?;
        let (agents, default_agent) = agents::choose(config, environment, &places)?;
        let roots = config.root.iter().map(|root| resolved(root, config)).collect::<anyhow::Result<_>>()?;
        let named = environment.variable("CLAUDE_CONFIG_DIR").map(PathBuf::from);
        let data = environment.variable("XDG_DATA_HOME").map(PathBuf::from);
        let explainer = Explainer::new(Folders::new(environment.home.clone(), named, data));
        let data = data_folder(&config.data_dir)?;
        let trust: Option<Arc<dyn TrustProvider>> = match config.trust_workspace {
            true => None,
            false => Some(Arc::new(Trust::of(environment, &data))),
        };
        let settings = BridgeSettings {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: config.name.clone().or_else(machine_name),
            data,
            keeper: keeper::own().into(),
            agents,
            default_agent,
            roots,
            transcripts: environment.agents_folder().into_iter().collect(),
            idle: config.idle,
            unattended: Unattended {
                activity: Activity::Idle,
                idle: config.idle,
                decision: config.decision_wait,
            },
            limits: config.limits,
            bypass: config.allow_bypass,
            strict_decisions: config.strict_decisions,
            push: PushSettings {
                words: config.push,
                contact: config.push_contact.clone(),
                loopback: config.push_loopback,
                ..PushSettings::default()
            },
            explainer: Some(Arc::new(explainer)),
            git: git(environment, &places),
            trust,
            telemetry: None,
        };
        let options = ServerOptions {
            listen: ServiceSocket::others(&sockets, config),
            tls,
            hosts: config.hosts(),
            automation: config.token.as_ref().map(|secret| secret.token.clone()),
            automation_scope: config.token_scope,
            address: config.address(),
            admin: Some(config.admin_socket()),
            connections: config.limits.clients,
            assets: Some(Arc::new(Ui)),
            ..ServerOptions::default()
        };
        Ok(ServePlan { settings, options, sockets })
    }
}

/// Git as this user has it, with nothing else of the environment.
fn git(environment: &UserEnvironment, places: &AgentSearchPath) -> GitProgram {
    let program = places.program_named("git").map_or_else(|| "git".into(), PathBuf::into_os_string);
    let kept = ["PATH", "HOME", "XDG_CONFIG_HOME"].into_iter();
    let environment =
        kept.filter_map(|name| Some((name.into(), environment.variable(name)?.to_owned()))).collect();
    GitProgram { program, environment }
}

/// The certificates, if there are to be any.
fn tls(config: &Config) -> anyhow::Result<Option<Tls>> {
    match (&config.tls_cert, &config.tls_key) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => Ok(Some(Tls::load(certificate, key)?)),
        (Some(_), None) => bail!(advice("there is a certificate and no key", "give --tls-key too")),
        (None, Some(_)) => bail!(advice("there is a key and no certificate", "give --tls-cert too")),
    }
}

/// The data folder, made for this user alone, and under the one name by which running agents are found again.
fn data_folder(folder: &Path) -> anyhow::Result<PathBuf> {
    let reported = || {
        advice(format!("the data folder {} can't be used", folder.display()), "name another with --data-dir")
    };
    DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(reported)?;
    std::fs::canonicalize(folder).with_context(reported)
}

/// A root with its links resolved.
fn resolved(root: &Path, config: &Config) -> anyhow::Result<PathBuf> {
    let reported = || {
        advice(
            format!("{}: the folder {} can't be a root", config.origin("root"), root.display()),
            "make it, or name another",
        )
    };
    let real = std::fs::canonicalize(root).with_context(reported)?;
    match real.is_dir() {
        true => Ok(real),
        false => Err(anyhow!("it is not a folder")).with_context(reported),
    }
}
