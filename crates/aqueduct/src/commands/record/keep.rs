//! Writes a recording, on a thread of its own.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use aqueduct_wire::json::Raw;
use aqueduct_wire::recording::{RecordingContent, RecordingLine};

use super::cut::{CutLine, Cutter};
use super::dir::Dir;
use crate::output;
use crate::redact;

/// Something that went by.
#[derive(Debug)]
pub(super) struct RecordEvent {
    /// Since the start.
    pub(super) t: Duration,
    pub(super) dir: Dir,
    pub(super) what: RecordEventKind,
}

#[derive(Debug)]
pub(super) enum RecordEventKind {
    Bytes(Box<[u8]>),
    /// The stream has ended.
    End,
    Remark(String),
    /// Nothing more is to be kept.
    Finish,
}

/// Records until it is asked to finish. A file that can't be written is reported once.
pub(super) fn keep(events: &Receiver<RecordEvent>, file: impl Write, raw: bool, limit: usize) {
    let mut keeper = RecordWriter::new(io::BufWriter::new(file), raw, limit);
    loop {
        let event = match events.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Empty) => {
                // Nothing is waiting, so what is there can go to the disk.
                keeper.flush();
                let Ok(event) = events.recv() else { break };
                event
            }
            Err(TryRecvError::Disconnected) => break,
        };
        if matches!(event.what, RecordEventKind::Finish) {
            break;
        }
        keeper.take(&event);
    }
    keeper.flush();
}

struct RecordWriter<W> {
    out: W,
    raw: bool,
    is_broken: bool,
    cutters: [Cutter; 3],
}

impl<W: Write> RecordWriter<W> {
    fn new(out: W, raw: bool, limit: usize) -> Self {
        let cutters = [Cutter::new(limit), Cutter::new(limit), Cutter::new(limit)];
        RecordWriter { out, raw, is_broken: false, cutters }
    }

    fn take(&mut self, event: &RecordEvent) {
        let (t, dir) = (event.t, event.dir);
        match &event.what {
            RecordEventKind::Bytes(bytes) => self.cut(t, dir, Some(bytes)),
            RecordEventKind::End => self.cut(t, dir, None),
            RecordEventKind::Remark(text) => {
                let content = RecordingContent::Text(text.as_str().into());
                self.write(&RecordingLine::at(t, dir.into(), content));
            }
            RecordEventKind::Finish => {}
        }
    }

    /// Cuts a piece into lines; without one the stream has ended.
    fn cut(&mut self, t: Duration, dir: Dir, piece: Option<&[u8]>) {
        let index = dir as usize % self.cutters.len();
        let mut cutter = std::mem::replace(&mut self.cutters[index], Cutter::new(0));
        match piece {
            Some(piece) => cutter.take(piece, |cut| self.line(t, dir, &cut, false)),
            None => {
                cutter.finish(|cut| self.line(t, dir, &cut, true));
            }
        }
        self.cutters[index] = cutter;
    }

    fn line(&mut self, t: Duration, dir: Dir, cut: &CutLine<'_>, is_cut: bool) {
        let content = match cut {
            CutLine::TooLong(bytes) => {
                RecordingContent::LeftOut(format!("line of {bytes} bytes left out").into())
            }
            CutLine::Line(bytes) => {
                let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
                match std::str::from_utf8(bytes) {
                    Ok(text) if text.trim().is_empty() => return,
                    Ok(text) => self.text(dir, text),
                    Err(_) => self.bytes(bytes),
                }
            }
        };
        let mut line = RecordingLine::at(t, dir.into(), content);
        line.cut = is_cut.then_some(true);
        self.write(&line);
    }

