//! `aqueduct backup`: a data folder in one file, while the bridge runs.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use aqueduct_bridge::backup::{self, BackupRequest, CreatedBackup};
use aqueduct_bridge::log::Time;

use super::transfer::{self, TransferProgress};
use crate::config::{BridgeLocation, UserEnvironment};
use crate::explained::advice;
use crate::output::{self, TerminalInfo};
use crate::terminal::plain;

/// Back up the bridge's data into one file
///
/// The bridge may run meanwhile: everything that it has acknowledged before is in the backup, sessions with their messages,
/// inputs that wait, decisions, devices, subscriptions to notifications, and output of agents that is not in the log yet.
/// The configuration, projects, and the agents' own transcripts (~/.claude/projects) are elsewhere and not in it.
///
/// A backup contains secrets: conversations, the key for notifications, and who has access. It is written for you alone,
/// and gets its name when it is whole. It is a tar archive, and not compressed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct backup ~/backups/aqueduct.tar
  aqueduct backup --replace /mnt/disk/aqueduct.tar
  aqueduct backup - | zstd | ssh box 'umask 077; cat > aqueduct.tar.zst'
  aqueduct restore --check ~/backups/aqueduct.tar

Exit code: 0 when it is written; 2 if it could not be.")]
pub(crate) struct Args {
    /// Where to write it; - for standard output
    file: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    replace: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let config = args.place.load()?;
    let request =
        BackupRequest { data: &config.data_dir, program: env!("CARGO_PKG_VERSION"), created: Time::now() };
    let mut progress = TransferProgress::new(screen, args.json);
    let is_stream = args.file.as_os_str() == "-";
    let created = match is_stream {
        true => {
            if args.json {
                bail!(advice("standard output is the backup", "name a file, or leave out --json"));
            }
            if io::stdout().is_terminal() {
                bail!(advice("a backup is not text for a terminal", "name a file, or redirect the output"));
            }
            backup::create_stream(&request, io::stdout().lock(), &mut |step| progress.show(step))
        }
        false => backup::create_file(&request, &args.file, args.replace, &mut |step| progress.show(step)),
    };
    progress.clear();
    let created = created?;
    let shown = transfer::shown(&args.file);
    match args.json {
        true => output::text(&format!("{}\n", json(&created, &shown)))?,
        false => {
            let written = if is_stream { "wrote the backup".to_owned() } else { format!("wrote {shown}") };
            output::remark(&format!(
                "{written}: {}",
                transfer::summary(&created.counts, &created.manifest, true)
            ));
            output::remark("it contains secrets: keep it as safe as the data folder");
            if !created.left_out.is_empty() {
                let environment = UserEnvironment::of_this_process()?;
                output::remark(&format!(
                    "not in it, since the bridge has no use for it: {} in {}",
                    transfer::listed(&created.left_out),
                    plain(&environment.shown(&config.data_dir))
                ));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn json(created: &CreatedBackup, file: &str) -> serde_json::Value {
    let mut value = transfer::json(&created.header, &created.manifest, &created.counts);
    value["file"] = file.into();
    value["leftOut"] = created.left_out.clone().into();
    value
}
