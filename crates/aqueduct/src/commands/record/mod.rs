//! `aqueduct record`: a tap between a host and its agent.

mod cut;
mod dir;
mod keep;
mod tap;

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

use crate::explained::advice;

/// Run a program and record its input and output
///
/// The program's stdin, stdout and stderr are passed through untouched and at once, whatever they hold. Both
/// sides are kept in FILE, a line of JSON for each line that went by, with its time. Put it where a host
/// starts its agent; then look at the recording with `aqueduct wire view`, check it with `aqueduct wire
/// check`, and play the agent's side with `aqueduct replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct record -o session.jsonl -- claude -p hello --output-format stream-json --verbose
  aqueduct record -o session.jsonl --force -- my-agent --input-format stream-json

Keys, tokens, passwords and the like are written to FILE as \"[redacted]\"; the program and its host see them
unchanged. What is kept is kept before it is passed on, so that a cause precedes its effect; if the disk
is slower than the program, the program waits. If FILE can't be written any more, this is reported once on stderr
and the program continues without a recording. Blank lines are not kept, and of a line over 64 MiB only its
length. SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are handed to the program. What others write
after the program has ended is not waited for.

Exit code: that of the program; 128 and the signal's number if a signal ended it; 2 if it could not be run.")]
pub(crate) struct Args {
    /// The file to write the recording to
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Do not redact secrets
    #[arg(long)]
    raw: bool,
    /// Overwrite FILE if it exists
    #[arg(long)]
    force: bool,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let file = create(&args.output, args.force)?;
    let Some((program, arguments)) = args.command.split_first() else {
        bail!(advice("no program to run", "give it after --"));
    };
    tap::run(program, arguments, file, args.raw)
}

/// Makes the file. What went by may hold secrets that nothing recognises, so only its owner may read it.
fn create(path: &Path, force: bool) -> anyhow::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let hint = if !force && path.exists() { "it is there already; --force overwrites it" } else { "see -o" };
    options.open(path).with_context(|| format!("can't make {} ({hint})", path.display()))
}
