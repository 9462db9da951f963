//! `aqueduct wire check`: every line parsed and written back.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use aqueduct_wire::codec::{DEFAULT_LINE_LIMIT, Line, LineError};
use aqueduct_wire::recording::{RecordingContent, RecordingDirection, RecordingLine};

use super::findings::LineProblemKind;
use super::kind::Side;
use super::survey::FrameSurvey;
use super::{report, report_json};
use crate::input::{InputStream, LineSink};
use crate::output::{self, TerminalInfo};

/// Check a stream: every line parsed, written back and compared
///
/// Reads a stream of frames, one JSON object a line, or a recording made by `aqueduct record`, and reports
/// what kinds of frames are in it, what in them this version does not know, and what is wrong with them. Run
/// it on a recording of a new version of an agent to see what has changed. The events of Gemini CLI are
/// recognized by their content and checked as well.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct wire check session.jsonl
  claude -p hello --output-format stream-json --verbose | aqueduct wire check
  aqueduct wire check --json session.jsonl | jq '.unknown_fields[].path'

A fault is a line that is not a frame, a frame of an unknown type or subtype, a frame of a known kind that lacks
what makes it one, or a frame that differs when it is written back. Unknown members and names are
drift: they are kept and passed on, and reported.

--json prints one object: ok, lines, bytes, frames, faults (numbers), kinds, bad_lines, round_trip_faults,
unknown_kinds, misfits, unknown_fields, unexpected_shapes, unknown_names (lists; each entry has line, and where
it applies kind, path, count, family, wanted, and a name or example), left_out. Members are only ever added.

Exit code: 0 no fault, 1 a fault (or drift, with --strict), 2 the check could not be run.")]
pub(crate) struct Args {
    /// A stream or a recording; - is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    /// Which side the frames of a plain stream come from
    #[arg(long, value_enum, default_value = "auto")]
    from: SideChoice,
    /// Let drift fail the check too
    #[arg(long)]
    strict: bool,
    /// The longest line to read, in bytes; a longer one is a fault and costs no memory
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LINE_LIMIT)]
    line_limit: usize,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum SideChoice {
    /// Decided for every frame by its kind
    Auto,
    /// All are the agent's
    Agent,
    /// All are the host's
    Host,
}

pub(super) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let input = InputStream::open(&args.file)?;
    let side = match args.from {
        SideChoice::Auto => None,
        SideChoice::Agent => Some(Side::Agent),
        SideChoice::Host => Some(Side::Host),
    };
    let mut check = WireCheck {
        survey: FrameSurvey::default(),
        side,
        progress: screen.progress.then(|| CheckProgress {
            size: input.size,
            shown: Instant::now(),
            is_shown: false,
        }),
    };
    let read = input.read(args.line_limit, &mut check);
    if check.progress.is_some_and(|progress| progress.is_shown) {
        output::progress("");
    }
    read?;
    let findings = &check.survey.findings;
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        report_json::write(findings, args.strict, &mut out)?;
    } else {
        report::write(findings, args.strict, screen, &mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::from(u8::from(findings.failed(args.strict))))
}

struct WireCheck {
    survey: FrameSurvey,
    /// The side of a plain stream's frames, if the caller passes it.
    side: Option<Side>,
    progress: Option<CheckProgress>,
}

impl LineSink for WireCheck {
    fn line(&mut self, line: Result<Line<'_>, LineError>) -> anyhow::Result<bool> {
        self.survey.findings.lines += 1;
        match line {
            Ok(line) => self.text(&line),
            Err(error) => {
                let (LineError::TooLong { number, .. } | LineError::NotUtf8 { number, .. }) = error else {
                    return Ok(true);
                };
                self.survey.findings.fault(number, LineProblemKind::BadLine(describe(&error)));
            }
        }
        Ok(true)
    }

    fn pause(&mut self, bytes_read: u64) -> anyhow::Result<()> {
        self.survey.findings.bytes = bytes_read;
        if let Some(progress) = &mut self.progress {
            progress.show(bytes_read);
        }
        Ok(())
    }
}

impl WireCheck {
    fn text(&mut self, line: &Line<'_>) {
        let number = line.number;
        // Nearly all frames begin like this, and no line of a recording does.
        let entry =
            if line.text.starts_with("{\"type\"") { None } else { RecordingLine::recognize(line.text) };
        let Some(entry) = entry else { return self.frame(number, line.text, self.side, line.terminated) };
        let side = match entry.dir {
            RecordingDirection::In => Side::Host,
            RecordingDirection::Out => Side::Agent,
            _ => return,
        };
        match entry.content() {
            Some(RecordingContent::Frame(raw)) => self.frame(number, raw.as_str(), Some(side), true),
            Some(RecordingContent::Text(text)) if text.trim().is_empty() => {}
            Some(RecordingContent::Text(text)) => self.frame(number, &text, Some(side), !entry.is_cut()),
            Some(RecordingContent::Bytes(_)) => {
                self.survey.findings.fault(number, LineProblemKind::BadLine("not UTF-8".to_owned()));
            }
            Some(RecordingContent::LeftOut(why)) => {
                self.survey.findings.fault(number, LineProblemKind::BadLine(why.into_string()))
            }
            _ => {}
        }
    }

    fn frame(&mut self, number: u64, text: &str, side: Option<Side>, terminated: bool) {
        if let Err(error) = self.survey.line(number, text, side) {
            let what = match terminated {
                true => error.to_string(),
                false => format!("cut off: the input ends inside this line ({error})"),
            };
            self.survey.findings.fault(number, LineProblemKind::BadLine(what));
        }
    }
}

fn describe(error: &LineError) -> String {
    match error {
        LineError::TooLong { bytes, limit, .. } => {
            format!("too long: {bytes} bytes, over the limit of {limit}; --line-limit sets another")
        }
        LineError::NotUtf8 { offset, .. } => format!("not UTF-8 from byte {offset} on"),
        other => other.to_string(),
    }
}

/// How far a long check is.
struct CheckProgress {
    size: Option<u64>,
    shown: Instant,
    is_shown: bool,
}

impl CheckProgress {
    fn show(&mut self, bytes: u64) {
        if self.shown.elapsed() < Duration::from_millis(250) {
            return;
        }
        self.shown = Instant::now();
        self.is_shown = true;
        let megabytes = bytes / 1_000_000;
        match self.size {
            Some(size) if size > 0 => {
                output::progress(&format!("checked {megabytes} MB, {} %", bytes * 100 / size));
            }
            _ => output::progress(&format!("checked {megabytes} MB")),
        }
    }
}
