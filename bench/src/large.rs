//! What large answers, files and transcripts cost the agent: peak memory as a multiple of what has to be held, and
//! the time of the turn.
//!
//! The model is the scripted one inside the agent, so there is nothing beside the agent to measure.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::args::{Args, One};
use crate::memory;
use crate::report::{Report, Table};

const NAME: &str = "large";

const MEGABYTE: u64 = 1 << 20;

/// The session whose transcript is made large.
const SESSION: &str = "3f0c9a52-7d1e-4b86-9a54-0c2d8e1f6e01";

const FLAGS: &[&str] = &[
    "-p",
    "--verbose",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--dangerously-skip-permissions",
];

/// What one case cost.
struct Row {
    name: String,
    /// What has to be held, in bytes.
    held: u64,
    /// The peak beyond that of an agent with nothing to hold, in bytes.
    peak: u64,
    time: Duration,
    /// How many times what is held the peak may be.
    target: f64,
}

/// All work is in another process, so there are no instructions to count.
pub(crate) fn run_one(_: &One) -> Result<()> {
    bail!("the bench {NAME} measures other processes: it has no measurement to run alone")
}

/// Runs the bench.
pub(crate) fn run(args: &Args) -> Result<Report> {
    let program =
        args.agent.as_deref().context("the bench large needs --agent; cargo xtask bench gives it")?;
    let part = if args.quick { 10 } else { 1 };
    let (answer, transcript, file) = (30 * MEGABYTE / part, 200 * MEGABYTE / part, 50 * MEGABYTE / part);
    let (anyway, _) = Agent::start(program, &Place::new()?, &[])?.turn("@say little")?;
    let row = |name: String, held: u64, target: f64, (peak, time): (u64, Duration)| {
        eprintln!("{NAME}: {name}");
        Row { name, held, peak: peak.saturating_sub(anyway), time, target }
    };
    let mut rows = Vec::new();

    let ways: [(&[&str], &str); 2] =
        [(&[], ""), (&["--include-partial-messages"], ", with partial messages")];
    for (flags, how) in ways {
        let cost = Agent::start(program, &Place::new()?, flags)?.turn(&format!("@flood {answer} 4000"))?;
        rows.push(row(format!("{} MB answer{how}", answer / MEGABYTE), answer, 4.5, cost));
    }

    let place = Place::new()?;
    Agent::start(program, &place, &["--session-id", SESSION])?.turn("@say hi")?;
    let path = place.transcript()?;
    let last = grow(&path, transcript)?;
    let resume = || Agent::start(program, &place, &["--resume", SESSION])?.turn("/cost");
    let size = transcript / MEGABYTE;
    rows.push(row(format!("resume a transcript of {size} MB"), transcript, 1.2, resume()?));
    compact(&path, &last)?;
    rows.push(row(format!("resume a transcript of {size} MB, compacted"), transcript, 0.1, resume()?));

    let place = Place::new()?;
    let path = place.project().join("large");
    write_lines(&path, file)?;
    let mut agent = Agent::start(program, &place, &[])?;
    agent.turn(&format!("@tool Read {}", json!({ "file_path": path, "limit": 3 })))?;
    let edit = json!({ "file_path": path, "old_string": "needle", "new_string": "pin" });
    let cost = agent.turn(&format!("@tool Edit {edit}"))?;
    rows.push(row(format!("Edit in a file of {} MB", file / MEGABYTE), file, 3.0, cost));

    let json: Vec<_> = rows.iter().map(Row::json).collect();
    Ok(Report { bench: NAME, how: NAME.to_owned(), text: table(&rows).to_string(), json: json!(json) })
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&["", "held", "peak memory", "× held", "target", "time"]);
    for row in rows {
        let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / MEGABYTE as f64);
        let verdict = if row.times() <= row.target { "met" } else { "**missed**" };
        table.push(vec![
            row.name.clone(),
            megabytes(row.held),
            megabytes(row.peak),
            format!("{:.2}", row.times()),
            format!("≤ {}: {verdict}", row.target),
            format!("{:.2} s", row.time.as_secs_f64()),
        ]);
    }
    table
}

impl Row {
    fn times(&self) -> f64 {
        self.peak as f64 / self.held as f64
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "held_bytes": self.held,
            "peak_bytes": self.peak,
            "times_held": self.times(),
            "target": self.target,
            "seconds": self.time.as_secs_f64(),
        })
    }
}

