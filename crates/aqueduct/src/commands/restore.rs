//! `aqueduct restore`: a data folder of a backup.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use aqueduct_bridge::backup::{self, RestoreRequest};
use aqueduct_bridge::log::Time;

use super::transfer::{self, TransferProgress};
use crate::config::{BridgeLocation, UserEnvironment};
use crate::explained::advice;
use crate::output::{self, TerminalInfo};
use crate::terminal::plain;

/// Restore the bridge's data from a backup
///
/// The bridge must not run, and none of its agents. The whole backup is unpacked beside the data folder and checked, its
/// checksums, its version and its database, before anything is changed. A data folder with data is replaced with --replace
/// alone, in one step, and stays beside the new one under the name that is printed.
///
/// Restore only backups that you made: who can change one can add devices that have access. Devices that were revoked since
/// the backup stay revoked where the old data is there to show it; otherwise check aqueduct devices.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct restore ~/backups/aqueduct.tar
  aqueduct restore --check ~/backups/aqueduct.tar
  aqueduct stop --agents && aqueduct restore --replace ~/backups/aqueduct.tar
  zstd -d < aqueduct.tar.zst | aqueduct restore --data-dir ~/bridges/work -

Exit code: 0 when it is restored, or checked and sound; 2 if it could not be: then nothing has changed.")]
pub(crate) struct Args {
    /// The backup; - for standard input
    file: PathBuf,
    /// Replace data that is there, and keep it beside
    #[arg(long, conflicts_with = "check")]
    replace: bool,
    /// Only check the backup
    #[arg(long)]
    check: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let config = args.place.load()?;
    let environment = UserEnvironment::of_this_process()?;
    let source = open(&args.file)?;
    let data = &config.data_dir;
    let mut progress = TransferProgress::new(screen, args.json);
    progress.expect(source.size);
    if args.check {
        let checked = backup::check(data, source.content, &mut |step| progress.show(step));
        progress.clear();
        let checked = checked?;
        match args.json {
            true => {
                let value = transfer::json(&checked.header, &checked.manifest, &checked.counts);
                output::text(&format!("{value}\n"))?;
            }
            false => output::remark(&format!(
                "the backup is sound: {}, of {}",
                transfer::summary(&checked.counts, &checked.manifest, true),
                transfer::when(checked.header.created)
            )),
        }
        return Ok(ExitCode::SUCCESS);
    }
    let request = RestoreRequest { data, replace: args.replace, now: Time::now() };
    let restored = backup::restore(&request, source.content, &mut |step| progress.show(step));
    progress.clear();
    let restored = restored?;
    let (header, counts) = (&restored.backup.header, &restored.backup.counts);
    if args.json {
        let mut value = transfer::json(header, &restored.backup.manifest, counts);
        value["dataDir"] = data.to_string_lossy().into();
        value["old"] = restored.old.as_ref().map(|old| old.to_string_lossy().into_owned()).into();
        value["revoked"] = restored.revoked.into();
        output::text(&format!("{value}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::remark(&format!(
        "restored {}: {}, of {}",
        plain(&environment.shown(data)),
        transfer::summary(counts, &restored.backup.manifest, false),
        transfer::when(header.created)
    ));
    match &restored.old {
        Some(old) => {
            let old = plain(&environment.shown(old));
            output::remark(&format!("the data that was there is in {old}: remove it when you don't need it"));
            let devices = transfer::counted(restored.revoked, "device", "devices");
            if restored.revoked > 0 {
                output::remark(&format!("{devices} that were revoked since the backup stay revoked"));
            }
        }
        None => output::remark(
            "devices that were revoked since the backup have access again: check aqueduct devices before you start it",
        ),
    }
    Ok(ExitCode::SUCCESS)
}

/// What a backup is read from.
struct BackupSource {
    content: Box<dyn Read>,
    size: Option<u64>,
}

fn open(path: &Path) -> anyhow::Result<BackupSource> {
    if path.as_os_str() == "-" {
        return Ok(BackupSource { content: Box::new(io::stdin().lock()), size: None });
    }
    let failed = || {
        let path = plain(&path.to_string_lossy());
        advice(
            format!("can't read {path}"),
            "name a file that aqueduct backup wrote, or - for standard input",
        )
    };
    let file = File::open(path).with_context(failed)?;
    let metadata = file.metadata().with_context(failed)?;
    if metadata.is_file() && metadata.mode() & 0o077 != 0 {
        let path = plain(&path.to_string_lossy());
        output::remark(&format!(
            "other users of this machine can read {path}, which contains secrets: chmod 600 it"
        ));
    }
    let size = metadata.is_file().then_some(metadata.len());
    Ok(BackupSource { content: Box::new(io::BufReader::with_capacity(256 << 10, file)), size })
}
