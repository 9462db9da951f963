//! Tests of settings.

use std::fs;

use aqueduct_rules::{Mode, Source};
use aqueduct_wire::permission::{PermissionUpdate, RuleBehavior, RuleValue};
use serde_json::json;
use tempfile::TempDir;

use super::plain::plain;
use super::*;
use crate::environment::Environment;
use crate::trust;

struct Room {
    _folder: TempDir,
    environment: Environment,
}

impl Room {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let environment = Environment {
            cwd: root.join("proj"),
            home: root.join("home"),
            config: root.join("home/.claude"),
            temporary: root.join("tmp"),
            variables: Vec::new(),
            guard: Vec::new(),
        };
        fs::create_dir_all(&environment.cwd).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Room { _folder: folder, environment }
    }

    fn trust(&self) {
        let cwd = self.environment.cwd.to_str().unwrap();
        let record = json!({"projects": {cwd: {"hasTrustDialogAccepted": true}}});
        fs::create_dir_all(&self.environment.home).unwrap();
        fs::write(self.environment.home.join(".claude.json"), record.to_string()).unwrap();
    }

    fn read(&self, settings: Option<&str>, setting_sources: Option<&str>) -> Configuration {
        self.try_read(settings, setting_sources).unwrap()
    }

    fn try_read(
        &self,
        settings: Option<&str>,
        setting_sources: Option<&str>,
    ) -> Result<Configuration, ConfigurationError> {
        let managed = self.environment.home.join("managed.json");
        let sources = SettingsSources { managed: &managed, given_policy: None, settings, setting_sources };
        let mut configuration = Configuration::read(&self.environment, sources)?;
        trust::settle(&self.environment, &mut configuration, false);
        Ok(configuration)
    }
}

