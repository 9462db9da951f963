//! `aqueduct sessions rename`, `tag` and `fork`.

use std::process::ExitCode;

use aqueduct_client::transcript::ForkOptions;

use super::place::SessionSelector;
use super::row::short;
use crate::output;
use crate::terminal::plain;

/// Give a session a title
///
/// The title is appended to the session's file, where every program that lists sessions finds it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions rename 550e84 \"The red build\"

Exit code: 0; 2 if the session does not exist or it can't be written.")]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    which: SessionSelector,
    /// The title, in up to 200 characters
    title: String,
}

pub(super) fn rename(args: &RenameArgs) -> anyhow::Result<ExitCode> {
    let session = args.which.find()?;
    session.rename(&args.title)?;
    output::text(&format!("{} is now called {}\n", short(session.id()), plain(args.title.trim())))?;
    Ok(ExitCode::SUCCESS)
}

/// Put a mark on a session, or take it away
///
/// A session has one tag at most; `list --tag` lists those that have it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions tag 550e84 keep
  aqueduct sessions tag 550e84 --clear
  aqueduct sessions list --tag keep

Exit code: 0; 2 if the session does not exist or it can't be written.")]
pub(crate) struct TagArgs {
    #[command(flatten)]
    which: SessionSelector,
    /// The tag, in up to 64 characters
    #[arg(required_unless_present = "clear", conflicts_with = "clear")]
    tag: Option<String>,
    /// Take the tag away
    #[arg(long)]
    clear: bool,
}

pub(super) fn tag(args: &TagArgs) -> anyhow::Result<ExitCode> {
    let session = args.which.find()?;
    session.tag(args.tag.as_deref())?;
    let done = match &args.tag {
        Some(tag) => format!("{} is tagged {}\n", short(session.id()), plain(tag.trim())),
        None => format!("{} has no tag\n", short(session.id())),
    };
    output::text(&done)?;
    Ok(ExitCode::SUCCESS)
}

/// Copy a conversation into a session of its own
///
/// The copy can be resumed and take another way; the original stays as it is. Prints the copy's id.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions fork 550e84
  aqueduct sessions fork 550e84 --until 8eef3892-743b-4dda-b694-69706fe036ca --title \"Another way\"
  claude --resume $(aqueduct sessions fork 550e84)

Exit code: 0; 2 if the session or message does not exist, or the copy can't be written.")]
pub(crate) struct ForkArgs {
    #[command(flatten)]
    which: SessionSelector,
    /// Copy up to this message, by its uuid
    #[arg(long, value_name = "UUID")]
    until: Option<String>,
    /// The copy's title; without it the original's, with a remark
    #[arg(long)]
    title: Option<String>,
}

pub(super) fn fork(args: &ForkArgs) -> anyhow::Result<ExitCode> {
    let mut options = match &args.until {
        Some(uuid) => ForkOptions::until(uuid.as_str()),
        None => ForkOptions::default(),
    };
    if let Some(title) = &args.title {
        options = options.titled(title.as_str());
    }
    let copy = args.which.find()?.fork(&options)?;
    output::text(&format!("{}\n", copy.id()))?;
    Ok(ExitCode::SUCCESS)
}
