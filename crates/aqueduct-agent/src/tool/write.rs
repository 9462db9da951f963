//! `Write`: a file with exactly these contents.

use aqueduct_wire::block::Content;
use aqueduct_wire::tool::{FileChange, WriteInput, WriteResult};

use super::file_call::{FileCall, input, output, unreadable};
use super::file_state::Seen;
use super::{Call, Failure, Output, Running, Tool, Workshop};
use crate::file::{Before, Digest, Encoding, Place, Stamp, Text, WHOLE_LIMIT, patch, read_whole, replace};

pub(crate) const TOOL: Tool = Tool {
    name: "Write",
    description: "Writes a file: makes it, with the folders it needs, or replaces all that it holds.\n\n\
        - `file_path` should be absolute.\n\
        - A file that exists must have been read in this conversation, and not have changed since.\n\
        - To change a part of a file, use Edit. Make new files only where the task calls for them.",
    schema: r#"{
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The file, as an absolute path"},
            "content": {"type": "string", "description": "All that the file is to hold"}
        },
        "required": ["file_path", "content"],
        "additionalProperties": false
    }"#,
    reads_only: false,
    run,
};

fn run<'a>(workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
    Box::pin(FileCall::new(workshop, call).work(write))
}

pub(super) fn write(call: &FileCall) -> Result<Output, Failure> {
    let input: WriteInput<'_> = input(&call.input, "`file_path` and `content`, both strings")?;
    let given = input.file_path.as_str();
    let place = call.locate(given)?;
    let old = if place.exists { Some(existing(call, &place)?) } else { None };
    let new = Text {
        encoding: old.as_ref().map_or(Encoding::Utf8 { mark: false }, |(text, _)| text.encoding),
        text: input.content.to_string(),
    };
    let before = old.as_ref().map_or(Before::Nothing, |(_, stamp)| Before::File(*stamp));
    change(call, &place, &new, before)?;

    let mut result = WriteResult::new(given.to_owned());
    result.content = Some(new.shown().into_owned().into());
    result.user_modified = Some(false);
    let said = match old {
        None => {
            result.kind = Some(FileChange::Create);
            result.structured_patch = Some(Vec::new());
            format!("Made {given}.")
        }
        Some((old, _)) => {
            result.kind = Some(FileChange::Update);
            result.structured_patch = Some(patch(&old.shown(), &new.shown()).hunks);
            result.original_file = old.original().map(Into::into);
            format!("Wrote {given}.")
        }
    };
    output(Content::Text(format!("{said} You know what it holds: no need to read it again.").into()), &result)
}

/// The text of a file that is to be changed, if it may be.
pub(super) fn existing(call: &FileCall, place: &Place) -> Result<(Text, Stamp), Failure> {
    let (bytes, metadata) = read_whole(&place.real, WHOLE_LIMIT).map_err(unreadable)?;
    let stamp = Stamp::of(&metadata);
    let path = place.given.display();
    call.files
        .check(&place.real, stamp, &bytes)
        .map_err(|unready| Failure::Rejected(format!("{path} {unready}")))?;
    let text = Text::decode(bytes).ok_or_else(|| {
        Failure::Rejected(format!(
            "{path} is not UTF-8 and was left alone. Change it with a command that keeps its encoding (iconv \
             helps), or ask the user whether to convert it."
        ))
    })?;
    Ok((text, stamp))
}

/// Makes a change, after its checkpoint.
pub(super) fn change(call: &FileCall, place: &Place, new: &Text, before: Before) -> Result<(), Failure> {
    call.go_on()?;
    call.checkpoints.before_change(&place.real)?;
    let bytes = new.encode();
    replace(&place.real, &bytes, before)?;
    call.files.note(&place.real, Seen::Bytes(Digest::of(&bytes)));
    Ok(())
}

#[cfg(test)]
mod tests;
