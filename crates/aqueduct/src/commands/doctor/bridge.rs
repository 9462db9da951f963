//! The bridge: its configuration, whether it runs, and whether it could listen.

use std::net::{SocketAddr, TcpListener};

use aqueduct_bridge::message::bridge::{BridgeStatus, ReadinessCheck, ReadinessSubject, SessionStatus};
use aqueduct_bridge::server::Listen;
use aqueduct_wire::json::Raw;
use serde_json::Value;

use super::check::{CheckStatus, DoctorCheck};
use crate::bridge::Admin;
use crate::config::{Config, UserEnvironment};
use crate::explained::explained;

const SUBJECT: &str = "bridge";

/// Looks at the configuration of `aqueduct serve`, and at the bridge that runs with it.
pub(super) fn check(environment: &UserEnvironment, config: anyhow::Result<Config>) -> Vec<DoctorCheck> {
    let config = match config {
        Ok(config) => config,
        Err(error) => {
            let next = "fix it; aqueduct serve --print-config shows what is in force";
            return vec![DoctorCheck::fail("config", explained(&error), next)];
        }
    };
    let mut checks = vec![match (&config.file, environment.config_file()) {
        (Some(file), _) => DoctorCheck::ok("config", format!("{} can be read", file.display())),
        (None, Some(file)) => {
            DoctorCheck::ok("config", format!("{} is not there, and need not be", file.display()))
        }
        (None, None) => DoctorCheck::ok("config", "no home folder, so no configuration file"),
    }];
    match running(&config) {
        Some(check) => {
            let is_answering = check.status != CheckStatus::Fail;
            checks.push(check);
            if is_answering {
                checks.extend(state(&config));
            }
        }
        None => {
            checks.push(DoctorCheck::ok(SUBJECT, "it does not run; aqueduct serve starts it"));
            let addresses = config.listen.iter().filter_map(|place| match place {
                Listen::Tcp(address) => Some(*address),
                Listen::Unix(_) => None,
            });
            checks.extend(addresses.map(port));
        }
    }
    checks
}

/// Whether a bridge runs with this configuration.
pub(super) fn is_running(config: &Config) -> bool {
    matches!(Admin::connect(&config.admin_socket()), Ok(Some(_)))
}

/// The bridge that runs, if one does.
fn running(config: &Config) -> Option<DoctorCheck> {
    let next =
        "see its output where it was started; if it hangs, stop it and start it again: agents keep running";
    let hello = match Admin::connect(&config.admin_socket()) {
        Ok(None) => return None,
        Ok(Some(admin)) => admin.ask("GET", "/hello", None),
        Err(error) => Err(error),
    };
    let hello = hello.and_then(|text| Ok(serde_json::from_str::<Value>(&text)?));
    Some(match hello {
        Ok(hello) => {
            let text = |name: &str| hello[name].as_str().unwrap_or_default().to_owned();
            let (version, ours) = (text("version"), env!("CARGO_PKG_VERSION"));
            let found = format!("version {version} runs, with {}", config.data_dir.display());
            let check = match version == ours {
                true => DoctorCheck::ok(SUBJECT, found),
                false => DoctorCheck::warn(
                    SUBJECT,
                    found,
                    format!("restart it to run {ours}: agents keep running meanwhile"),
                ),
            };
            check.with_detail(hello["agents"].clone())
        }
        Err(error) => {
            DoctorCheck::fail(SUBJECT, format!("it runs and does not answer: {}", explained(&error)), next)
        }
    })
}

/// The checks of a bridge that runs, and its sessions that failed. A bridge of an earlier version does not report them.
fn state(config: &Config) -> Vec<DoctorCheck> {
    let asked =
        Admin::connect(&config.admin_socket()).ok().flatten().map(|admin| admin.ask("GET", "/status", None));
    let Some(Ok(text)) = asked else { return Vec::new() };
    let Ok(raw) = Raw::parse(&text) else { return Vec::new() };
    let Some(status) = raw.view::<BridgeStatus<'_>>() else { return Vec::new() };
    let data = config.data_dir.display().to_string();
    let failing = status.readiness.checks.iter().filter(|check| !check.ok);
    let mut checks: Vec<DoctorCheck> = failing.map(|check| unready(check, &data)).collect();
    if checks.is_empty() {
        checks.push(DoctorCheck::ok(
            "ready",
            "the log accepts writes, the listeners accept connections, the disk has space",
        ));
    }
    checks.extend(failures(&status));
    for session in &status.sessions {
        if !matches!(session.status, SessionStatus::Failed | SessionStatus::Unreachable) {
            continue;
        }
        let id = session.session_id.as_str();
        let reason = session.error.as_deref().unwrap_or("no reason is known");
        let next = match session.status {
            SessionStatus::Failed => {
                format!("aqueduct logs {id} shows what happened; the next input tries again")
            }
            _ => format!(
                "aqueduct logs {id} shows what happened; aqueduct stop --agents ends a process that hangs"
            ),
        };
        checks.push(DoctorCheck::warn(
            "session",
            format!("{id} is {}: {reason}", session.status.as_str()),
            next,
        ));
    }
    checks
}

