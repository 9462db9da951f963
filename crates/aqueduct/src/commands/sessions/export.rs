//! `aqueduct sessions export`: a conversation for elsewhere.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use aqueduct_client::transcript::Format;

use super::place::SessionSelector;

/// Export a conversation as Markdown, HTML or JSON lines
///
/// The HTML page is one file that loads nothing and runs nothing. JSON lines are the session's file as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct sessions export 550e84 > session.md
  aqueduct sessions export 550e84 -o session.html
  aqueduct sessions export 550e84 --format jsonl | wc -l

An export has all messages and tool results of the session, secrets included. Only you can read the file.

Exit code: 0; 2 if the session does not exist or the export can't be written.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: SessionSelector,
    /// The format [default: by the file's extension, or Markdown]
    #[arg(long, value_enum)]
    format: Option<ExportForm>,
    /// Where to write; standard output without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ExportForm {
    /// Markdown
    Md,
    /// A page of its own
    Html,
    /// The lines of the session's file
    Jsonl,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let session = args.which.find()?;
    let form = args.format.or_else(|| of_name(args.output.as_deref()?)).unwrap_or(ExportForm::Md);
    let format = match form {
        ExportForm::Md => Format::Markdown,
        ExportForm::Html => Format::Html,
        ExportForm::Jsonl => Format::Jsonl,
    };
    match &args.output {
        None => session.export(format, &mut BufWriter::new(io::stdout().lock()))?,
        Some(path) => {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(true).mode(0o600);
            let file = options.open(path).with_context(|| format!("can't write {}", path.display()))?;
            let mut out = BufWriter::new(file);
            session.export(format, &mut out)?;
            out.flush().with_context(|| format!("can't write {}", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The format of a file, by its name.
fn of_name(path: &Path) -> Option<ExportForm> {
    match path.extension()?.to_str()? {
        "md" | "markdown" => Some(ExportForm::Md),
        "html" | "htm" => Some(ExportForm::Html),
        "jsonl" | "ndjson" => Some(ExportForm::Jsonl),
        _ => None,
    }
}
