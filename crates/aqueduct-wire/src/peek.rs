//! A look at a frame without building it.

use crate::json::{Fault, ParseError, Reader, Str};

/// What is needed to send a frame on its way: to which conversation, request or subagent it belongs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Peek<'a> {
    /// `type`
    pub kind: Option<Str<'a>>,
    /// `subtype`; for control frames the one inside `request` or `response`.
    pub subtype: Option<Str<'a>>,
    /// `session_id`
    pub session_id: Option<Str<'a>>,
    /// `request_id`; for control responses the one inside `response`.
    pub request_id: Option<Str<'a>>,
    /// `parent_tool_use_id`
    pub parent_tool_use_id: Option<Str<'a>>,
}

/// Reads what routing needs from a line: its members one after the other, without looking into the values
/// of those it passes over. So an error means that the line is not a frame, but a line without an error may
/// still turn out to be none. Members that are not strings count as absent, and of a name that occurs
/// twice the last counts.
///
/// ```
/// let line = r#"{"type":"system","subtype":"init","session_id":"s-1","tools":["Bash"]}"#;
/// let peek = aqueduct_wire::peek(line)?;
/// assert_eq!(peek.kind.as_deref(), Some("system"));
/// assert_eq!(peek.session_id.as_deref(), Some("s-1"));
/// # Ok::<(), aqueduct_wire::json::ParseError>(())
/// ```
pub fn peek(line: &str) -> Result<Peek<'_>, ParseError> {
    let mut reader = Reader::new(line);
    if reader.peek() != Some(b'{') {
        reader.raw()?;
        reader.end()?;
        return Err(ParseError::NotAnObject);
    }
    let mut peek = Peek::default();
    let mut envelope = None;
    members(&mut reader, |key, reader| {
        let slot = match key {
            "type" => &mut peek.kind,
            "subtype" => &mut peek.subtype,
            "session_id" => &mut peek.session_id,
            "request_id" => &mut peek.request_id,
            "parent_tool_use_id" => &mut peek.parent_tool_use_id,
            "request" | "response" if reader.peek() == Some(b'{') => {
                envelope = Some(reader.mark());
                return reader.skim();
            }
            _ => return reader.skim(),
        };
        text_or_none(reader, slot)
    })?;
    reader.end()?;
    if let Some(envelope) = envelope
        && matches!(peek.kind.as_deref(), Some("control_request" | "control_response"))
    {
        reader.reset(envelope);
        members(&mut reader, |key, reader| match key {
            "subtype" => text_or_none(reader, &mut peek.subtype),
            "request_id" => text_or_none(reader, &mut peek.request_id),
            _ => reader.skim(),
        })?;
    }
    Ok(peek)
}

/// Visits the members of the object here.
#[inline(always)]
fn members<'a>(
    reader: &mut Reader<'a>,
    mut visit: impl FnMut(&str, &mut Reader<'a>) -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    reader.open_object().map_err(parse_error)?;
    let mut first = true;
    while let Some(key) = reader.next_key(first)? {
        first = false;
        visit(&key, reader)?;
    }
    Ok(())
}

#[inline(always)]
fn text_or_none<'a>(reader: &mut Reader<'a>, slot: &mut Option<Str<'a>>) -> Result<(), ParseError> {
    *slot = None;
    if reader.peek() != Some(b'"') {
        return reader.skim();
    }
    *slot = Some(reader.string().map_err(parse_error)?);
    Ok(())
}

/// The error of a read that can't misfit, because the first byte was looked at before.
fn parse_error(fault: Fault) -> ParseError {
    match fault {
        Fault::Parse(error) => error,
        Fault::Misfit(_) | Fault::Retag => ParseError::NotAnObject,
    }
}
