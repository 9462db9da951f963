//! Changing one member of a JSON file while every other byte stays as it is.

use aqueduct_wire::hint::Hint;

use super::edit::{Bracketed, SettingsDocument, member, quoted};
use super::json::{JsonNode, JsonValue};
use crate::error::Error;

/// Sets the member at a path of names to a JSON value and returns the new text. Objects on the way that are missing are
/// made. An empty text represents a file that doesn't exist. `value` is JSON in lines with two blanks for
/// each step of indentation; it is written in the manner of the file.
pub fn set_member(file: &str, text: &str, path: &[&str], value: &str) -> Result<String, Error> {
    let mut document = SettingsDocument { file, text: text.to_owned() };
    let Some((name, _)) = path.split_first() else { return Ok(document.text) };
    let Some(root) = document.root()? else {
        let newline = document.newline();
        let object = document.written(&nested(path, value), 0);
        let lead = if document.text.is_empty() || document.text.ends_with('\n') { "" } else { newline };
        document.text.push_str(&format!("{lead}{object}{newline}"));
        return Ok(document.text);
    };
    let (mut node, mut depth, mut name) = (root, 0, *name);
    while let Some(found) = member(&node, name) {
        let found = found.value.clone();
        depth += 1;
        let Some(next) = path.get(depth) else {
            let written = document.written(value, depth);
            document.text.replace_range(found.start..found.end, &written);
            return Ok(document.text);
        };
        document.must_be_object(&found, name)?;
        (node, name) = (found, next);
    }
    let below = nested(path.get(depth + 1..).unwrap_or_default(), value);
    let item = format!("{}: {}", quoted(name), document.written(&below, depth + 1));
    document.append_member(&node, depth, &item);
    Ok(document.text)
}

/// Removes the member at a path of names and returns the new text; none if the member does not exist.
pub fn remove_member(file: &str, text: &str, path: &[&str]) -> Result<Option<String>, Error> {
    let mut document = SettingsDocument { file, text: text.to_owned() };
    let (Some(mut node), Some((last, way))) = (document.root()?, path.split_last()) else { return Ok(None) };
    for name in way {
        let Some(found) = member(&node, name) else { return Ok(None) };
        let found = found.value.clone();
        document.must_be_object(&found, name)?;
        node = found;
    }
    let JsonValue::Object(members) = &node.value else { return Ok(None) };
    if !members.iter().any(|member| member.key == *last) {
        return Ok(None);
    }
    // Of a name written twice, each one goes: otherwise the other would count.
    let outer = Bracketed::of(&node);
    for at in (0..members.len()).rev().filter(|at| members[*at].key == *last) {
        document.remove(&outer, at);
    }
    if members.iter().all(|member| member.key == *last) {
        document.close_empty(&node);
    }
    Ok(Some(document.text))
}

/// A value inside the objects that lead to it.
fn nested(path: &[&str], value: &str) -> String {
    path.iter().rev().fold(value.to_owned(), |inside, name| {
        let inside = inside.replace('\n', "\n  ");
        format!("{{\n  {}: {inside}\n}}", quoted(name))
    })
}

