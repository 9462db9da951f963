//! Writes a recording, on a thread of its own.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use super::cut::{CutLine, Cutter};
use crate::base64;
use crate::output;
use crate::recording::{self, Dir};
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
    line: String,
}

impl<W: Write> RecordWriter<W> {
    fn new(out: W, raw: bool, limit: usize) -> Self {
        let cutters = [Cutter::new(limit), Cutter::new(limit), Cutter::new(limit)];
        RecordWriter { out, raw, is_broken: false, cutters, line: String::new() }
    }

    fn take(&mut self, event: &RecordEvent) {
        let (t, dir) = (event.t.as_secs_f64(), event.dir);
        match &event.what {
            RecordEventKind::Bytes(bytes) => self.cut(t, dir, Some(bytes)),
            RecordEventKind::End => self.cut(t, dir, None),
            RecordEventKind::Remark(text) => {
                self.line.clear();
                recording::open(&mut self.line, t, dir);
                recording::string_member(&mut self.line, "text", text);
                self.write();
            }
            RecordEventKind::Finish => {}
        }
    }

    /// Cuts a piece into lines; without one the stream has ended.
    fn cut(&mut self, t: f64, dir: Dir, piece: Option<&[u8]>) {
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

    fn line(&mut self, t: f64, dir: Dir, cut: &CutLine<'_>, is_cut: bool) {
        self.line.clear();
        recording::open(&mut self.line, t, dir);
        match cut {
            CutLine::TooLong(bytes) => {
                recording::string_member(&mut self.line, "note", &format!("line of {bytes} bytes left out"));
            }
            CutLine::Line(bytes) => {
                let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
                match std::str::from_utf8(bytes) {
                    Ok(text) if text.trim().is_empty() => return,
                    Ok(text) => self.text(dir, text),
                    Err(_) => self.bytes(bytes),
                }
            }
        }
        if is_cut {
            self.line.push_str(",\"cut\":true");
        }
        self.write();
    }

    fn text(&mut self, dir: Dir, text: &str) {
        if matches!(dir, Dir::In | Dir::Out) && recording::is_frame(text) {
            self.line.push_str("\"msg\":");
            self.line.push_str(&if self.raw { text.into() } else { redact::json(text) });
        } else {
            let text = self.harmless(text);
            recording::string_member(&mut self.line, "text", &text);
        }
    }

    /// Bytes that are not text. Where a secret is readable in them, the readable part is stored instead.
    fn bytes(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        match self.harmless(&text) {
            Cow::Owned(text) => recording::string_member(&mut self.line, "text", &text),
            Cow::Borrowed(_) => recording::string_member(&mut self.line, "bytes", &base64::encode(bytes)),
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

    /// Ends the line and writes it.
    fn write(&mut self) {
        self.line.push_str("}\n");
        if !self.is_broken {
            let written = self.out.write_all(self.line.as_bytes());
            self.note(written);
        }
        if self.line.capacity() > 1 << 20 {
            self.line = String::new();
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
