//! Changing a settings file while every byte that is not meant stays as it is.

use aqueduct_wire::hint::Hint;
use aqueduct_wire::json::Str;
use aqueduct_wire::permission::PermissionUpdate;

use super::json::{self, JsonMember, JsonNode, JsonValue};
use crate::error::Error;
use crate::mode::Mode;
use crate::rule::Rule;
use crate::source::Source;
use crate::update::RuleChange;

/// Applies an update to the text of a settings file and returns the new text. Comments, formatting and
/// everything the update doesn't mean are kept byte for byte; adding rules and removing them again gives
/// the text back. An empty text represents a file that doesn't exist; when the last thing that was added to
/// such a file is removed, the text is empty again.
pub fn edit(file: &str, text: &str, update: &PermissionUpdate<'_>) -> Result<String, Error> {
    let mut document = SettingsDocument { file, text: text.to_owned() };
    match update {
        PermissionUpdate::AddRules(update) => {
            let RuleChange { rules, behavior } = update.try_into()?;
            document.add_rules(behavior.name(), &rules)?;
        }
        PermissionUpdate::ReplaceRules(update) => {
            let RuleChange { rules, behavior } = update.try_into()?;
            let keeps = |text: &str| Rule::parse(text).is_ok_and(|rule| rules.contains(&rule));
            document.remove_texts(behavior.name(), |text| !keeps(text))?;
            document.add_rules(behavior.name(), &rules)?;
        }
        PermissionUpdate::RemoveRules(update) => {
            let RuleChange { rules, behavior } = RuleChange::removing(update)?;
            let named = |text: &str| Rule::parse(text).is_ok_and(|rule| rules.contains(&rule));
            document.remove_texts(behavior.name(), named)?;
        }
        PermissionUpdate::SetMode(update) => {
            document.set_text("defaultMode", Mode::try_from(&update.mode)?.name())?;
        }
        PermissionUpdate::AddDirectories(update) => {
            document.add_texts("additionalDirectories", &update.directories)?;
        }
        PermissionUpdate::RemoveDirectories(update) => {
            let gone = |text: &str| update.directories.iter().any(|gone| gone == text);
            document.remove_texts("additionalDirectories", gone)?;
        }
        unknown => {
            Source::of_update(unknown)?;
        }
    }
    Ok(document.text)
}

const SECTION: &str = "permissions";

pub(super) struct SettingsDocument<'a> {
    pub(super) file: &'a str,
    pub(super) text: String,
}

/// How a text without an object ends. What is put around an object that is added to it shows later which it
/// was, so that the text can be given back.
enum TextEnding {
    /// Inside a line.
    Line,
    /// With a line break, or it is empty.
    Break,
    /// With a carriage return alone, which ends no comment and must not become part of a line break.
    Return,
}

impl TextEnding {
    const ALL: [TextEnding; 3] = [TextEnding::Line, TextEnding::Break, TextEnding::Return];

    fn of(text: &str) -> Self {
        match text.as_bytes().last() {
            None | Some(b'\n') => TextEnding::Break,
            Some(b'\r') => TextEnding::Return,
            Some(_) => TextEnding::Line,
        }
    }

    fn lead(&self, newline: &str) -> String {
        match self {
            TextEnding::Line => newline.to_owned(),
            TextEnding::Break => String::new(),
            TextEnding::Return => format!(" {newline}"),
        }
    }

    fn tail(&self, newline: &str) -> String {
        newline.repeat(match self {
            TextEnding::Line => 0,
            TextEnding::Break => 1,
            TextEnding::Return => 2,
        })
    }
}

/// A thing in brackets: where it opens and closes and what is in it.
pub(super) struct Bracketed {
    start: usize,
    end: usize,
    items: Vec<(usize, usize)>,
}

impl Bracketed {
    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn of(node: &JsonNode) -> Self {
        let items = match &node.value {
            JsonValue::Object(members) => {
                members.iter().map(|member| (member.start, member.value.end)).collect()
            }
            JsonValue::Array(items) => items.iter().map(|item| (item.start, item.end)).collect(),
            _ => Vec::new(),
        };
        Self { start: node.start, end: node.end, items }
    }
}