/// What to do about kinds of failures.
const REMEDIES: &[(&str, &str)] = &[
    (
        "agent_start",
        "aqueduct status names the session, aqueduct logs SESSION shows why; aqueduct doctor checks each agent",
    ),
    (
        "agent_crash",
        "aqueduct status names the session, aqueduct logs SESSION shows why; the next input resumes it",
    ),
    (
        "agent_timeout",
        "aqueduct logs SESSION shows what the agent does; aqueduct stop --agents ends one that hangs",
    ),
    (
        "keeper_lost",
        "aqueduct logs SESSION shows what happened; look for a lack of memory: journalctl -k | grep -i oom",
    ),
    (
        "keeper_unreachable",
        "aqueduct logs SESSION shows what happened; aqueduct stop --agents ends a process that hangs",
    ),
    ("keeper_unusable", "look at the disk of the data folder: df -h, ls -l"),
    ("keeper_stalled", "make space on the disk of the data folder: df -h"),
    ("output_unreadable", "look for errors of the disk: journalctl -k"),
    ("disk_full", "make space on the disk of the data folder: df -h"),
    ("storage_read_only", "look at the rights and the mount of the data folder: ls -l, findmnt -T"),
    ("storage_io", "look for errors of the disk: journalctl -k"),
    ("storage_damaged", "aqueduct stop, then restore a backup of the data folder"),
    ("storage_lost", "put the data folder in order, then aqueduct stop; aqueduct serve: agents keep running"),
    ("storage_error", "aqueduct status shows the error; please report it"),
    ("request_failed", "aqueduct status shows the error; please report it"),
    ("accept", "raise the limit of open files, with ulimit -n 65536 or LimitNOFILE=65536 in the unit"),
    ("too_many_connections", "raise it with --max-clients, or find the client: ss -tnp"),
    (
        "tls_reload",
        "fix the files of --tls-cert and --tls-key, then systemctl reload aqueduct or send SIGHUP",
    ),
    ("revocation_unsaved", "make space on the disk of the data folder, then check aqueduct devices"),
];

/// Failures since the bridge was started that an operator can do something about.
fn failures(status: &BridgeStatus<'_>) -> Vec<DoctorCheck> {
    let totals = status.failures.iter().flatten();
    let checks = totals.filter_map(|total| {
        let remedy = REMEDIES.iter().find(|remedy| remedy.0 == total.kind.as_str())?.1;
        let message = total.message.as_deref().unwrap_or("it failed");
        let times = if total.count == 1 { "once".to_owned() } else { format!("{} times", total.count) };
        Some(DoctorCheck::warn(
            "failure",
            format!("{} ({times} since the start): {message}", total.kind),
            remedy,
        ))
    });
    checks.collect()
}

/// A check of the bridge that failed, and the command that fixes it.
fn unready(check: &ReadinessCheck<'_>, data: &str) -> DoctorCheck {
    let found = check.message.as_deref().unwrap_or("a check failed").to_owned();
    let next = match check.check {
        ReadinessSubject::Log => format!(
            "look at the folder and its disk: ls -l {data}; df -h {data}. If a file was removed or replaced, put it back, then \
             restart the bridge: aqueduct stop; aqueduct serve. Agents keep running"
        ),
        ReadinessSubject::Listener => {
            "raise the limit of open files, with ulimit -n 65536 or LimitNOFILE=65536 in the \
             unit, and restart the bridge: agents keep running"
                .to_owned()
        }
        ReadinessSubject::Disk => format!("make space on the disk of {data}: df -h {data}; du -sh {data}/*"),
        _ => "aqueduct status shows the state of the bridge".to_owned(),
    };
    DoctorCheck::fail("ready", found, next)
}

/// Whether a bridge could listen there.
fn port(address: SocketAddr) -> DoctorCheck {
    match TcpListener::bind(address) {
        Ok(_) => DoctorCheck::ok("port", format!("{address} is free for aqueduct serve")),
        Err(error) => DoctorCheck::warn(
            "port",
            format!("{address} can't be listened on: {error}"),
            "end what listens there, or give aqueduct serve another address with --listen",
        ),
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_bridge::failures::FailureKind;

    use super::*;

    #[test]
    fn remedies_are_for_failures_that_exist() {
        for (kind, _) in REMEDIES {
            assert!(FailureKind::ALL.iter().any(|known| known.name() == *kind), "{kind}");
        }
    }
    use crate::commands::doctor::check::CheckStatus;

    #[test]
    fn a_port_that_is_taken_is_reported() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        assert_eq!(port(address).status, CheckStatus::Warn);
        // The system picks a free one for this; the one above may be in use by another program as soon as it
        // is released.
        assert_eq!(port(([127, 0, 0, 1], 0).into()).status, CheckStatus::Ok);
    }
}
