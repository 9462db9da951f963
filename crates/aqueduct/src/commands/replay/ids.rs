//! The ids of the host's requests and prompts, in the frames that are about them.

use std::borrow::Cow;
use std::collections::HashMap;

use aqueduct_wire::json::{Json, ParseError, Reader, Str};

/// Recorded ids and the ones that the host of this replay uses.
#[derive(Debug, Default)]
pub(super) struct Ids {
    requests: HashMap<String, String>,
    /// As they appear in a line, quotes included.
    prompts: Vec<(String, String)>,
}

impl Ids {
    pub(super) fn learn(&mut self, recorded: String, live: String) {
        if recorded != live {
            self.requests.insert(recorded, live);
        }
    }

    /// A prompt of the host came where another was recorded.
    pub(super) fn learn_prompt(&mut self, recorded: &str, live: &str) {
        let quoted = |id: &str| {
            let mut quoted = String::new();
            Str::from(id).write(&mut quoted);
            quoted
        };
        if recorded != live && !recorded.is_empty() {
            self.prompts.push((quoted(recorded), quoted(live)));
        }
    }

    /// The line with the host's own ids in it. That of a request: in an answer's `response`, or as `request_id` of
    /// a frame about a request. That of a prompt: wherever the recorded one is all of a text, since agents name
    /// prompts in many places, and the ids are like nothing else. Nothing else changes.
    pub(super) fn translate<'a>(&self, line: &'a str) -> Cow<'a, str> {
        let mut translated = self.translate_request(line);
        for (recorded, live) in &self.prompts {
            if translated.contains(recorded) {
                translated = Cow::Owned(translated.replace(recorded, live));
            }
        }
        translated
    }

    fn translate_request<'a>(&self, line: &'a str) -> Cow<'a, str> {
        if self.requests.is_empty() {
            return Cow::Borrowed(line);
        }
        match self.find(line) {
            Ok(Some((at, length, live))) => {
                let mut out = String::with_capacity(line.len() + live.len());
                out.push_str(&line[..at]);
                Str::from(live).write(&mut out);
                out.push_str(&line[at + length..]);
                Cow::Owned(out)
            }
            _ => Cow::Borrowed(line),
        }
    }

    /// The position of the id, quotes included, and its new value.
    fn find(&self, line: &str) -> Result<Option<(usize, usize, &str)>, ParseError> {
        let peek = aqueduct_wire::peek(line)?;
        let inside = match peek.kind.as_deref() {
            Some("control_response") => Some("response"),
            Some("control_request" | "control_cancel_request") => return Ok(None),
            _ => None,
        };
        let Some(live) = peek.request_id.as_deref().and_then(|id| self.requests.get(id)) else {
            return Ok(None);
        };
        let mut reader = Reader::new(line);
        let found = match inside {
            Some(member) => member_of(&mut reader, member, line).and_then(|(at, length)| {
                let (inner, length) =
                    member_of(&mut Reader::new(&line[at..at + length]), "request_id", &line[at..])?;
                Some((at + inner, length))
            }),
            None => member_of(&mut reader, "request_id", line),
        };
        Ok(found.map(|(at, length)| (at, length, live.as_str())))
    }
}

/// The text under a name in a line; `None` if there is none.
pub(super) fn text_of(line: &str, name: &str) -> Option<String> {
    let (at, length) = member_of(&mut Reader::new(line), name, line)?;
    Some(Reader::new(&line[at..at + length]).string().ok()?.to_string())
}

/// The position of the last value of a name in this object.
fn member_of<'a>(reader: &mut Reader<'a>, name: &str, line: &'a str) -> Option<(usize, usize)> {
    reader.open_object().ok()?;
    let (mut found, mut first) = (None, true);
    while let Some(key) = reader.next_key(first).ok()? {
        first = false;
        let value = reader.raw().ok()?;
        if key == name {
            let at = value.as_str().as_ptr() as usize - line.as_ptr() as usize;
            found = Some((at, value.as_str().len()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_ids_are_put_in() {
        let mut ids = Ids::default();
        ids.learn("old".into(), "new \"1\"".into());
        for (recorded, played) in [
            (
                r#"{"type":"control_response", "response": {"request_id": "old", "n": 1e2}}"#,
                r#"{"type":"control_response", "response": {"request_id": "new \"1\"", "n": 1e2}}"#,
            ),
            (
                r#"{"type":"system","subtype":"control_request_progress","request_id":"old"}"#,
                r#"{"type":"system","subtype":"control_request_progress","request_id":"new \"1\""}"#,
            ),
        ] {
            assert_eq!(ids.translate(recorded), played);
        }
        for kept in [
            r#"{"type":"control_request","request_id":"old"}"#,
            r#"{"type":"control_response","response":{"request_id":"other"}}"#,
            "no frame",
        ] {
            assert_eq!(ids.translate(kept), kept);
        }
    }

    #[test]
    fn the_hosts_prompts_are_put_in() {
        let mut ids = Ids::default();
        ids.learn_prompt("00000000-0000-4000-8000-000000000001", "live-1");
        ids.learn_prompt("", "live-2");
        assert_eq!(
            ids.translate(
                r#"{"type":"result","result":"","x":["00000000-0000-4000-8000-000000000001"],"y":"\"00000000-0000-4000-8000-000000000001\""}"#
            ),
            r#"{"type":"result","result":"","x":["live-1"],"y":"\"00000000-0000-4000-8000-000000000001\""}"#
        );
    }
}