impl SettingsDocument<'_> {
    fn must_be_object(&self, node: &JsonNode, name: &str) -> Result<(), Error> {
        match node.value {
            JsonValue::Object(_) => Ok(()),
            _ => Err(self.error(node.start, name, "must be an object", Some(Hint::clause("write `{ … }`")))),
        }
    }

    /// A value in the manner of the file, at a depth.
    fn written(&self, value: &str, depth: usize) -> String {
        let (newline, unit) = (self.newline(), self.unit());
        let mut lines = value.lines();
        let mut out = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            let bare = line.trim_start_matches(' ');
            let steps = (line.len() - bare.len()) / 2 + depth;
            out.push_str(newline);
            out.push_str(&unit.repeat(steps));
            out.push_str(bare);
        }
        out
    }

    /// Adds a member to an object, on a line of its own where the object has none yet.
    fn append_member(&mut self, object: &JsonNode, depth: usize, item: &str) {
        let inside = object.start + 1..object.end - 1;
        if Bracketed::of(object).is_empty() && self.text[inside.clone()].trim().is_empty() {
            let (newline, unit) = (self.newline(), self.unit());
            let (inner, outer) = (unit.repeat(depth + 1), unit.repeat(depth));
            self.text.replace_range(inside, &format!("{newline}{inner}{item}{newline}{outer}"));
        } else {
            self.append(&Bracketed::of(object), item);
        }
    }

    /// Takes the blanks out of an object whose last member is gone.
    fn close_empty(&mut self, before: &JsonNode) {
        let start = before.start + 1;
        let blanks = self.text[start..].len() - self.text[start..].trim_start().len();
        if self.text[start + blanks..].starts_with('}') {
            self.text.replace_range(start..start + blanks, "");
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{remove_member, set_member};

    #[track_caller]
    fn set(text: &str, path: &[&str], value: &str) -> String {
        set_member("file", text, path, value).unwrap()
    }

    #[test]
    fn a_missing_file_is_made() {
        assert_eq!(set("", &["a", "b"], "1"), "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
        assert_eq!(set("{}", &["a"], "[\n  1\n]"), "{\n  \"a\": [\n    1\n  ]\n}");
    }

    #[test]
    fn other_members_stay_byte_for_byte() {
        let text = "{\n\t\"odd\" :1e3, // why\n\t\"a\": {\n\t\t\"x\": true\n\t}\n}\n";
        let with = set(text, &["a", "y"], "{\n  \"z\": 1\n}");
        assert_eq!(
            with,
            "{\n\t\"odd\" :1e3, // why\n\t\"a\": {\n\t\t\"x\": true,\n\t\t\"y\": {\n\t\t\t\"z\": 1\n\t\t}\n\t}\n}\n"
        );
        assert_eq!(remove_member("file", &with, &["a", "y"]).unwrap().as_deref(), Some(text));
        assert_eq!(set(text, &["a", "x"], "2"), text.replace("true", "2"));
        assert_eq!(set("{\"a\":{}}", &["b"], "1"), "{\"a\":{}, \"b\": 1}");
    }

    #[test]
    fn what_is_absent_is_not_removed() {
        assert_eq!(remove_member("file", "", &["a"]).unwrap(), None);
        assert_eq!(remove_member("file", "{\"a\": {}}", &["a", "b"]).unwrap(), None);
        let twice = "{\"a\": 1, \"b\": 2, \"a\": 3}";
        assert_eq!(remove_member("file", twice, &["a"]).unwrap().as_deref(), Some("{\"b\": 2}"));
        let last = "{\n  \"s\": {\n    \"a\": 1\n  }\n}";
        assert_eq!(remove_member("file", last, &["s", "a"]).unwrap().as_deref(), Some("{\n  \"s\": {}\n}"));
    }

    #[test]
    fn a_broken_file_is_an_error_with_its_place() {
        for text in ["{bad", "[]", "{\"a\": 1}"] {
            let error = set_member("some.json", text, &["a", "b"], "1").unwrap_err().to_string();
            assert!(error.contains("some.json"), "{error}");
            assert!(remove_member("some.json", text, &["a", "b"]).is_err());
        }
    }

    proptest! {
        /// What is set can be read again, beside all that was there.
        #[test]
        fn a_member_that_was_set_is_there(
            members in proptest::collection::btree_map("[a-d]{1,2}", 0..100_u8, 0..4),
            name in "\\PC*",
            is_pretty: bool,
        ) {
            let before = serde_json::json!({ "inner": members });
            let text = if is_pretty { serde_json::to_string_pretty(&before) } else { serde_json::to_string(&before) };
            let text = text.unwrap();
            let after = set_member("file", &text, &["inner", &name], "{\n  \"x\": [1]\n}").unwrap();
            let mut expected = before.clone();
            expected["inner"][&name] = serde_json::json!({ "x": [1] });
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&after).unwrap(), expected);
            if !members.contains_key(&name) {
                let without = remove_member("file", &after, &["inner", &name]).unwrap().unwrap();
                prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&without).unwrap(), before);
            }
        }
    }
}
