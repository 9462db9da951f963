//! Plays the agent's side, line by line.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use aqueduct_wire::codec::{DEFAULT_LINE_LIMIT, Line, LineError};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::recording::{RecordingContent, RecordingDirection, RecordingLine};

use super::host::{HostLine, LineSubject, ReplayHost};
use super::ids::Ids;
use crate::input::{InputStream, LineSink};
use crate::output;

/// What a recording adds to a frame's own length and nesting.
const ENVELOPE: usize = 1 << 10;

pub(super) fn play(file: &Path, speed: Option<f64>, waits: bool) -> anyhow::Result<ExitCode> {
    let input = InputStream::open(file)?;
    let mut player = Player {
        out: io::stdout(),
        host: waits.then(ReplayHost::listen),
        ids: Ids::default(),
        speed,
        last: 0.0,
        code: 0,
    };
    input.read(DEFAULT_LINE_LIMIT + ENVELOPE, &mut player)?;
    player.out.flush()?;
    Ok(ExitCode::from(player.code))
}

struct Player<W> {
    out: W,
    host: Option<ReplayHost>,
    ids: Ids,
    /// How many times faster than recorded; `None` for no pauses at all.
    speed: Option<f64>,
    /// The time of the last line that was played or waited for.
    last: f64,
    code: u8,
}

impl<W: Write> LineSink for Player<W> {
    fn line(&mut self, line: Result<Line<'_>, LineError>) -> anyhow::Result<bool> {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                output::remark(&format!("replay: {}", error.advised()));
                return Ok(true);
            }
        };
        match RecordingLine::recognize(line.text) {
            Some(entry) => self.entry(&entry),
            None => {
                self.print(line.text.as_bytes(), line.terminated)?;
                Ok(true)
            }
        }
    }
}

impl<W: Write> Player<W> {
    /// Plays a line of a recording; `false` where the agent ends.
    fn entry(&mut self, entry: &RecordingLine<'_>) -> anyhow::Result<bool> {
        let (t, is_whole) = (entry.seconds(), !entry.is_cut());
        let Some(content) = entry.content() else { return Ok(true) };
        match (&entry.dir, content) {
            (RecordingDirection::In, RecordingContent::Frame(raw)) => return Ok(self.wait(t, raw.as_str())),
            (RecordingDirection::In, RecordingContent::Text(text)) => return Ok(self.wait(t, &text)),
            (RecordingDirection::Note, RecordingContent::Text(text)) => return Ok(self.note(entry, &text)),
            (dir @ (RecordingDirection::Out | RecordingDirection::Err), content) => {
                self.pause(t);
                let bytes = match content {
                    RecordingContent::Frame(raw) => {
                        self.ids.translate(raw.as_str()).into_owned().into_bytes()
                    }
                    RecordingContent::Text(text) => text.into_string().into_bytes(),
                    RecordingContent::Bytes(bytes) => bytes,
                    RecordingContent::LeftOut(why) => {
                        output::remark(&format!("replay: not in the recording: {why}"));
                        return Ok(true);
                    }
                    _ => return Ok(true),
                };
                match dir {
                    RecordingDirection::Err => output::pass_stderr(&bytes, is_whole),
                    _ => self.print(&bytes, is_whole)?,
                }
            }
            _ => {}
        }
        Ok(true)
    }

    fn note(&mut self, entry: &RecordingLine<'_>, text: &str) -> bool {
        if let Some(code) = entry.exit_code() {
            self.code = code;
            return false;
        }
        if text == "stdin closed"
            && let Some(host) = &mut self.host
        {
            host.wait_for_end();
        }
        true
    }

    /// Waits for what the host sent here; returns whether it arrived.
    fn wait(&mut self, t: f64, recorded: &str) -> bool {
        let (Some(host), Some(recorded)) = (&mut self.host, HostLine::new(recorded)) else {
            self.pause(t);
            return true;
        };
        let Some(received) = host.wait_for(&recorded.subject) else { return false };
        let is_prompt = received.is_prompt();
        if let (LineSubject::Frame { .. }, Some(recorded), Some(live)) =
            (&received.subject, recorded.id, received.id)
        {
            match is_prompt {
                true => self.ids.learn_prompt(&recorded, &live),
                false => self.ids.learn(recorded, live),
            }
        }
        self.last = t;
        true
    }

    fn pause(&mut self, t: f64) {
        if let Some(speed) = self.speed
            && let Ok(pause) = Duration::try_from_secs_f64((t - self.last) / speed)
        {
            thread::sleep(pause);
        }
        self.last = t;
    }

    fn print(&mut self, line: &[u8], terminated: bool) -> io::Result<()> {
        self.out.write_all(line)?;
        if terminated {
            self.out.write_all(b"\n")?;
        }
        self.out.flush()
    }
}
