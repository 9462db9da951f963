//! `Write`: a file with exactly these contents.

use aqueduct_wire::block::Content;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{FileChange, WriteInput, WriteResult};

use super::file_call::{FileCall, input, output, unreadable};
use super::file_path::spelled_out;
use super::recall;
use super::row::{Audience, CallCheck, CallSummary, FileUse, ToolFacts};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use crate::file::{
    ChangeRefusal, ContentDigest, FileLocation, FileStamp, FileText, Knowledge, KnownVersion, Precondition,
    TextEncoding, WHOLE_LIMIT, patch, read_whole, replace,
};

pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "Write",
    description: "Writes a file: creates it, with its directories, or replaces its contents.\n\n\
        - `file_path` should be absolute.\n\
        - Read an existing file before you replace it. A file that has changed since it was read is not \
        replaced.\n\
        - To change a part of a file, use Edit. Create new files only where the task requires them.",
    schema: r#"{
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The file, as an absolute path"},
            "content": {"type": "string", "description": "All that the file is to hold"}
        },
        "required": ["file_path", "content"],
        "additionalProperties": false
    }"#,
    run,
    facts: ToolFacts {
        files: Some(FileUse::Change),
        path: Some("file_path"),
        audience: Audience::NotReaders,
        summary: Some(CallSummary { verb: "Writing ", members: &["file_path"] }),
        check: Some(CallCheck::File(check)),
        spell_out: Some(spell_out),
        replay: Some(recall::note_file),
        ..ToolFacts::NONE
    },
};

/// The input with its path from the root.
fn spell_out(tool_context: &ToolContext, input: &Raw<'_>) -> Option<Raw<'static>> {
    let mut typed = input.view::<WriteInput<'_>>()?;
    typed.file_path = spelled_out(tool_context, &typed.file_path)?;
    Some(Raw::written(&typed))
}

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(FileCall::new(tool_context, call).work(write))
}

pub(super) fn write(call: &FileCall) -> Result<CallOutput, ToolFailure> {
    let input: WriteInput<'_> = input(&call.input, "`file_path` and `content`, both strings")?;
    let given = input.file_path.as_str();
    let place = call.locate(given)?;
    let old = if place.exists { Some(existing(call, &place)?.known()?.decoded()?) } else { None };
    let new = FileText {
        encoding: old.as_ref().map_or(TextEncoding::Utf8 { mark: false }, |(text, _)| text.encoding),
        text: input.content.to_string(),
    };
    let before = old.as_ref().map_or(Precondition::Nothing, |(_, stamp)| Precondition::File(*stamp));
    change(call, &place, &new, before, true)?;

    let mut result = WriteResult::new(given.to_owned());
    result.content = Some(new.shown().into_owned().into());
    result.user_modified = Some(false);
    let result_text = match old {
        None => {
            result.kind = Some(FileChange::Create);
            result.structured_patch = Some(Vec::new());
            format!("Created {given}.")
        }
        Some((old, _)) => {
            result.kind = Some(FileChange::Update);
            result.structured_patch = Some(patch(&old.shown(), &new.shown()).hunks);
            result.original_file = old.original().map(Into::into);
            format!("Wrote {given}.")
        }
    };
    output(
        Content::Text(
            format!("{result_text} You know its contents: there is no need to read it again.").into(),
        ),
        &result,
    )
}

/// Checks whether the file may be replaced, before permission is requested.
pub(super) fn check(call: &FileCall) -> Result<(), ToolFailure> {
    let input: WriteInput<'_> = input(&call.input, "`file_path` and `content`, both strings")?;
    let place = call.locate(input.file_path.as_str())?;
    if place.exists { existing(call, &place)?.known().map(drop) } else { Ok(()) }
}

/// A file that is to be changed.
pub(super) struct ExistingFile {
    path: String,
    bytes: Vec<u8>,
    stamp: FileStamp,
    /// How well the model knows it.
    pub(super) knowledge: Knowledge,
}

/// A file that is to be changed, if it may be.
pub(super) fn existing(call: &FileCall, place: &FileLocation) -> Result<ExistingFile, ToolFailure> {
    let (bytes, metadata) = read_whole(&place.real, WHOLE_LIMIT).map_err(unreadable)?;
    let stamp = FileStamp::of(&metadata);
    let knowledge = call.files.knowledge(&place.real, stamp, &bytes);
    let existing = ExistingFile { path: place.given.display().to_string(), bytes, stamp, knowledge };
    match knowledge {
        Knowledge::Unread if !call.may_be_unread => Err(existing.refused(ChangeRefusal::NeverRead)),
        _ => Ok(existing),
    }
}

impl ExistingFile {
    /// The same, if no other program has changed it since it was read.
    pub(super) fn known(self) -> Result<Self, ToolFailure> {
        match self.knowledge {
            Knowledge::Stale => Err(self.refused(ChangeRefusal::Changed)),
            _ => Ok(self),
        }
    }

    /// The same, if it was read and no other program has changed it since.
    pub(super) fn read(self) -> Result<Self, ToolFailure> {
        match self.knowledge {
            Knowledge::Unread => Err(self.refused(ChangeRefusal::NeverRead)),
            _ => self.known(),
        }
    }

    /// Why it is not changed.
    pub(super) fn refused(&self, why: ChangeRefusal) -> ToolFailure {
        ToolFailure::Rejected(format!("{} {}", self.path, why.advised()))
    }

    /// Its text.
    pub(super) fn decoded(self) -> Result<(FileText, FileStamp), ToolFailure> {
        let ExistingFile { path, bytes, stamp, .. } = self;
        let text = FileText::decode(bytes).ok_or_else(|| {
            ToolFailure::Failed(format!(
                "{path} is not UTF-8 and was not changed. Use a command that preserves its encoding (iconv \
                 helps), or ask the user whether to convert it."
            ))
        })?;
        Ok((text, stamp))
    }
}

/// Makes a change, after its checkpoint. `is_whole`: the model then has all of the file's contents.
pub(super) fn change(
    call: &FileCall,
    place: &FileLocation,
    new: &FileText,
    before: Precondition,
    is_whole: bool,
) -> Result<(), ToolFailure> {
    call.check_cancelled()?;
    call.checkpoints.before_change(&place.real)?;
    let bytes = new.encode();
    replace(&place.real, &bytes, before)?;
    call.files.note(&place.real, KnownVersion::Bytes(ContentDigest::of(&bytes)), is_whole);
    Ok(())
}

#[cfg(test)]
mod tests;
