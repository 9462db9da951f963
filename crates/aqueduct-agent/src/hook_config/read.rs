//! Reads the hooks of settings files.

use std::time::Duration;

use aqueduct_rules::Source;
use aqueduct_rules::settings::{PathStep, line_of};
use aqueduct_wire::hint::HintedError as _;
use serde_json::{Map, Value};

use super::action::HookAction;
use super::configured::ConfiguredHook;
use super::event::HookEventRow;
use super::matcher::EventMatcher;
use super::read_action;
use crate::diagnostic::Diagnostic;

/// The longest time that a hook may ask for: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// What follows from an event that never happens.
const NEVER_RUN: &str = "its hooks never run";

/// Members that hooks of every kind have.
const MEMBERS: &[&str] = &["type", "timeout", "if", "once", "statusMessage"];

/// The hooks of one settings file.
#[derive(Debug, Clone, Default)]
pub(crate) struct HooksRead {
    /// Those that can run.
    pub(crate) hooks: Vec<ConfiguredHook>,
    /// What is wrong with the others, each with file and line, in their order.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Reads the hooks of a settings file. `value` is the parsed `text`.
pub(crate) fn read(source: Source, file: &str, text: &str, value: &Value) -> HooksRead {
    let read = read_lines(source, text, value);
    HooksRead { hooks: read.hooks, diagnostics: read.wrong.into_iter().map(|wrong| wrong.of(file)).collect() }
}

/// Hooks as they are read, with what is wrong by its line.
pub(crate) struct HookLines {
    /// Those that can run.
    pub(crate) hooks: Vec<ConfiguredHook>,
    /// What is wrong, in the order of the lines.
    pub(crate) wrong: Vec<Diagnostic>,
    /// A hook that was meant to run never does. An event that never happens here loses none.
    pub(crate) is_incomplete: bool,
}

/// Reads the hooks of a file.
pub(crate) fn read_lines(source: Source, text: &str, value: &Value) -> HookLines {
    let mut reading =
        HookConfigReader { source, text, hooks: Vec::new(), wrong: Vec::new(), is_incomplete: false };
    match value.get("hooks") {
        None | Some(Value::Null) => (),
        Some(Value::Object(events)) => {
            for (name, matchers) in events {
                reading.event(name, matchers);
            }
        }
        Some(_) => reading.lost(&[], "must be an object of events"),
    }
    reading.wrong.sort_by_key(Diagnostic::line);
    HookLines { hooks: reading.hooks, wrong: reading.wrong, is_incomplete: reading.is_incomplete }
}

struct HookConfigReader<'r> {
    source: Source,
    text: &'r str,
    hooks: Vec<ConfiguredHook>,
    /// Errors with their lines.
    wrong: Vec<Diagnostic>,
    is_incomplete: bool,
}

