//! The events of an answer: what to pass on, and when.

use aqueduct_wire::json::Raw;
use aqueduct_wire::peek;

use crate::error::{Error, ErrorKind};
use crate::sse::Message;

/// The answer so far.
///
/// The beginning of a message is held back until something of its content comes. So a stream that breaks before
/// can be asked for again, and nobody has seen a message that was none. A call over HTTP and one of the script read
/// their events here, so they can't differ in it.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    held: Vec<String>,
    streamed: bool,
    complete: bool,
}

impl Answer {
    /// Whether something of the answer was passed on.
    pub(crate) fn streamed(&self) -> bool {
        self.streamed
    }

    /// Whether the answer has all its parts.
    pub(crate) fn complete(&self) -> bool {
        self.complete
    }

    /// Takes an event of the stream. What is to be passed on is added to `out`.
    pub(crate) fn take(&mut self, message: Message, out: &mut Vec<String>) -> Result<(), Error> {
        let kind = match peek(&message.data) {
            Ok(peek) => peek.kind.map(|kind| kind.into_string()),
            Err(_) if message.name == "error" => Some(message.name),
            Err(_) => return Err(no_event(&message.data)),
        };
        match kind.as_deref() {
            Some("error") => return Err(Error::told(None, &message.data)),
            // A sign of life, and nothing else.
            Some("ping") => return Ok(()),
            Some(_) => {}
            None => return Err(no_event(&message.data)),
        }
        let line = one_line(message.data)?;
        if kind.as_deref() == Some("message_start") && !self.streamed {
            self.held.push(line);
            return Ok(());
        }
        self.streamed = true;
        self.complete = kind.as_deref() == Some("message_stop");
        out.append(&mut self.held);
        out.push(line);
        Ok(())
    }
}

/// The JSON text, checked, in one line. Data of several lines is rare.
fn one_line(data: String) -> Result<String, Error> {
    let Ok(raw) = Raw::parse(&data) else { return Err(no_event(&data)) };
    if raw.as_str().len() == data.len() {
        return Ok(data);
    }
    Ok(raw.as_str().to_owned())
}

fn no_event(data: &str) -> Error {
    let shown: String = data.chars().take(80).collect();
    Error::new(ErrorKind::Server, &format!("its stream holds something that is no event: {shown:?}"))
}
