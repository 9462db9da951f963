//! `Edit`: one text in a file for another.

mod find;
mod quote;

use std::fs;

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use aqueduct_wire::tool::{EditInput, EditResult};

use super::file_call::{FileCall, flag, input, output, unreadable};
use super::file_path::spelled_out;
use super::recall;
use super::row::{Audience, CallCheck, CallSummary, FileUse, ToolFacts};
use super::write::{change, existing};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use crate::file::{
    ChangeRefusal, FileLocation, FileText, Knowledge, Precondition, TextEncoding, open, patch, read_whole,
};
use find::EditMatches;

pub(crate) const TOOL: BuiltInTool = BuiltInTool {
    name: "Edit",
    description: "Replaces text in a file.\n\n\
        - Read the file first, so that you know the text around it.\n\
        - `old_string` must match the file exactly, with its indentation and without the line numbers of \
        Read. It must match once: add surrounding lines until it is unique, or set `replace_all`.\n\
        - An empty `old_string` creates a new file, or fills an empty one.\n\
        - Line endings and encoding of the file are preserved.",
    schema: r#"{
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The file, as an absolute path"},
            "old_string": {"type": "string", "description": "The text to replace"},
            "new_string": {"type": "string", "description": "The text to put there; another one"},
            "replace_all": {"type": "boolean", "default": false, "description": "Replace all occurrences"}
        },
        "required": ["file_path", "old_string", "new_string"],
        "additionalProperties": false
    }"#,
    run,
    facts: ToolFacts {
        files: Some(FileUse::Change),
        path: Some("file_path"),
        audience: Audience::NotReaders,
        summary: Some(CallSummary { verb: "Editing ", members: &["file_path"] }),
        check: Some(CallCheck::File(check)),
        spell_out: Some(spell_out),
        replay: Some(recall::note_file),
        ..ToolFacts::NONE
    },
};

/// The input with its path from the root, and with what the edit does where the model does not say.
fn spell_out(tool_context: &ToolContext, input: &Raw<'_>) -> Option<Raw<'static>> {
    let mut typed = input.view::<EditInput<'_>>()?;
    if typed.replace_all.is_none() && typed.extra.get("replace_all").is_none() {
        typed.replace_all = Some(false);
    }
    typed.file_path = spelled_out(tool_context, &typed.file_path).unwrap_or(typed.file_path);
    Some(Raw::written(&typed))
}

fn run<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(FileCall::new(tool_context, call).work(edit))
}

/// An edit that can be made.
struct PreparedEdit<'c> {
    input: EditInput<'c>,
    replace_all: bool,
    place: FileLocation,
    before: FileText,
    /// What the file must be when the change is made.
    expected: Precondition,
    /// How well the model knows the file.
    knowledge: Knowledge,
    /// What is replaced; `None` where the file is new or empty.
    found: Option<EditMatches>,
}

/// A larger file is read once, when the edit is made.
const CHECKED_LIMIT: u64 = 1 << 20;

/// Checks whether the edit can be made, before permission is requested.
pub(super) fn check(call: &FileCall) -> Result<(), ToolFailure> {
    if is_large(call) { Ok(()) } else { prepare(call).map(drop) }
}

fn is_large(call: &FileCall) -> bool {
    let Ok(input) = input::<EditInput<'_>>(&call.input, "") else { return false };
    let Ok(place) = call.locate(input.file_path.as_str()) else { return false };
    fs::metadata(&place.real).is_ok_and(|file| file.len() > CHECKED_LIMIT)
}

fn prepare(call: &FileCall) -> Result<PreparedEdit<'_>, ToolFailure> {
    let input: EditInput<'_> =
        input(&call.input, "`file_path`, `old_string` and `new_string`, all of them strings")?;
    let given = input.file_path.as_str();
    let replace_all = flag("replace_all", input.replace_all, &input.extra)?;
    let (old, new) = (input.old_string.as_str(), input.new_string.as_str());
    if old == new {
        return Err(ToolFailure::Rejected(
            "old_string and new_string are identical: there is nothing to change.".into(),
        ));
    }
    let place = call.locate(given).map_err(unreadable)?;
    if old.is_empty() {
        let (before, expected, knowledge) = nothing(call, &place, given)?;
        return Ok(PreparedEdit { input, replace_all, place, before, expected, knowledge, found: None });
    }
    place.must_exist().map_err(unreadable)?;
    if place.given.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb")) {
        return Err(ToolFailure::Rejected(format!("{given} is a notebook: use NotebookEdit.")));
    }
    let existing = existing(call, &place)?;
    let knowledge = existing.knowledge;
    let changed = existing.refused(ChangeRefusal::Changed);
    let (before, stamp) = existing.decoded()?;
    let found = EditMatches::search(&before, old, new).ok_or_else(|| match knowledge {
        Knowledge::Stale => changed,
        _ => missing(given, &before, old),
    })?;
    if found.count() > 1 && !replace_all {
        return Err(ToolFailure::Rejected(format!(
            "old_string matches {} times in {given} ({}). Add surrounding lines to make it unique, or set \
             replace_all to replace all matches.\nold_string: {old}",
            found.count(),
            found.lines(&before.text),
        )));
    }
    let (expected, found) = (Precondition::File(stamp), Some(found));
    Ok(PreparedEdit { input, replace_all, place, before, expected, knowledge, found })
}