impl HookConfigReader<'_> {
    fn event(&mut self, name: &str, matchers: &Value) {
        let path = [PathStep::Member(name)];
        let Some(event) = HookEventRow::named(name) else {
            return self.lost(&path, Diagnostic::problem("is not an event").clause(NEVER_RUN));
        };
        if !event.happens {
            return self.wrong(&path, Diagnostic::problem("never happens in this agent").clause(NEVER_RUN));
        }
        let Some(matchers) = matchers.as_array() else {
            return self.lost(&path, "must be a list of matchers");
        };
        for (index, matcher) in matchers.iter().enumerate() {
            self.matcher(event, &[path[0], PathStep::Item(index)], matcher);
        }
    }

    fn matcher(&mut self, event: &'static HookEventRow, path: &[PathStep<'_>], value: &Value) {
        let inside = |name: &'static str| [path, &[PathStep::Member(name)]].concat();
        let Some(members) = value.as_object() else {
            return self.lost(path, "must be an object with \"hooks\"");
        };
        let text = match members.get("matcher") {
            None | Some(Value::Null) => "",
            Some(Value::String(text)) => text,
            Some(_) => return self.lost(&inside("matcher"), "must be a text"),
        };
        let matcher = match EventMatcher::new(text) {
            Ok(matcher) => matcher,
            Err(error) => return self.lost(&inside("matcher"), format!("is not a valid pattern: {error}")),
        };
        if event.subject.is_none() && !["", "*"].contains(&text) {
            self.wrong(&inside("matcher"), "means nothing here: the event is about nothing that has a name");
        }
        let Some(hooks) = members.get("hooks").and_then(Value::as_array) else {
            return self.lost(&inside("hooks"), "must be a list of hooks");
        };
        for name in members.keys().filter(|name| !["matcher", "hooks"].contains(&name.as_str())) {
            self.wrong(&[path, &[PathStep::Member(name)]].concat(), "is not known here and is ignored");
        }
        for (index, value) in hooks.iter().enumerate() {
            let path = [inside("hooks"), vec![PathStep::Item(index)]].concat();
            if let Some(hook) = self.hook(event, &path, value) {
                let matcher_text = text.to_owned();
                self.hooks.push(ConfiguredHook { matcher: matcher.clone(), matcher_text, ..hook });
            }
        }
    }

    fn hook(
        &mut self,
        event: &'static HookEventRow,
        path: &[PathStep<'_>],
        value: &Value,
    ) -> Option<ConfiguredHook> {
        let Some(members) = value.as_object() else {
            self.lost(path, "must be an object with \"type\"");
            return None;
        };
        let Ok((action, known)) = self.action(path, members) else { return None };
        let timeout = self.timeout(path, members);
        let condition = self.condition(path, members).ok()?;
        for name in
            ["async", "asyncRewake", "once", "continueOnBlock"].iter().filter(|name| known.contains(name))
        {
            if members.get(*name).is_some_and(|value| !value.is_boolean() && !value.is_null()) {
                self.wrong(&inside(path, name), Diagnostic::problem("must be true or false").ignored());
            }
        }
        if members.get("statusMessage").is_some_and(|value| !value.is_string() && !value.is_null()) {
            self.wrong(&inside(path, "statusMessage"), Diagnostic::problem("must be a text").ignored());
        }
        for name in members.keys().filter(|name| !known.contains(&name.as_str())) {
            self.wrong(&[path, &[PathStep::Member(name)]].concat(), "is not known here and is ignored");
        }
        Some(ConfiguredHook {
            event,
            matcher: EventMatcher::All,
            matcher_text: String::new(),
            action,
            timeout,
            condition,
            source: self.source,
            root: None,
            config: value.clone(),
            line: line_of(self.text, &[&[PathStep::Member("hooks")], path].concat()),
        })
    }

    /// What a hook does, and the members that it can have.
    fn action(
        &mut self,
        path: &[PathStep<'_>],
        members: &Map<String, Value>,
    ) -> Result<(HookAction, Vec<&'static str>), ()> {
        let kind = members.get("type").and_then(Value::as_str);
        let Some(kind) = read_action::KINDS.iter().find(|known| Some(known.name) == kind) else {
            let names: Vec<String> =
                read_action::KINDS.iter().map(|kind| format!("{:?}", kind.name)).collect();
            let what = Diagnostic::problem(format!("must be one of {}", names.join(", ")));
            self.lost(&inside(path, "type"), what.clause("this hook never runs"));
            return Err(());
        };
        let known = MEMBERS.iter().chain(kind.members).copied().collect();
        match (kind.read)(members) {
            Ok((action, ignored)) => {
                for fault in ignored {
                    self.wrong(&inside(path, fault.member), fault.what);
                }
                Ok((action, known))
            }
            Err(fault) => {
                self.lost(&inside(path, fault.member), fault.what);
                Err(())
            }
        }
    }

    fn timeout(&mut self, path: &[PathStep<'_>], members: &Map<String, Value>) -> Option<Duration> {
        let value = members.get("timeout").filter(|value| !value.is_null())?;
        let seconds = value.as_f64().filter(|seconds| *seconds > 0.0);
        if seconds.is_none() {
            self.wrong(
                &inside(path, "timeout"),
                Diagnostic::problem("must be a number of seconds").ignored(),
            );
        }
        seconds.map(|seconds| Duration::from_secs_f64(seconds.min(MAX_SECONDS)))
    }

    /// The permission rule that limits a hook. A hook whose rule is invalid does not run.
    fn condition(
        &mut self,
        path: &[PathStep<'_>],
        members: &Map<String, Value>,
    ) -> Result<Option<String>, ()> {
        match members.get("if") {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(rule)) => match aqueduct_rules::Rule::parse(rule) {
                Ok(_) => Ok(Some(rule.clone())),
                Err(error) => {
                    let message = format!("is not a valid permission rule: {error}");
                    let what = Diagnostic { hint: error.hint(), ..Diagnostic::problem(message) };
                    self.lost(&inside(path, "if"), what);
                    Err(())
                }
            },
            Some(_) => {
                self.lost(&inside(path, "if"), "must be a permission rule");
                Err(())
            }
        }
    }

    /// Reports an error that keeps a hook from running.
    fn lost(&mut self, path: &[PathStep<'_>], what: impl Into<Diagnostic>) {
        self.is_incomplete = true;
        self.wrong(path, what);
    }

    /// Reports an error; its message continues the path of the member.
    fn wrong(&mut self, path: &[PathStep<'_>], what: impl Into<Diagnostic>) {
        let path = [&[PathStep::Member("hooks")], path].concat();
        let mut name = String::new();
        for step in &path {
            match step {
                PathStep::Member(member) if name.is_empty() => name.push_str(member),
                PathStep::Member(member) => name.push_str(&format!(".{member}")),
                PathStep::Item(index) => name.push_str(&format!("[{index}]")),
            }
        }
        let line = line_of(self.text, &path);
        let what = what.into();
        let message = format!("{name} {}", what.message);
        self.wrong.push(Diagnostic { message, ..what }.at_line(line));
    }
}

/// The path of a member.
fn inside<'p>(path: &[PathStep<'p>], name: &'p str) -> Vec<PathStep<'p>> {
    [path, &[PathStep::Member(name)]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_async(hook: &ConfiguredHook) -> bool {
        matches!(&hook.action, HookAction::Command(action) if action.is_async)
    }

    fn shown(diagnostics: &[Diagnostic]) -> String {
        diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    fn read_text(text: &str) -> HooksRead {
        read(Source::UserSettings, "settings.json", text, &serde_json::from_str(text).unwrap())
    }

    #[test]
    fn hooks_are_read_with_what_they_are_for() {
        let read = read_text(
            r#"{ "hooks": {
                "PreToolUse": [{ "matcher": "Bash|Edit", "hooks": [
                    { "type": "command", "command": "check", "timeout": 1.5 },
                    { "type": "command", "command": "tell", "async": true, "if": "Bash(git:*)" }
                ] }],
                "Stop": [{ "hooks": [{ "type": "command", "command": "done" }] }]
            } }"#,
        );
        assert_eq!(read.diagnostics, []);
        let [check, notify, done] = &read.hooks[..] else { panic!("{:?}", read.hooks) };
        assert_eq!((check.event.name, check.action.content().as_str()), ("PreToolUse", "check"));
        assert_eq!(check.timeout, Some(Duration::from_millis(1500)));
        assert!(check.matcher.fits(Some("Edit")) && !check.matcher.fits(Some("Read")) && !is_async(check));
        assert!(is_async(notify) && notify.condition.as_deref() == Some("Bash(git:*)"));
        assert!(done.event.name == "Stop" && done.matcher.fits(None));
    }

    #[test]
    fn every_error_is_reported_with_its_line_and_the_rest_is_kept() {
        let text = r#"{ "hooks": {
  "Bogus": [],
  "TeammateIdle": [],
  "Stop": {},
  "PostToolUse": [
    7,
    { "matcher": 7, "hooks": [] },
    { "matcher": "[", "hooks": [] },
    { "matcher": "Bash" },
    { "maker": "Bash", "hooks": [
      "check",
      { "command": "check" },
      { "type": "script", "script": "is it good?" },
      { "type": "command" },
      { "type": "command", "command": "check", "timeout": "soon" },
      { "type": "command", "command": "check", "if": "Bash(" },
      { "type": "command", "command": "check", "timout": 3 }
    ] }
  ]
} }"#;
        let read = read_text(text);
        assert_eq!(read.hooks.len(), 2, "{:?}", read.hooks);
        insta::assert_snapshot!(shown(&read.diagnostics), @r#"
        settings.json:2: hooks.Bogus is not an event; its hooks never run
        settings.json:3: hooks.TeammateIdle never happens in this agent; its hooks never run
        settings.json:4: hooks.Stop must be a list of matchers
        settings.json:6: hooks.PostToolUse[0] must be an object with "hooks"
        settings.json:7: hooks.PostToolUse[1].matcher must be a text
        settings.json:8: hooks.PostToolUse[2].matcher is not a valid pattern: unclosed character class
        settings.json:9: hooks.PostToolUse[3].hooks must be a list of hooks
        settings.json:10: hooks.PostToolUse[4].maker is not known here and is ignored
        settings.json:11: hooks.PostToolUse[4].hooks[0] must be an object with "type"
        settings.json:12: hooks.PostToolUse[4].hooks[1].type must be one of "command", "http", "prompt", "agent", "mcp_tool"; this hook never runs
        settings.json:13: hooks.PostToolUse[4].hooks[2].type must be one of "command", "http", "prompt", "agent", "mcp_tool"; this hook never runs
        settings.json:14: hooks.PostToolUse[4].hooks[3].command must be a command
        settings.json:15: hooks.PostToolUse[4].hooks[4].timeout must be a number of seconds; it is ignored
        settings.json:16: hooks.PostToolUse[4].hooks[5].if is not a valid permission rule: rule `Bash(` does not end with the parenthesis that closes its content; write it as `Tool` or `Tool(content)`
        settings.json:17: hooks.PostToolUse[4].hooks[6].timout is not known here and is ignored
        "#);
        let read = read_text("{ \"hooks\": 3 }");
        assert_eq!(shown(&read.diagnostics), "settings.json:1: hooks must be an object of events");
    }
}
