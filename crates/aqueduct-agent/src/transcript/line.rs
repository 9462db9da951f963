use aqueduct_wire::json::Raw;
use jiff::Timestamp;

use super::Stamp;
use super::stamp::{member, raw_member};

/// A `user` line: what the user said, or what a tool gave back.
#[derive(Debug, Clone)]
pub(crate) struct UserLine<'a> {
    /// The line's id, which is the frame's too.
    pub(crate) uuid: &'a str,
    /// The message.
    pub(crate) message: &'a Raw<'a>,
    /// When; now, where there is none.
    pub(crate) timestamp: Option<&'a str>,
    /// The prompt that this line belongs to.
    pub(crate) prompt_id: Option<&'a str>,
    /// Not the user's words, but for the model.
    pub(crate) is_meta: bool,
    /// The summary that stands for what was compacted.
    pub(crate) is_compact_summary: bool,
    /// The structured result of a tool.
    pub(crate) tool_use_result: Option<&'a Raw<'a>>,
    /// The assistant line whose call this answers.
    pub(crate) source_tool_assistant_uuid: Option<&'a str>,
    /// The permission mode at that time.
    pub(crate) permission_mode: Option<&'a str>,
}

impl<'a> UserLine<'a> {
    /// A line with what it must have.
    pub(crate) fn new(uuid: &'a str, message: &'a Raw<'a>) -> Self {
        UserLine {
            uuid,
            message,
            timestamp: None,
            prompt_id: None,
            is_meta: false,
            is_compact_summary: false,
            tool_use_result: None,
            source_tool_assistant_uuid: None,
            permission_mode: None,
        }
    }

    pub(super) fn write(&self, parent: Option<&str>, stamp: &Stamp, now: Timestamp) -> String {
        let mut out = open(parent);
        optional(&mut out, "promptId", self.prompt_id);
        member(&mut out, "type", "user");
        raw_member(&mut out, "message", self.message.as_str());
        flag(&mut out, "isMeta", self.is_meta);
        flag(&mut out, "isVisibleInTranscriptOnly", self.is_compact_summary);
        flag(&mut out, "isCompactSummary", self.is_compact_summary);
        identify(&mut out, self.uuid, self.timestamp, now);
        optional(&mut out, "permissionMode", self.permission_mode);
        if let Some(result) = self.tool_use_result {
            raw_member(&mut out, "toolUseResult", result.as_str());
        }
        optional(&mut out, "sourceToolAssistantUUID", self.source_tool_assistant_uuid);
        close(out, stamp)
    }
}

/// An `assistant` line: one block of the model's answer, or an error in its place.
#[derive(Debug, Clone)]
pub(crate) struct AssistantLine<'a> {
    /// The line's id, which is the frame's too.
    pub(crate) uuid: &'a str,
    /// The message; lines of one answer share its id.
    pub(crate) message: &'a Raw<'a>,
    /// When; now, where there is none.
    pub(crate) timestamp: Option<&'a str>,
    /// The id of the request to the model.
    pub(crate) request_id: Option<&'a str>,
    /// The name of the error that stands in the answer's place.
    pub(crate) error: Option<&'a str>,
    /// The message is not the model's: it says why there is none. It is not sent to the model.
    pub(crate) is_api_error_message: bool,
    /// The user interrupted the answer.
    pub(crate) is_aborted: bool,
}

impl<'a> AssistantLine<'a> {
    /// A line with what it must have.
    pub(crate) fn new(uuid: &'a str, message: &'a Raw<'a>) -> Self {
        AssistantLine {
            uuid,
            message,
            timestamp: None,
            request_id: None,
            error: None,
            is_api_error_message: false,
            is_aborted: false,
        }
    }

    pub(super) fn write(&self, parent: Option<&str>, stamp: &Stamp, now: Timestamp) -> String {
        let mut out = open(parent);
        raw_member(&mut out, "message", self.message.as_str());
        optional(&mut out, "requestId", self.request_id);
        optional(&mut out, "error", self.error);
        flag(&mut out, "isApiErrorMessage", self.is_api_error_message);
        member(&mut out, "type", "assistant");
        identify(&mut out, self.uuid, self.timestamp, now);
        flag(&mut out, "isAbortedMidStream", self.is_aborted);
        close(out, stamp)
    }
}

/// A `system` line: something that happened to the conversation.
#[derive(Debug, Clone)]
pub(crate) struct SystemLine<'a> {
    /// The line's id, which is the frame's too.
    pub(crate) uuid: &'a str,
    /// What happened. A `compact_boundary` begins a new chain.
    pub(crate) subtype: &'a str,
    /// The same for people.
    pub(crate) content: Option<&'a str>,
    /// When; now, where there is none.
    pub(crate) timestamp: Option<&'a str>,
    /// `info`, `warning`, `error`.
    pub(crate) level: Option<&'a str>,
    /// Of a `compact_boundary`: what was compacted, and why.
    pub(crate) compact_metadata: Option<&'a Raw<'a>>,
    /// Of a `compact_boundary`: the lists that the model keeps. What they were made from is behind it.
    pub(crate) lists: Option<&'a Raw<'a>>,
}

impl<'a> SystemLine<'a> {
    /// The subtype at which a chain ends.
    pub(super) const BOUNDARY: &'static str = "compact_boundary";

    /// The member that holds the model's lists. Other programs pass over it.
    pub(super) const LISTS: &'static str = "aqueductLists";

    /// A line with what it must have.
    pub(crate) fn new(uuid: &'a str, subtype: &'a str) -> Self {
        SystemLine {
            uuid,
            subtype,
            content: None,
            timestamp: None,
            level: None,
            compact_metadata: None,
            lists: None,
        }
    }

    pub(super) fn write(&self, parent: Option<&str>, stamp: &Stamp, now: Timestamp) -> String {
        let mut out;
        if self.subtype == Self::BOUNDARY {
            out = "{\"parentUuid\":null".to_owned();
            optional(&mut out, "logicalParentUuid", parent);
            raw_member(&mut out, "isSidechain", "false");
        } else {
            out = open(parent);
        }
        member(&mut out, "type", "system");
        member(&mut out, "subtype", self.subtype);
        optional(&mut out, "content", self.content);
        raw_member(&mut out, "isMeta", "false");
        optional(&mut out, "level", self.level);
        if let Some(metadata) = self.compact_metadata {
            raw_member(&mut out, "compactMetadata", metadata.as_str());
        }
        if let Some(lists) = self.lists {
            raw_member(&mut out, Self::LISTS, lists.as_str());
        }
        identify(&mut out, self.uuid, self.timestamp, now);
        close(out, stamp)
    }
}

fn open(parent: Option<&str>) -> String {
    let mut out = "{".to_owned();
    match parent {
        Some(parent) => member(&mut out, "parentUuid", parent),
        None => raw_member(&mut out, "parentUuid", "null"),
    }
    raw_member(&mut out, "isSidechain", "false");
    out
}

fn close(mut out: String, stamp: &Stamp) -> String {
    stamp.write(&mut out);
    out.push('}');
    out
}

fn identify(out: &mut String, uuid: &str, timestamp: Option<&str>, now: Timestamp) {
    member(out, "uuid", uuid);
    match timestamp {
        Some(timestamp) => member(out, "timestamp", timestamp),
        None => member(out, "timestamp", &format!("{now:.3}")),
    }
}

fn optional(out: &mut String, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        member(out, key, value);
    }
}

fn flag(out: &mut String, key: &str, value: bool) {
    if value {
        raw_member(out, key, "true");
    }
}