pub(super) fn member<'n>(node: &'n JsonNode, key: &str) -> Option<&'n JsonMember> {
    match &node.value {
        // Of a key written twice the last one counts.
        JsonValue::Object(members) => members.iter().rev().find(|member| member.key == key),
        _ => None,
    }
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl SettingsDocument<'_> {
    pub(super) fn error(&self, at: usize, field: &str, problem: &str, hint: Option<Hint>) -> Error {
        let (line, column) = json::position(&self.text, at);
        let (file, field, problem) = (self.file.to_owned(), field.to_owned(), problem.to_owned());
        Error::Settings { file, line, column, field, problem, hint }
    }

    pub(super) fn root(&self) -> Result<Option<JsonNode>, Error> {
        let root =
            json::parse(&self.text).map_err(|fault| self.error(fault.at, "", fault.problem, fault.hint()))?;
        match &root {
            Some(JsonNode { value: JsonValue::Object(_), .. }) | None => Ok(root),
            Some(node) => {
                Err(self.error(node.start, "", "must be an object", Some(Hint::clause("write `{ … }`"))))
            }
        }
    }

    /// The section of the settings, which must be an object where it exists.
    fn section(&self, root: &JsonNode) -> Result<Option<JsonNode>, Error> {
        let Some(section) = member(root, SECTION) else { return Ok(None) };
        match section.value.value {
            JsonValue::Object(_) => Ok(Some(section.value.clone())),
            _ => Err(self.error(
                section.value.start,
                SECTION,
                "must be an object",
                Some(Hint::clause("write `{ … }`")),
            )),
        }
    }

    fn list(&self, section: &JsonNode, key: &str) -> Result<Option<JsonNode>, Error> {
        let Some(list) = member(section, key) else { return Ok(None) };
        match list.value.value {
            JsonValue::Array(_) => Ok(Some(list.value.clone())),
            _ => Err(self.error(
                list.value.start,
                &format!("{SECTION}.{key}"),
                "must be a list",
                Some(Hint::clause("write `[ … ]`")),
            )),
        }
    }

    fn add_rules(&mut self, key: &str, rules: &[Rule]) -> Result<(), Error> {
        for rule in rules {
            let known = self.texts(key)?.iter().any(|text| Rule::parse(text).as_ref() == Ok(rule));
            if !known {
                self.add_text(key, &rule.to_string())?;
            }
        }
        Ok(())
    }

    fn add_texts(&mut self, key: &str, texts: &[Str<'_>]) -> Result<(), Error> {
        for text in texts {
            if !self.texts(key)?.iter().any(|known| known == text.as_str()) {
                self.add_text(key, text)?;
            }
        }
        Ok(())
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, Error> {
        let Some(root) = self.root()? else { return Ok(Vec::new()) };
        let Some(section) = self.section(&root)? else { return Ok(Vec::new()) };
        let Some(list) = self.list(&section, key)? else { return Ok(Vec::new()) };
        let JsonValue::Array(items) = &list.value else { return Ok(Vec::new()) };
        let text = |item: &JsonNode| match &item.value {
            JsonValue::Text(text) => Some(text.clone()),
            _ => None,
        };
        Ok(items.iter().filter_map(text).collect())
    }

    fn add_text(&mut self, key: &str, text: &str) -> Result<(), Error> {
        let list = |document: &Self, outer: usize| {
            let (newline, unit) = (document.newline(), document.unit());
            let (indent, inner) = (unit.repeat(outer), unit.repeat(outer + 1));
            format!("{}: [{newline}{inner}{}{newline}{indent}]", quoted(key), quoted(text))
        };
        let existing = match self.root()? {
            Some(root) => match self.section(&root)? {
                Some(section) => self.list(&section, key)?,
                None => None,
            },
            None => None,
        };
        match existing {
            Some(node) => self.append(&Bracketed::of(&node), &quoted(text)),
            None => self.add_member(list)?,
        }
        Ok(())
    }

    /// Adds a member to the section, which is made if it is missing. `write` gives the member's text for
    /// the depth at which it is.
    fn add_member(&mut self, write: impl Fn(&Self, usize) -> String) -> Result<(), Error> {
        let (newline, unit) = (self.newline(), self.unit());
        let Some(root) = self.root()? else {
            let inside = write(self, 2);
            let section = format!("{unit}\"{SECTION}\": {{{newline}{unit}{unit}{inside}{newline}{unit}}}");
            let object = format!("{{{newline}{section}{newline}}}");
            let ending = TextEnding::of(&self.text);
            self.text.push_str(&format!("{}{object}{}", ending.lead(newline), ending.tail(newline)));
            return Ok(());
        };
        let inside = write(self, 2);
        match self.section(&root)? {
            Some(section) => self.append(&Bracketed::of(&section), &inside),
            None => {
                let section = format!("\"{SECTION}\": {{{newline}{unit}{unit}{inside}{newline}{unit}}}");
                self.append(&Bracketed::of(&root), &section);
            }
        }
        Ok(())
    }

    /// Puts an item behind the last one, in the manner in which the others are written.
    pub(super) fn append(&mut self, outer: &Bracketed, item: &str) {
        let Some(&(last_start, last_end)) = outer.items.last() else {
            self.text.insert_str(outer.start + 1, item);
            return;
        };
        let comma = self.comma_after(last_end);
        let settled = comma.map_or(last_end, |at| at + 1);
        let tail = self.end_of_line_comment(settled);
        let follows_comment = tail > settled;
        let separator = match self.indent_of(last_start) {
            Some(indent) => format!("{}{indent}", self.newline()),
            None if follows_comment => self.newline().to_owned(),
            None => " ".to_owned(),
        };
        if comma.is_some() {
            self.text.insert_str(tail, &format!("{separator}{item},"));
        } else {
            self.text.insert_str(tail, &format!("{separator}{item}"));
            self.text.insert(last_end, ',');
        }
    }

    fn remove_texts(&mut self, key: &str, is_gone: impl Fn(&str) -> bool) -> Result<(), Error> {
        loop {
            let Some(root) = self.root()? else { return Ok(()) };
            let Some(section) = self.section(&root)? else { return Ok(()) };
            let Some(list) = self.list(&section, key)? else { return Ok(()) };
            let JsonValue::Array(items) = &list.value else { return Ok(()) };
            let gone =
                items.iter().rposition(|item| matches!(&item.value, JsonValue::Text(text) if is_gone(text)));
            let Some(at) = gone else { return Ok(()) };
            // A list that was made for its only rule goes with it, and so does a section made for the list.
            let chain = [Some(&root), Some(&section), Some(&list)].map(|node| node.map(Bracketed::of));
            let [Some(root), Some(section), Some(list)] = chain else { return Ok(()) };
            if !self.was_made_for_one(&list) {
                self.remove(&list, at);
            } else if !self.was_made_for_one(&section) {
                self.remove_item_ending(&section, list.end);
            } else if !self.was_made_for_one(&root) {
                self.remove_item_ending(&root, section.end);
            } else {
                self.remove_root(&root);
            }
        }
    }

    /// Takes away an object that was made where there was none, with what was put around it.
    fn remove_root(&mut self, root: &Bracketed) {
        let newline = self.newline();
        let (before, after) = (&self.text[..root.start], &self.text[root.end..]);
        let made = TextEnding::ALL.iter().find_map(|ending| {
            let before = before.strip_suffix(ending.lead(newline).as_str())?;
            (after == ending.tail(newline)).then_some(before.len())
        });
        match made {
            Some(start) => self.text.truncate(start),
            None => self.text.replace_range(root.start..root.end, ""),
        }
    }

    fn remove_item_ending(&mut self, outer: &Bracketed, end: usize) {
        if let Some(at) = outer.items.iter().position(|item| item.1 == end) {
            self.remove(outer, at);
        }
    }

    /// Whether a thing in brackets holds one item on lines of its own and nothing else, which is how
    /// `add_member` writes it.
    fn was_made_for_one(&self, outer: &Bracketed) -> bool {
        let [(start, end)] = outer.items.as_slice() else { return false };
        let newline = self.newline();
        let is_line_break = |text: &str| {
            text.strip_prefix(newline).is_some_and(|rest| rest.trim_matches([' ', '\t']).is_empty())
        };
        let after = &self.text[*end..outer.end - 1];
        is_line_break(&self.text[outer.start + 1..*start]) && is_line_break(after)
    }

    pub(super) fn remove(&mut self, outer: &Bracketed, at: usize) {
        let (start, end) = outer.items[at];
        let comma = self.comma_after(end);
        if at + 1 < outer.items.len() {
            // Up to the next item, unless a comment is between them.
            let after = comma.map_or(end, |comma| comma + 1);
            let next = outer.items[at + 1].0;
            let blank = self.text[after..next].trim().is_empty();
            self.text.replace_range(start..if blank { next } else { after }, "");
            return;
        }
        let after = comma.map_or(end, |comma| comma + 1);
        let Some(before_end) = at.checked_sub(1).map(|before| outer.items[before].1) else {
            self.text.replace_range(start..after, "");
            return;
        };
        let before_comma = self.comma_after(before_end);
        let gap = self.gap_before(start, after, before_comma.map_or(before_end, |at| at + 1));
        self.text.replace_range(gap..after, "");
        // The comma that came with the item goes with it: its own one, or else the one before it.
        if let Some(at) = before_comma.filter(|_| comma.is_none()) {
            self.text.remove(at);
        }
    }

    /// Where the blanks begin that precede the last item because of it. `settled` is where the item
    /// before it and its comma end. This undoes what `append` does: what follows the item before on the
    /// same line, a comment to its last blank, was there first.
    fn gap_before(&self, start: usize, after: usize, settled: usize) -> usize {
        let blank = [' ', '\t', '\n', '\r'];
        let tail = self.end_of_line_comment(settled);
        if self.text[tail..start].trim_matches(blank).is_empty() {
            return tail;
        }
        // Comments are in between. The line break that ends them stays, unless another one follows.
        let line = self.text[..start].trim_end_matches([' ', '\t']);
        let breaks = |text: &str| text.starts_with('\n') || text.starts_with("\r\n");
        let without = line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n'));
        without.filter(|_| breaks(&self.text[after..])).unwrap_or(line).len()
    }

    fn set_text(&mut self, key: &str, text: &str) -> Result<(), Error> {
        let existing = match self.root()? {
            Some(root) => self.section(&root)?.and_then(|section| member(&section, key).cloned()),
            None => None,
        };
        match existing {
            Some(member) => {
                self.text.replace_range(member.value.start..member.value.end, &quoted(text));
                Ok(())
            }
            None => self.add_member(|_, _| format!("{}: {}", quoted(key), quoted(text))),
        }
    }

    /// The position of a comma behind an item, past blanks and comments.
    fn comma_after(&self, end: usize) -> Option<usize> {
        let at = json::skip_blanks(&self.text, end);
        self.text[at..].starts_with(',').then_some(at)
    }

    /// Where a comment that begins on the same line ends; `at` itself if there is none.
    fn end_of_line_comment(&self, at: usize) -> usize {
        let line = self.text[at..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let comment = line.trim_start_matches([' ', '\t']);
        if comment.starts_with("//") {
            return at + line.len();
        }
        match comment.strip_prefix("/*").and_then(|rest| rest.find("*/")) {
            Some(end) => at + (line.len() - comment.len()) + end + 4,
            None => at,
        }
    }

    /// The blanks in front of an item that is first on its line.
    fn indent_of(&self, start: usize) -> Option<String> {
        let line_start = self.text[..start].rfind('\n')? + 1;
        let before = &self.text[line_start..start];
        before.trim_matches([' ', '\t']).is_empty().then(|| before.to_owned())
    }

    pub(super) fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// One step of indentation, as the first indented line has it.
    pub(super) fn unit(&self) -> String {
        let mut lines = self.text.lines().skip(1);
        let indented = lines.find_map(|line| {
            let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
            (blanks > 0 && blanks < line.len()).then(|| line[..blanks].to_owned())
        });
        indented.unwrap_or_else(|| "  ".to_owned())
    }
}
