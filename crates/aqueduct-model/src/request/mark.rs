//! Marks that end what the prompt cache keeps.
//!
//! A mark requests that the prompt up to here is cached. The API accepts few of them, so they are where
//! prompts of one conversation differ: behind the tools, behind the system prompt, and behind the last two
//! things that the user sent. The older of the two is where the last call's cache ends, the newer is where
//! the next one will begin.

use aqueduct_wire::json::Raw;
use memchr::memmem;

use super::{Request, RequestRole};

/// How many marks the API takes.
const MOST_MARKS: usize = 4;

/// The member that is a mark.
pub(super) const MARK: &str = r#""cache_control":{"type":"ephemeral"}"#;

/// Where marks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks {
    /// On the last part of the system prompt.
    pub(super) system: bool,
    /// On the last tool.
    pub(super) tools: bool,
    /// On the last block of these messages.
    pub(super) messages: [Option<usize>; 2],
}

impl Marks {
    /// Where marks go in a request. Those that its messages and tools already bear count: who set them knows
    /// why.
    pub(super) fn of(request: &Request) -> Self {
        let own = request.messages.iter().map(|message| marks_in(&message.content)).sum::<usize>()
            + request.tools.iter().filter_map(|tool| tool.raw()).map(marks_in).sum::<usize>();
        let mut left = MOST_MARKS.saturating_sub(own);
        let mut take = |wanted: bool| {
            let taken = wanted && left > 0;
            left -= usize::from(taken);
            taken
        };
        let mut users = (0..request.messages.len()).rev().filter(|index| {
            let message = &request.messages[*index];
            message.role == RequestRole::User && can_be_marked(&message.content)
        });
        let newest = users.next().filter(|_| take(true));
        Marks {
            system: take(!request.system.is_empty()),
            tools: take(request.tools.last().is_some_and(|tool| tool.raw().is_none_or(can_be_marked))),
            messages: [newest, users.next().filter(|_| take(true))],
        }
    }
}

/// Writes a message's content with a mark on its last block. The text before is copied, not read: only a
/// string becomes a block, because strings bear no marks.
pub(super) fn write_marked(out: &mut String, content: &Raw<'_>) {
    let text = content.as_str();
    if text.starts_with('"') {
        out.push_str(r#"[{"type":"text","text":"#);
        out.push_str(text);
        out.push(',');
        out.push_str(MARK);
        out.push_str("}]");
        return;
    }
    let Some(at) = text.rfind('}') else { return out.push_str(text) };
    out.push_str(&text[..at]);
    if !text[..at].trim_end().ends_with('{') {
        out.push(',');
    }
    out.push_str(MARK);
    out.push_str(&text[at..]);
}

/// Whether a mark can be put on the value: a string, an object, or a list whose last item is an object; and
/// none of them marked already.
fn can_be_marked(content: &Raw<'_>) -> bool {
    let text = content.as_str();
    let last = text.strip_suffix(']').map_or(text, str::trim_end);
    let object_or_string = last.ends_with('}') || (text.starts_with('"') && text.len() > r#""""#.len());
    object_or_string && marks_in(content) == 0
}

/// How many marks a value bears. What merely looks like one counts too: then there is one mark less than
/// there could be, and never one too many.
fn marks_in(content: &Raw<'_>) -> usize {
    memmem::find_iter(content.as_str().as_bytes(), r#""cache_control""#).count()
}
