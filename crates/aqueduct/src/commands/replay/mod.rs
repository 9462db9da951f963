//! `aqueduct replay`: a recording's agent side, played.

mod host;
mod ids;
mod play;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::explained::advice;

/// Replay the agent's side of a recording, for tests and for work on hosts
///
/// Prints the agent's output, with its pauses, and ends with its exit code. Where the recording has
/// a line to the agent, it waits for a line of the same kind on stdin: a user message for a user message, a
/// control request of the same subtype, the answer to the agent's own request. The ids of the host's requests
/// and prompts are put into what was recorded, so a real host can't distinguish it from the agent.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct replay session.jsonl
  aqueduct replay session.jsonl --instant --no-wait > stream.jsonl
  my-host --agent 'aqueduct replay session.jsonl --speed 4'

Arguments behind FILE that are none of these are ignored: hosts add those of the agent.
Lines on stdin that are not waited for are set aside with a remark on stderr, and used later if they fit.
When stdin ends, what follows up to the next wait is played, and that is the end. A plain stream has nothing
to wait for and no times: it is printed as it is. The first exit in the recording ends the replay. Blank lines and keep_alive frames are never waited for.

Exit code: the recorded one; 0 if none was recorded or stdin ended early; 2 if FILE can't be played.")]
pub(crate) struct Args {
    /// A recording or a plain stream; a recording may not come from stdin
    file: PathBuf,
    /// How many times faster than recorded
    #[arg(long, value_name = "N", default_value = "1", value_parser = speed)]
    speed: f64,
    /// Replay without pauses
    #[arg(long, conflicts_with = "speed")]
    instant: bool,
    /// Don't wait for lines on stdin
    #[arg(long)]
    no_wait: bool,
    /// Arguments that a host passes to the agent; ignored
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _of_the_host: Vec<OsString>,
}

fn speed(text: &str) -> anyhow::Result<f64> {
    match text.parse::<f64>() {
        Ok(speed) if speed.is_finite() && speed > 0.0 => Ok(speed),
        _ => anyhow::bail!("give a number above 0, such as 4 or 0.5"),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let is_stdin = args.file.as_os_str() == "-";
    if is_stdin && !args.no_wait {
        anyhow::bail!(advice("stdin is the host's side", "give the recording as a file, or add --no-wait"));
    }
    play::play(&args.file, if args.instant { None } else { Some(args.speed) }, !args.no_wait)
}
