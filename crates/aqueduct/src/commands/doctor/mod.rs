//! `aqueduct doctor`: what is installed, what is wrong, and how to fix it.

mod agent;
mod bridge;
mod check;
mod files;
mod model;
mod service;
mod storage;
mod trust;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use self::check::CheckStatus;
use crate::agents::AgentSearchPath;
use crate::config::{self, Config, ConfigLayer};
use crate::explained::advice;
use crate::output::{self, TerminalInfo};

/// Check the installation and suggest fixes
///
/// Shows which agents there are and what they can do, whether the built-in one has a model, whether settings can be
/// read and files be written, whether the disk has room, and whether the bridge runs, or could: its configuration, its port, its unit of systemd.
/// Agents are started and asked who they are, without a prompt. Keys are only looked for: neither shown nor sent. Nothing outside this machine is
/// contacted.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct doctor
  aqueduct doctor --json | jq '.checks[] | select(.status != \"ok\")'

Exit code: 0 when all is well or could be better; 1 if something does not work; 2 if it could not be looked at.")]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The folder to check [default: the current folder]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
}

/// What is known of the machine.
struct DoctorContext {
    cwd: PathBuf,
    /// The folder of settings and transcripts.
    config: Option<PathBuf>,
    places: AgentSearchPath,
}

impl DoctorContext {
    fn of_this_process(cwd: Option<PathBuf>) -> anyhow::Result<Self> {
        let cwd = match cwd {
            Some(folder) => folder,
            None => std::env::current_dir()
                .context(advice("cannot determine the current folder", "name it with --cwd"))?,
        };
        let folder = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let home = std::env::home_dir();
        let below_home = |path: &str| home.as_ref().map(|home| home.join(path));
        Ok(DoctorContext {
            config: folder("CLAUDE_CONFIG_DIR").or_else(|| below_home(".claude")),
            places: AgentSearchPath::of_this_process()?,
            cwd,
        })
    }
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let environment = DoctorContext::of_this_process(args.cwd.clone())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("can't start the runtime")?;
    let mut checks = runtime.block_on(agent::check(&environment));
    checks.extend(model::check(&|name| std::env::var(name).ok().filter(|value| !value.is_empty())));
    let known = config::UserEnvironment::of_this_process()?;
    let config = Config::load(&known, &ConfigLayer::default(), None);
    let data = config.as_ref().ok().map(|config| config.data_dir.clone()).or_else(|| known.data_folder());
    checks.extend(files::check(&environment, data.as_deref()));
    checks.push(trust::check(&environment.cwd, &known));
    checks.extend(config.as_ref().ok().and_then(storage::check));
    let is_running = config.as_ref().is_ok_and(bridge::is_running);
    checks.extend(bridge::check(&known, config));
    let user = known.variable("USER").or_else(|| known.variable("LOGNAME")).and_then(|name| name.to_str());
    checks.extend(runtime.block_on(service::check(&environment, user, is_running)));
    match args.json {
        true => output::text(&format!("{}\n", serde_json::to_string_pretty(&check::as_json(&checks))?))?,
        false => output::text(&check::readable(&checks, screen))?,
    }
    let fails = checks.iter().any(|check| check.status == CheckStatus::Fail);
    Ok(ExitCode::from(u8::from(fails)))
}
