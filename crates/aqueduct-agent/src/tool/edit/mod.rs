//! `Edit`: one text in a file for another.

mod find;
mod quote;

use aqueduct_wire::block::Content;
use aqueduct_wire::tool::{EditInput, EditResult};

use super::file_call::{FileCall, flag, input, output, unreadable};
use super::write::{change, existing};
use super::{Call, Failure, Output, Running, Tool, Workshop};
use crate::file::{Before, Encoding, Place, Text, open, patch, read_whole};
use find::Found;

pub(crate) const TOOL: Tool = Tool {
    name: "Edit",
    description: "Replaces a text in a file.\n\n\
        - The file must have been read in this conversation, and not have changed since.\n\
        - `old_string` must stand in the file exactly so, with its indentation, and without the line numbers \
        of Read. It must stand there once: take in lines around it until it does, or set `replace_all`.\n\
        - An empty `old_string` makes a new file, or fills an empty one.\n\
        - Line ends and encoding of the file are kept.",
    schema: r#"{
        "type": "object",
        "properties": {
            "file_path": {"type": "string", "description": "The file, as an absolute path"},
            "old_string": {"type": "string", "description": "The text to replace"},
            "new_string": {"type": "string", "description": "The text to put there; another one"},
            "replace_all": {"type": "boolean", "default": false, "description": "Replace it wherever it stands"}
        },
        "required": ["file_path", "old_string", "new_string"],
        "additionalProperties": false
    }"#,
    reads_only: false,
    run,
};

fn run<'a>(workshop: &'a Workshop, call: Call<'a>) -> Running<'a> {
    Box::pin(FileCall::new(workshop, call).work(edit))
}

pub(super) fn edit(call: &FileCall) -> Result<Output, Failure> {
    let input: EditInput<'_> =
        input(&call.input, "`file_path`, `old_string` and `new_string`, all of them strings")?;
    let given = input.file_path.as_str();
    let replace_all = flag("replace_all", input.replace_all, &input.extra)?;
    let (old, new) = (input.old_string.as_str(), input.new_string.as_str());
    if old == new {
        return Err(Failure::Rejected(
            "old_string and new_string are the same: there is nothing to change.".into(),
        ));
    }
    let place = call.locate(given).map_err(unreadable)?;
    if place.given.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb")) {
        return Err(Failure::Rejected(format!("{given} is a notebook: change it with NotebookEdit.")));
    }
    if old.is_empty() {
        return fill(call, &place, given, new, replace_all);
    }
    place.must_exist().map_err(unreadable)?;
    let (before, stamp) = existing(call, &place)?;
    let found = Found::search(&before, old, new).ok_or_else(|| missing(given, &before, old))?;
    if found.count() > 1 && !replace_all {
        return Err(Failure::Rejected(format!(
            "old_string stands {} times in {given} ({}). Take in more of the lines around the one you mean, or \
             set replace_all to change them all.\nold_string: {old}",
            found.count(),
            found.lines(&before.text),
        )));
    }
    // The checkpoint holds the file for a moment: not beside both texts, if the file is large.
    call.go_on()?;
    call.checkpoints.before_change(&place.real)?;
    let after = Text { encoding: before.encoding, text: found.replaced(&before.text) };
    if after == before {
        return Err(Failure::Rejected(format!(
            "That leaves {given} as it is: its line ends are kept by Edit. Convert them with a command."
        )));
    }
    change(call, &place, &after, Before::File(stamp))?;

    let said = match found.count() {
        1 => format!("Changed {given}."),
        count => format!("Changed {given} in {count} places."),
    };
    let result = EditResult::new(given.to_owned());
    let old = found.old(&before.text).to_owned();
    answer(said, result, (&old, new), (&before, &after), replace_all)
}

/// An empty `old_string`: makes a file, or fills one that has nothing in it.
fn fill(
    call: &FileCall,
    place: &Place,
    given: &str,
    new: &str,
    replace_all: bool,
) -> Result<Output, Failure> {
    let mut before = Text { encoding: Encoding::Utf8 { mark: false }, text: String::new() };
    let mut expected = Before::Nothing;
    if place.exists {
        let opened = open(&place.real).map_err(unreadable)?;
        if opened.metadata.len() > 3 {
            return Err(Failure::Rejected(format!(
                "{given} exists and is not empty. Say in old_string what to replace, or use Write to replace \
                 all of it."
            )));
        }
        expected = Before::File(opened.stamp());
        let (bytes, _) = read_whole(&place.real, 3).map_err(unreadable)?;
        before = Text::decode(bytes).filter(|text| text.text.trim().is_empty()).ok_or_else(|| {
            Failure::Rejected(format!("{given} exists and is not empty. Say in old_string what to replace."))
        })?;
    }
    let after = Text { encoding: before.encoding, text: new.to_owned() };
    change(call, place, &after, expected)?;
    let said = if place.exists { format!("Filled {given}.") } else { format!("Made {given}.") };
    answer(said, EditResult::new(given.to_owned()), ("", new), (&before, &after), replace_all)
}

fn answer(
    said: String,
    mut result: EditResult<'static>,
    (old, new): (&str, &str),
    (before, after): (&Text, &Text),
    replace_all: bool,
) -> Result<Output, Failure> {
    result.old_string = Some(old.to_owned().into());
    result.new_string = Some(new.to_owned().into());
    result.structured_patch = Some(patch(&before.shown(), &after.shown()).hunks);
    result.original_file = before.original().map(Into::into);
    result.user_modified = Some(false);
    result.replace_all = Some(replace_all);
    output(Content::Text(format!("{said} You know what it holds: no need to read it again.").into()), &result)
}

fn missing(given: &str, before: &Text, old: &str) -> Failure {
    let hint = find::hint(&before.plain(), old);
    Failure::Rejected(format!("old_string does not stand in {given}.{hint}\nold_string: {old}"))
}

#[cfg(test)]
mod tests;