    fn text<'t>(&self, dir: Dir, text: &'t str) -> RecordingContent<'t> {
        if matches!(dir, Dir::In | Dir::Out)
            && let RecordingContent::Frame(frame) = RecordingContent::of(text)
        {
            return RecordingContent::Frame(if self.raw { frame } else { without_secrets(frame) });
        }
        RecordingContent::Text(self.harmless(text).into())
    }

    /// Bytes that are not text. Where a secret is readable in them, the readable part is stored instead.
    fn bytes(&self, bytes: &[u8]) -> RecordingContent<'static> {
        match self.harmless(&String::from_utf8_lossy(bytes)) {
            Cow::Owned(text) => RecordingContent::Text(text.into()),
            Cow::Borrowed(_) => RecordingContent::Bytes(bytes.to_vec()),
        }
    }

    /// A text without its secrets.
    fn harmless<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.raw {
            return Cow::Borrowed(text);
        }
        // A log line can be JSON as well.
        if aqueduct_wire::peek(text).is_ok() { redact::json(text) } else { redact::text(text) }
    }

    fn write(&mut self, line: &RecordingLine<'_>) {
        if !self.is_broken {
            let written = self.out.write_all((line.to_line() + "\n").as_bytes());
            self.note(written);
        }
    }

    fn flush(&mut self) {
        if !self.is_broken {
            let flushed = self.out.flush();
            self.note(flushed);
        }
    }

    fn note(&mut self, written: io::Result<()>) {
        if let Err(error) = written {
            self.is_broken = true;
            output::remark(&format!(
                "the recording stops here: {error}. The program continues; free space or choose another file with -o"
            ));
        }
    }
}

/// A frame without its secrets.
fn without_secrets(frame: Raw<'_>) -> Raw<'_> {
    let redacted = match redact::json(frame.as_str()) {
        Cow::Borrowed(_) => None,
        // What is redacted is still JSON; if it were not, the secret would still not be kept.
        Cow::Owned(text) => Some(Raw::parse(&text).map_or(Raw::NULL, Raw::into_owned)),
    };
    redacted.unwrap_or(frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(raw: bool, pieces: &[(Dir, &[u8])]) -> String {
        let mut out = Vec::new();
        let mut keeper = RecordWriter::new(&mut out, raw, 64);
        for (dir, piece) in pieces {
            keeper.take(&RecordEvent {
                t: Duration::from_millis(1500),
                dir: *dir,
                what: RecordEventKind::Bytes((*piece).into()),
            });
        }
        for dir in [Dir::In, Dir::Out, Dir::Err] {
            keeper.take(&RecordEvent { t: Duration::from_secs(2), dir, what: RecordEventKind::End });
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_of_every_sort() {
        let long = [b'x'; 65];
        insta::assert_snapshot!(kept(false, &[
            (Dir::In, b"{\"type\": \"user\",\"n\":1e2}\r\n\n"),
            (Dir::Out, b"{\"api_key\":"),
            (Dir::Err, b"{\"a\":1} Bearer abcdef123\n"),
            (Dir::Err, b"{\"token\":\"x\"}\n"),
            (Dir::Out, b"\"x\"}\n\xff\xfe\n\xff API_KEY=abc123\n"),
            (Dir::Out, &long),
            (Dir::Out, b"y\nlast"),
        ]), @r#"
        {"t":1.500000,"dir":"in","msg":{"type": "user","n":1e2}}
        {"t":1.500000,"dir":"err","text":"{\"a\":1} [redacted]"}
        {"t":1.500000,"dir":"err","text":"{\"token\":\"[redacted]\"}"}
        {"t":1.500000,"dir":"out","msg":{"api_key":"[redacted]"}}
        {"t":1.500000,"dir":"out","bytes":"//4="}
        {"t":1.500000,"dir":"out","text":"� API_KEY=[redacted]"}
        {"t":1.500000,"dir":"out","note":"line of 66 bytes left out"}
        {"t":2.000000,"dir":"out","text":"last","cut":true}
        "#);
    }

    #[test]
    fn raw_keeps_secrets() {
        let line = kept(true, &[(Dir::Out, b"{\"api_key\":\"x\"}\n")]);
        assert_eq!(line, "{\"t\":1.500000,\"dir\":\"out\",\"msg\":{\"api_key\":\"x\"}}\n");
    }

    #[test]
    fn a_full_disk_stops_the_recording_and_nothing_else() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut keeper = RecordWriter::new(Full, false, 64);
        for _ in 0..2 {
            keeper.take(&RecordEvent {
                t: Duration::ZERO,
                dir: Dir::Out,
                what: RecordEventKind::Bytes(b"a\n"[..].into()),
            });
            assert!(keeper.is_broken);
        }
    }
}