/// A home and a project.
struct Place(TempDir);

impl Place {
    fn new() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("aqueduct-bench-").tempdir();
        let folder = folder.context("cannot make a directory")?;
        for name in ["home", "project"] {
            fs::create_dir(folder.path().join(name)).context("cannot make a directory")?;
        }
        Ok(Place(folder))
    }

    fn home(&self) -> PathBuf {
        self.0.path().join("home")
    }

    fn project(&self) -> PathBuf {
        self.0.path().join("project")
    }

    /// The transcript of the session.
    fn transcript(&self) -> Result<PathBuf> {
        let folders = fs::read_dir(self.home().join(".claude/projects")).context("no transcripts exist")?;
        let mut files = folders.flatten().map(|folder| folder.path().join(format!("{SESSION}.jsonl")));
        files.find(|file| file.is_file()).context("no transcript exists")
    }
}

/// A running agent.
struct Agent {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Agent {
    fn start(program: &Path, place: &Place, flags: &[&str]) -> Result<Self> {
        let mut process = Command::new(program)
            .args(FLAGS)
            .args(flags)
            .current_dir(place.project())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", place.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let input = process.stdin.take().context("the agent has no stdin")?;
        let output = BufReader::new(process.stdout.take().context("the agent has no stdout")?);
        Ok(Agent { process, input, output })
    }

    /// Sends a prompt and reads to its result; returns the highest memory so far and how long it took.
    fn turn(&mut self, prompt: &str) -> Result<(u64, Duration)> {
        let message = json!({ "type": "user", "message": { "role": "user", "content": prompt } });
        let started = Instant::now();
        writeln!(self.input, "{message}").context("the agent takes no input")?;
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(self.output.read_line(&mut line)? > 0, "the agent ended before its result");
            if line.starts_with("{\"type\":\"result\"") || line.contains(",\"type\":\"result\"") {
                let time = started.elapsed();
                return Ok((memory::peak(self.process.id())?, time));
            }
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // Nothing of it is needed any more.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Adds prompts and answers to a transcript until it has grown by so much; returns the id of the last line.
fn grow(path: &Path, bytes: u64) -> Result<String> {
    let text = fs::read_to_string(path).context("cannot read the transcript")?;
    let of = |kind: &str| -> Result<Value> {
        let line = text.lines().find(|line| line.starts_with(&format!("{{\"type\":\"{kind}\"")));
        Ok(serde_json::from_str(line.context("the transcript has no such line")?)?)
    };
    let (mut user, mut assistant) = (of("user")?, of("assistant")?);
    let mut parent = assistant["uuid"].clone();
    let words = "word ".repeat(4_000);
    let mut out = BufWriter::new(File::options().append(true).open(path)?);
    let (mut written, mut number) = (0, 0);
    while written < bytes {
        let line = if number % 2 == 0 { &mut user } else { &mut assistant };
        let uuid = json!(format!("3f0c9a52-7d1e-4b86-9a54-{number:012}"));
        line["parentUuid"] = std::mem::replace(&mut parent, uuid.clone());
        line["uuid"] = uuid;
        line["message"]["content"] = json!([{ "type": "text", "text": words }]);
        let text = format!("{line}\n");
        out.write_all(text.as_bytes())?;
        written += text.len() as u64;
        number += 1;
    }
    out.flush()?;
    Ok(parent.as_str().unwrap_or_default().to_owned())
}

/// Puts a compaction behind everything in a transcript.
fn compact(path: &Path, last: &str) -> Result<()> {
    let boundary = json!({
        "type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": null,
        "logicalParentUuid": last, "isSidechain": false, "sessionId": SESSION,
    });
    let summary = json!({
        "type": "user", "uuid": "s1", "parentUuid": "b1", "isSidechain": false, "isCompactSummary": true,
        "sessionId": SESSION, "message": { "role": "user", "content": "All that was said." },
    });
    let mut out = File::options().append(true).open(path)?;
    writeln!(out, "{boundary}\n{summary}").context("cannot write the transcript")
}

/// Writes a file of short lines, the last of them another one.
fn write_lines(path: &Path, bytes: u64) -> Result<()> {
    let line = "a line of text that is so long\n";
    let mut out = BufWriter::new(File::create(path)?);
    for _ in 0..bytes / line.len() as u64 {
        out.write_all(line.as_bytes())?;
    }
    writeln!(out, "needle")?;
    out.flush().context("cannot write the file")
}