/// The file that an empty `old_string` makes or fills: there is none, or it is empty.
fn nothing(
    call: &FileCall,
    place: &FileLocation,
    given: &str,
) -> Result<(FileText, Precondition, Knowledge), ToolFailure> {
    if !place.exists {
        let text = FileText { encoding: TextEncoding::Utf8 { mark: false }, text: String::new() };
        return Ok((text, Precondition::Nothing, Knowledge::Whole));
    }
    let opened = open(&place.real).map_err(unreadable)?;
    if opened.metadata.len() > 3 {
        return Err(ToolFailure::Rejected(format!(
            "{given} exists and is not empty. Pass the text to replace in old_string, or use Write to \
             replace the whole file."
        )));
    }
    let (bytes, _) = read_whole(&place.real, 3).map_err(unreadable)?;
    let knowledge = call.files.knowledge(&place.real, opened.stamp(), &bytes);
    let before = FileText::decode(bytes).filter(|text| text.text.trim().is_empty()).ok_or_else(|| {
        ToolFailure::Rejected(format!(
            "{given} exists and is not empty. Pass the text to replace in old_string."
        ))
    })?;
    Ok((before, Precondition::File(opened.stamp()), knowledge))
}

pub(super) fn edit(call: &FileCall) -> Result<CallOutput, ToolFailure> {
    let PreparedEdit { input, replace_all, place, before, expected, knowledge, found } = prepare(call)?;
    let (given, new) = (input.file_path.as_str(), input.new_string.as_str());
    // The checkpoint holds the file in memory for a short time: not beside both texts, if the file is large.
    call.check_cancelled()?;
    call.checkpoints.before_change(&place.real)?;
    let text = found.as_ref().map_or_else(|| new.to_owned(), |found| found.replaced(&before.text));
    let after = FileText { encoding: before.encoding, text };
    if after == before {
        return Err(ToolFailure::Rejected(format!(
            "The edit does not change {given}: Edit preserves line endings. Convert them with a command."
        )));
    }
    let is_whole = knowledge == Knowledge::Whole;
    change(call, &place, &after, expected, is_whole)?;

    let old = found.as_ref().map_or_else(String::new, |found| found.old(&before.text));
    let mut result = EditResult::new(given.to_owned());
    result.old_string = Some(old.into());
    result.new_string = Some(new.to_owned().into());
    result.structured_patch = Some(patch(&before.shown(), &after.shown()).hunks);
    result.original_file = before.original().map(Into::into);
    result.user_modified = Some(false);
    result.replace_all = Some(replace_all);
    result.stale_recovered = (knowledge == Knowledge::Stale).then_some(true);
    result.content_not_in_model_context = (!is_whole).then_some(true);
    let places = found.as_ref().map_or(1, EditMatches::count);
    output(Content::Text(result_text(given, places, knowledge).into()), &result)
}

/// What the model reads of an edit.
fn result_text(given: &str, places: usize, knowledge: Knowledge) -> String {
    let done = match places {
        1 => format!("The file {given} has been updated."),
        count => format!("The file {given} has been updated in {count} places."),
    };
    let note = match knowledge {
        Knowledge::Whole => " You know its current contents: there is no need to read it again.",
        Knowledge::Stale => {
            " The file had changed on disk since you read it and contains changes that you have not seen. \
             Read it before you make edits that depend on them."
        }
        Knowledge::Unread | Knowledge::Part => "",
    };
    format!("{done}{note}")
}

fn missing(given: &str, before: &FileText, old: &str) -> ToolFailure {
    let hint = find::hint(&before.plain(), old);
    ToolFailure::Rejected(format!("old_string is not in {given}.{hint}\nold_string: {old}"))
}

#[cfg(test)]
mod tests;
