//! Whole sessions as documents.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use aqueduct_client::transcript::{Document, Format};
use jiff::Timestamp;

use super::recents::{FoundTranscript, failed};
use super::{Recents, conversation, document};
use crate::Failure;
use crate::log::{LogError, LogEvent, PageLimits, SessionRecord, Time};
use crate::message::ErrorCode;
use crate::message::bridge::ExportedSession;
use crate::message::client::{ExportFormat, ExportSession};
use crate::outbox::stamped;
use crate::work::Deadline;

/// How large a document may be, and how much is read for it.
const MOST_BYTES: usize = 64 << 20;

/// How much is read of the log at once.
const PAGE: PageLimits = PageLimits { count: 1000, bytes: 4 << 20 };

/// How long the part of a file's name is that holds the title.
const NAME_CHARS: usize = 48;

impl Recents {
    /// A whole session as a document, from the log or from its transcript.
    pub async fn export(&self, request: &ExportSession<'_>) -> Result<ExportedSession<'static>, Failure> {
        let id = request.session_id.as_str().to_owned();
        let form = DocumentFormat::of(&request.format)?;
        let (title, content) = match self.log.session(id.as_str()).await {
            Ok(session) => {
                let events = self.events(&id).await?;
                let title = title(&session);
                let content = self.work.block(move |_| of_log(&session, &events, form)).await?;
                (title, content)
            }
            Err(LogError::NoSession { .. }) => {
                let (transcripts, id) = (Arc::clone(&self.transcripts), id.clone());
                let export = self.work.block(move |deadline| {
                    let shown = transcripts.find(&id, None)?;
                    Ok((shown.summary.title().to_owned(), of_transcript(&shown, form, deadline)?))
                });
                export.await?
            }
            Err(error) => return Err(error.into()),
        };
        let content = String::from_utf8_lossy(&content).into_owned();
        let name = name(&title, &id, form);
        let mut exported = ExportedSession::new(id, request.format.clone().into_owned(), name, content);
        exported.request_id = request.request_id.as_deref().map(|id| id.to_owned().into());
        Ok(exported)
    }

    /// All events of a session.
    async fn events(&self, id: &str) -> Result<Vec<LogEvent>, Failure> {
        let mut pages = self.log.events_after(id, 0, PAGE);
        let (mut events, mut bytes) = (Vec::new(), 0);
        while let Some(page) = pages.next_page().await? {
            bytes += page.events.iter().map(|event| event.payload.len()).sum::<usize>();
            if bytes > MOST_BYTES {
                return Err(too_large());
            }
            events.extend(page.events);
        }
        Ok(events)
    }
}

/// The forms that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DocumentFormat {
    Markdown,
    Html,
    Messages,
}

impl DocumentFormat {
    fn of(format: &ExportFormat<'_>) -> Result<Self, Failure> {
        match format {
            ExportFormat::Markdown => Ok(DocumentFormat::Markdown),
            ExportFormat::Html => Ok(DocumentFormat::Html),
            ExportFormat::Jsonl => Ok(DocumentFormat::Messages),
            other => {
                let message = format!("Unknown format {}", other.as_str());
                Err(Failure::new(ErrorCode::InvalidMessage, message).sentence("Use markdown, html or jsonl."))
            }
        }
    }

    fn ending(self) -> &'static str {
        match self {
            DocumentFormat::Markdown => "md",
            DocumentFormat::Html => "html",
            DocumentFormat::Messages => "jsonl",
        }
    }
}

fn of_log(session: &SessionRecord, events: &[LogEvent], form: DocumentFormat) -> Result<Vec<u8>, Failure> {
    let mut out = BoundedWriter::default();
    let mut document = match form {
        DocumentFormat::Markdown => Document::markdown(&mut out),
        DocumentFormat::Html => Document::html(&mut out),
        DocumentFormat::Messages => {
            for event in events {
                let message = stamped(&event.payload, &session.id, event.seq, event.time);
                writeln!(out, "{message}").map_err(|_| too_large())?;
            }
            return Ok(out.bytes);
        }
    };
    let about = [
        ("Session", Some(session.id.clone())),
        ("Folder", Some(session.project.clone())),
        ("Agent", Some(session.agent.clone())),
        ("Model", session.model.clone()),
        ("Begun", timestamp(session.created)),
        ("Last used", timestamp(session.updated)),
    ];
    let about: Vec<_> = about.into_iter().filter_map(|(what, value)| Some((what, value?))).collect();
    let mut write = || {
        document.begin(&title(session), &about)?;
        document::write(&mut document, events)
    };
    write().and_then(|()| document.end()).map_err(|_| too_large())?;
    Ok(out.bytes)
}

fn of_transcript(
    shown: &FoundTranscript,
    form: DocumentFormat,
    deadline: Deadline,
) -> Result<Vec<u8>, Failure> {
    let mut out = BoundedWriter::default();
    let format = match form {
        DocumentFormat::Markdown => Format::Markdown,
        DocumentFormat::Html => Format::Html,
        DocumentFormat::Messages => {
            let (mut seq, mut written) = (0, Ok(()));
            conversation::each(shown, deadline, |event| {
                seq += 1;
                let message = stamped(&event.payload, &shown.summary.id, seq, event.time.unwrap_or(Time(0)));
                written = writeln!(out, "{message}");
                if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
            written.map_err(|_| too_large())?;
            return Ok(out.bytes);
        }
    };
    match shown.session.export(format, &mut out) {
        Ok(()) => Ok(out.bytes),
        Err(_) if out.is_full => Err(too_large()),
        Err(error) => Err(failed(error)),
    }
}

/// Takes so much and no more.
#[derive(Debug, Default)]
struct BoundedWriter {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for BoundedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MOST_BYTES {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn title(session: &SessionRecord) -> String {
    let names = [&session.name, &session.title, &session.first_prompt];
    let name = names.into_iter().flatten().find(|name| !name.trim().is_empty());
    name.and_then(|name| name.trim().lines().next()).unwrap_or("Session").to_owned()
}

/// A name for a file: the title as far as it can be in one, and the beginning of the id.
fn name(title: &str, id: &str, form: DocumentFormat) -> String {
    let mut name: String = title
        .chars()
        .map(|char| if char.is_alphanumeric() { char } else { '-' })
        .take(NAME_CHARS)
        .collect::<String>()
        .split('-')
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    if !name.is_empty() {
        name.push('-');
    }
    let id: String = id.chars().take(8).filter(char::is_ascii_alphanumeric).collect();
    format!("{name}{id}.{}", form.ending())
}

/// A time for people, to the minute, in the time of Greenwich: a document is read anywhere.
fn timestamp(time: Time) -> Option<String> {
    let text = Timestamp::from_millisecond(time.0).ok()?.to_string();
    Some(format!("{} {} UTC", text.get(..10)?, text.get(11..16)?))
}

fn too_large() -> Failure {
    let message = format!("The session is too large for one document: more than {} MB", MOST_BYTES >> 20);
    Failure::new(ErrorCode::SessionTooLarge, message).sentence("Page through it with get_history.")
}
