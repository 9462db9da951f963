//! The permissions in a settings file.

use aqueduct_wire::hint::{Hint, HintedError as _};

use super::json::{self, JsonMember, JsonNode, JsonValue};
use crate::behavior::Behavior;
use crate::context::Context;
use crate::error::Error;
use crate::mode::Mode;
use crate::rule::Rule;
use crate::source::Source;

/// The permissions of one settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Rules that allow, as written.
    pub allow: Vec<String>,
    /// Rules that ask, as written.
    pub ask: Vec<String>,
    /// Rules that deny, as written.
    pub deny: Vec<String>,
    /// The mode to start in.
    pub default_mode: Option<Mode>,
    /// More directories to work in.
    pub additional_directories: Vec<String>,
    /// Whether bypassing is switched off.
    pub disables_bypass: bool,
    /// Whether only the organisation's own rules count. Means something in its settings alone.
    pub managed_rules_only: bool,
}

impl Settings {
    /// The rules of one behavior.
    pub fn rules(&self, behavior: Behavior) -> &[String] {
        match behavior {
            Behavior::Allow => &self.allow,
            Behavior::Ask => &self.ask,
            Behavior::Deny => &self.deny,
        }
    }

    /// Puts the rules and directories into a context. The mode is left to the caller, who knows which
    /// source takes precedence.
    pub fn add_to(&self, context: &mut Context, source: Source) {
        for behavior in Behavior::ALL {
            // What can't be used was reported with its line when the file was read.
            let _ = context.add_rules(source, behavior, self.rules(behavior));
        }
        context.add_directories(source, &self.additional_directories);
    }
}

/// Reads a settings file. What can be read is given even when something is wrong; every fault is reported
/// with its line and field. `file` is only used in the messages.
pub fn read(file: &str, text: &str) -> (Settings, Vec<Error>) {
    let mut reader = SettingsReader { file, text, errors: Vec::new() };
    let mut settings = Settings::default();
    match json::parse(text) {
        Err(fault) => reader.hinted(fault.at, "", fault.problem, fault.hint()),
        Ok(None) => {}
        Ok(Some(root)) => reader.root(&root, &mut settings),
    }
    (settings, reader.errors)
}

struct SettingsReader<'a> {
    file: &'a str,
    text: &'a str,
    errors: Vec<Error>,
}

impl SettingsReader<'_> {
    fn error(&mut self, at: usize, field: &str, problem: impl Into<String>) {
        self.hinted(at, field, problem, None);
    }

    fn hinted(&mut self, at: usize, field: &str, problem: impl Into<String>, hint: Option<Hint>) {
        let (line, column) = json::position(self.text, at);
        let (file, field, problem) = (self.file.to_owned(), field.to_owned(), problem.into());
        self.errors.push(Error::Settings { file, line, column, field, problem, hint });
    }

    fn members<'n>(&mut self, node: &'n JsonNode, field: &str) -> &'n [JsonMember] {
        match &node.value {
            JsonValue::Object(members) => members,
            _ => {
                self.hinted(node.start, field, "must be an object", Some(Hint::clause("write `{ … }`")));
                &[]
            }
        }
    }

    fn root(&mut self, root: &JsonNode, settings: &mut Settings) {
        for member in self.members(root, "") {
            match member.key.as_str() {
                "permissions" => self.permissions(&member.value, settings),
                "allowManagedPermissionRulesOnly" => match member.value.value {
                    JsonValue::Bool(only) => settings.managed_rules_only = only,
                    _ => self.error(member.value.start, &member.key, "must be true or false"),
                },
                _ => {}
            }
        }
    }

    fn permissions(&mut self, node: &JsonNode, settings: &mut Settings) {
        for member in self.members(node, "permissions") {
            let field = format!("permissions.{}", member.key);
            match member.key.as_str() {
                "allow" => settings.allow = self.rules(&member.value, &field),
                "ask" => settings.ask = self.rules(&member.value, &field),
                "deny" => settings.deny = self.rules(&member.value, &field),
                "additionalDirectories" => {
                    settings.additional_directories = self.texts(&member.value, &field)
                }
                "defaultMode" => settings.default_mode = self.mode(&member.value, &field),
                "disableBypassPermissionsMode" => match &member.value.value {
                    JsonValue::Text(text) if text == "disable" => settings.disables_bypass = true,
                    JsonValue::Bool(disabled) => settings.disables_bypass = *disabled,
                    _ => {
                        // What was meant to forbid must not be lost to a spelling error.
                        settings.disables_bypass = true;
                        self.error(member.value.start, &field, "must be \"disable\"");
                    }
                },
                _ => {}
            }
        }
    }

    fn mode(&mut self, node: &JsonNode, field: &str) -> Option<Mode> {
        let JsonValue::Text(text) = &node.value else {
            self.error(node.start, field, "must be the name of a permission mode in double quotes");
            return None;
        };
        match text.parse() {
            Ok(mode) => Some(mode),
            Err(error) => {
                self.hinted(node.start, field, error.to_string(), error.hint());
                None
            }
        }
    }

    fn texts(&mut self, node: &JsonNode, field: &str) -> Vec<String> {
        let JsonValue::Array(items) = &node.value else {
            self.hinted(node.start, field, "must be a list", Some(Hint::clause("write `[ … ]`")));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match &item.value {
                JsonValue::Text(text) => texts.push(text.clone()),
                _ => {
                    self.error(item.start, &format!("{field}[{index}]"), "must be a string in double quotes")
                }
            }
        }
        texts
    }

    /// Rules as written; those that can't be read stay in the list, where the context knows what to make
    /// of them.
    fn rules(&mut self, node: &JsonNode, field: &str) -> Vec<String> {
        let texts = self.texts(node, field);
        if let JsonValue::Array(items) = &node.value {
            for (index, item) in items.iter().enumerate() {
                if let JsonValue::Text(text) = &item.value
                    && let Err(error) = Rule::parse(text)
                {
                    self.hinted(item.start, &format!("{field}[{index}]"), error.to_string(), error.hint());
                }
            }
        }
        texts
    }
}