const ALL: [(&str, &str); 4] = [
    ("home/.claude/settings.json", r#"{"model":"user","a":1,"env":{"A":"user","B":"user"}}"#),
    ("proj/.claude/settings.json", r#"{"model":"project","b":2,"env":{"B":"project","C":1}}"#),
    ("proj/.claude/settings.local.json", r#"{"model":"local","c":3}"#),
    ("home/managed.json", r#"{"model":"policy"}"#),
];

#[test]
fn the_policy_has_the_highest_precedence() {
    let room = Room::with(&ALL);
    let configuration = room.read(Some(r#"{"model":"flag","d":4}"#), None);
    assert_eq!(configuration.text("model"), Some("policy"));
    for (key, value) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
        assert_eq!(configuration.get(key), Some(&json!(value)));
    }
    fs::remove_file(room.environment.home.join("managed.json")).unwrap();
    assert_eq!(room.read(Some(r#"{"model":"flag"}"#), None).text("model"), Some("flag"));
    assert_eq!(room.read(None, None).text("model"), Some("local"));
    assert_eq!(room.read(None, Some("user, project")).text("model"), Some("project"));
    assert_eq!(room.read(None, Some("user")).text("model"), Some("user"));
    assert_eq!(room.read(None, Some("")).text("model"), None);
}

#[test]
fn variables_of_a_project_take_trust() {
    let room = Room::with(&ALL);
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    assert_eq!(room.read(None, None).variables(), pairs(&[("A", "user"), ("B", "user")]));
    room.trust();
    assert_eq!(room.read(None, None).variables(), pairs(&[("A", "user"), ("B", "project"), ("C", "1")]));
}

#[test]
fn trust_is_of_one_folder_and_in_one_file() {
    let settings = r#"{"env":{"A":"1"}}"#;
    let mut room = Room::with(&[
        ("proj/.claude/settings.json", settings),
        ("proj/below/.claude/settings.json", settings),
    ]);
    room.environment.variables.push(("XDG_DATA_HOME".into(), room.environment.home.join("one").into()));
    room.trust();
    let is_trusted = |room: &Room| !room.read(None, None).variables().is_empty();
    assert!(is_trusted(&room));
    let project = room.environment.cwd.clone();
    room.environment.cwd = project.join("below");
    assert!(!is_trusted(&room));
    room.environment.cwd = project;
    room.environment.variables.push(("CLAUDE_CONFIG_DIR".into(), "/elsewhere".into()));
    // What was bound once is recorded here as well, and not only there.
    assert!(is_trusted(&room));
    room.environment.variables.push(("XDG_DATA_HOME".into(), room.environment.home.join("other").into()));
    assert!(!is_trusted(&room));
}

#[test]
fn errors_are_reported_and_the_rest_is_kept() {
    let room = Room::with(&[
        ("home/.claude/settings.json", "{\n  \"permissions\": {\"allow\": [\"Read\", 7]}\n}"),
        ("proj/.claude/settings.json", "{\"model\": \"x\""),
        ("proj/.claude/settings.local.json", "// why\n{\"model\": \"m\", /* this */ \"list\": [1, 2,],}"),
    ]);
    let configuration = room.read(None, None);
    let warnings = configuration.warnings();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(
        warnings[0].to_string().contains("settings.json")
            && warnings[0].message.contains("permissions.allow[1]"),
        "{warnings:?}"
    );
    assert_eq!(configuration.text("model"), Some("m"));
    let context = configuration.rules(&room.environment, &StartOptions::default()).unwrap();
    assert_eq!(context.rules().count(), 1);
}

#[test]
fn what_the_command_line_names_must_be_right() {
    let room = Room::with(&[("proj/more.json", r#"{"model":"more"}"#)]);
    assert_eq!(room.read(Some("more.json"), None).text("model"), Some("more"));
    let reported = |settings, sources| room.try_read(settings, sources).unwrap_err().to_string();
    assert!(reported(Some("nowhere.json"), None).contains("nowhere.json"));
    assert!(reported(Some("{\"permissions\": 7}"), None).contains("--settings"));
    assert!(reported(Some("{"), None).contains("--settings"));
    assert!(reported(None, Some("user,all")).contains("`all` is not a settings source"));
}

#[test]
fn rules_of_all_sources_meet() {
    let room = Room::with(&[
        (
            "home/.claude/settings.json",
            r#"{"permissions":{"allow":["Bash(ls:*)"],"defaultMode":"acceptEdits"}}"#,
        ),
        (
            "proj/.claude/settings.json",
            r#"{"permissions":{"deny":["Read(./.env)"],"defaultMode":"bypassPermissions"}}"#,
        ),
    ]);
    let options = StartOptions {
        allowed_tools: vec!["Edit,Bash(git commit:*) Read".to_owned()],
        disallowed_tools: vec!["WebFetch".to_owned()],
        directories: vec!["../home".into()],
        ..StartOptions::default()
    };
    let context = room.read(None, None).rules(&room.environment, &options).unwrap();
    let rules: Vec<String> = context
        .rules()
        .map(|entry| format!("{} {} {}", entry.source, entry.behavior.name(), entry.text))
        .collect();
    assert_eq!(
        rules,
        [
            "userSettings allow Bash(ls:*)",
            "projectSettings deny Read(./.env)",
            "cliArg allow Edit",
            "cliArg allow Bash(git commit:*)",
            "cliArg allow Read",
            "cliArg deny WebFetch",
        ]
    );
    assert_eq!(context.mode(), Mode::AcceptEdits, "a project can't waive questions");
    assert_eq!(context.directories()[0].path, room.environment.home.to_str().unwrap());
}

#[test]
fn a_policy_can_forbid_bypassing() {
    let room =
        Room::with(&[("home/managed.json", r#"{"permissions":{"disableBypassPermissionsMode":"disable"}}"#)]);
    let rules = |mode| {
        let options = StartOptions { mode, ..StartOptions::default() };
        room.read(Some(r#"{"permissions":{"defaultMode":"bypassPermissions"}}"#), None)
            .rules(&room.environment, &options)
    };
    assert!(rules(Some(Mode::BypassPermissions)).is_err());
    assert_eq!(rules(None).unwrap().mode(), Mode::Default);
}

fn grant(destination: Source) -> PermissionUpdate<'static> {
    let rules = vec![RuleValue::with_content("Bash", "mkdir:*")];
    PermissionUpdate::add_rules(rules, RuleBehavior::Allow, destination.into())
}

#[test]
fn a_grant_is_written_where_it_belongs() {
    let room = Room::with(&[("home/.claude/settings.json", "{\n  // mine\n  \"model\": \"m\"\n}\n")]);
    let saved = Configuration::save(&room.environment, &grant(Source::LocalSettings)).unwrap().unwrap();
    assert_eq!(saved, room.environment.cwd.join(".claude/settings.local.json"));
    let text = fs::read_to_string(&saved).unwrap();
    assert_eq!(
        plain(&text).parse::<serde_json::Value>().unwrap(),
        json!({"permissions": {"allow": ["Bash(mkdir:*)"]}})
    );
    let folder: Vec<_> = fs::read_dir(saved.parent().unwrap()).unwrap().collect();
    assert_eq!(folder.len(), 1, "nothing is left beside it");

    let saved = Configuration::save(&room.environment, &grant(Source::UserSettings)).unwrap().unwrap();
    let text = fs::read_to_string(saved).unwrap();
    assert!(text.contains("// mine") && text.contains("Bash(mkdir:*)"), "{text}");

    assert_eq!(Configuration::save(&room.environment, &grant(Source::Session)).unwrap(), None);
    assert!(Configuration::save(&room.environment, &grant(Source::PolicySettings)).is_err());
}

#[cfg(unix)]
#[test]
fn a_linked_settings_file_stays_a_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let room = Room::with(&[("dotfiles/settings.json", "{}\n"), ("home/.claude/x", "")]);
    let link = room.environment.config.join("settings.json");
    let real = room.environment.home.parent().unwrap().join("dotfiles/settings.json");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&real, &link).unwrap();
    Configuration::save(&room.environment, &grant(Source::UserSettings)).unwrap();
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("mkdir"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_broken_settings_file_is_not_written_over() {
    let room = Room::with(&[("proj/.claude/settings.local.json", "{ broken")]);
    assert!(Configuration::save(&room.environment, &grant(Source::LocalSettings)).is_err());
    let file = room.environment.cwd.join(".claude/settings.local.json");
    assert_eq!(fs::read_to_string(file).unwrap(), "{ broken");
}

#[test]
fn strings_stay_as_they_are() {
    let text = r#"{"a": "// no /* comment, \" ,]", "b": [1, // two
2 , ]}"#;
    let value: serde_json::Value = plain(text).parse().unwrap();
    assert_eq!(value, json!({"a": "// no /* comment, \" ,]", "b": [1, 2]}));
}
