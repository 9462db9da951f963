//! `aqueduct status`: the running bridge, its sessions, what waits, and what it uses.

mod page;
mod watch;

use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::Context;
use aqueduct_bridge::log::LogError;
use aqueduct_bridge::message::bridge::BridgeStatus;
use aqueduct_os::privacy::check_folder;
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use crate::bridge::{Admin, other_version};
use crate::config::{BridgeLocation, Config, UserEnvironment};
use crate::output::{self, TerminalInfo};

/// The exit code where no bridge runs, as `systemctl status` has it.
const NOT_RUNNING: u8 = 3;

/// Show the bridge, its sessions, what waits, and what it uses
///
/// It asks the running bridge of the data folder. Decisions that sessions wait for are listed with their age.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct status
  aqueduct status --watch
  aqueduct status --json | jq '.status.waiting'

Exit code: 0 when the bridge is ready; 1 if it runs and one of its checks fails; 3 if it does not run; 2 if it could not be
asked.")]
pub(crate) struct Args {
    /// Show it again every second until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Print JSON; with --watch a line each time
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

/// The bridge of a data folder.
struct Found {
    /// Its answer as it came, with members that this program may not know.
    text: String,
    status: BridgeStatus<'static>,
}

/// What is needed to look at a bridge again and again.
struct StatusQuery {
    config: Config,
    environment: UserEnvironment,
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let query = StatusQuery { config: args.place.load()?, environment: UserEnvironment::of_this_process()? };
    if args.watch {
        return watch::run(&query, args.json, screen);
    }
    let found = query.look()?;
    if args.json {
        output::text(&format!("{:#}\n", query.json(found.as_ref())?))?;
    } else {
        match &found {
            Some(found) => output::text(&query.page(found, screen))?,
            None => output::remark(&query.absence()),
        }
    }
    Ok(match found {
        Some(found) if found.status.readiness.ready => ExitCode::SUCCESS,
        Some(_) => ExitCode::from(1),
        None => ExitCode::from(NOT_RUNNING),
    })
}

impl StatusQuery {
    /// Asks the bridge; `None` if none runs.
    fn look(&self) -> anyhow::Result<Option<Found>> {
        if !self.config.data_dir.exists() {
            return Ok(None);
        }
        // No other process may answer for the bridge.
        check_folder(&self.config.data_dir).map_err(LogError::NotPrivate)?;
        let Some(admin) = Admin::connect(&self.config.admin_socket())? else { return Ok(None) };
        let text = admin.ask("GET", "/status", None)?;
        let raw = Raw::parse(&text)?;
        let status = raw.view::<BridgeStatus<'_>>();
        let status = status.context(other_version())?.into_owned();
        drop(raw);
        Ok(Some(Found { text, status }))
    }

    fn page(&self, found: &Found, screen: &TerminalInfo) -> String {
        page::page(
            &found.status,
            env!("CARGO_PKG_VERSION"),
            &self.config.data_dir,
            &self.environment,
            SystemTime::now(),
            screen,
        )
    }

    /// The same for programs.
    fn json(&self, found: Option<&Found>) -> anyhow::Result<Value> {
        let mut value = json!({ "running": found.is_some(), "dataDir": self.config.data_dir });
        if let Some(found) = found {
            value["status"] = serde_json::from_str(&found.text)?;
        }
        Ok(value)
    }

    /// What to do where no bridge runs.
    fn absence(&self) -> String {
        let folder = self.environment.shown(&self.config.data_dir);
        format!(
            "no bridge runs with the data folder {folder}; start it with aqueduct serve, or name another --data-dir"
        )
    }
}
