//! The table of what needs trust.

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::check::known_members;
use super::*;
use crate::configuration::{Configuration, SettingsSources};
use crate::environment::Environment;

/// Members of settings that need no trust: they change the model's behaviour, not its permissions.
const HARMLESS: &[&str] = &[
    "model",
    "outputStyle",
    // The subagent that it names needs trust for its own rights.
    "agent",
    "effortLevel",
    "alwaysThinkingEnabled",
    // They forbid, or count in the organisation's settings only.
    "allowManagedHooksOnly",
    "allowManagedPermissionRulesOnly",
    "disabledMcpjsonServers",
    "allowedMcpServers",
    "deniedMcpServers",
];

fn everything() -> Value {
    json!({
        "permissions": { "allow": ["Bash(make:*)"], "deny": ["Read(./x)"], "additionalDirectories": ["../more"], "defaultMode": "acceptEdits" },
        "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "one" }, { "type": "command", "command": "two" }] }] },
        "env": { "A": "a", "B": 2 },
        "mcpServers": { "s": { "command": "serve" } },
        "enableAllProjectMcpServers": true,
        "enabledMcpjsonServers": ["s"],
        "disableAllHooks": true,
        "apiKeyHelper": "key.sh",
        "sandbox": {
            "enabled": false, "failIfUnavailable": false, "autoAllowBashIfSandboxed": true, "excludedCommands": ["docker"],
            "network": { "allowedDomains": ["a.test"], "deniedDomains": ["b.test"], "allowAllUnixSockets": true },
            "filesystem": { "allowWrite": ["/w"], "allowRead": ["/r"], "denyRead": ["/d"] },
            "ignoreViolations": { "x": ["y"] },
        },
        "model": "m",
    })
}

fn scope(value: &Value) -> SettingsScope {
    let folder = tempfile::tempdir().unwrap();
    let cwd = folder.path().join("proj");
    std::fs::create_dir_all(cwd.join(".claude")).unwrap();
    std::fs::write(cwd.join(".claude/settings.json"), serde_json::to_string_pretty(value).unwrap()).unwrap();
    let environment = Environment {
        cwd,
        home: "/nonexistent".into(),
        config: "/nonexistent/.claude".into(),
        temporary: "/nonexistent".into(),
        variables: Vec::new(),
        guard: Vec::new(),
    };
    let sources = SettingsSources {
        managed: Path::new("/nonexistent"),
        given_policy: None,
        settings: None,
        setting_sources: None,
    };
    Configuration::read(&environment, sources).unwrap().of_folder.remove(0)
}

fn without_servers(provisions: Vec<Provision>) -> Vec<Provision> {
    provisions.into_iter().filter(|provision| provision.kind != ProvisionKind::Server).collect()
}

#[test]
fn every_kind_is_listed_and_withheld() {
    let mut scope = scope(&everything());
    let kinds: BTreeSet<ProvisionKind> = provisions(&scope).iter().map(|provision| provision.kind).collect();
    let elsewhere = [ProvisionKind::Skill, ProvisionKind::Command, ProvisionKind::Agent];
    assert_eq!(kinds, ProvisionKind::all().filter(|kind| !elsewhere.contains(kind)).collect());
    let all = provisions(&scope);
    withhold(&mut scope, &AcceptedProvisions::All);
    assert_eq!(provisions(&scope), all);
    withhold(&mut scope, &AcceptedProvisions::nothing());
    assert_eq!(without_servers(provisions(&scope)), []);
    // What forbids stays.
    assert_eq!(scope.settings.deny, ["Read(./x)"]);
    assert_eq!(scope.value["model"], "m");
}

#[test]
fn every_member_of_settings_is_on_one_side() {
    for name in known_members() {
        let value = everything();
        let is_listed = value.get(name).is_some_and(|member| {
            let alone = scope(&json!({ name: member }));
            !provisions(&alone).is_empty()
        });
        assert_ne!(is_listed, HARMLESS.contains(&name), "{name}");
    }
}

proptest! {
    /// Whatever part of it is accepted: exactly that part is in effect.
    #[test]
    fn exactly_what_is_accepted_is_in_effect(choice in any::<u32>()) {
        let mut scope = scope(&everything());
        let all = without_servers(provisions(&scope));
        let is_chosen = |index: usize| choice & (1 << (index % 32)) != 0;
        let chosen: Vec<Provision> =
            all.iter().enumerate().filter(|(index, _)| is_chosen(*index)).map(|(_, item)| item.clone()).collect();
        withhold(&mut scope, &AcceptedProvisions::Only(chosen.iter().map(|item| item.digest).collect()));
        let key = |items: &[Provision]| -> BTreeSet<(ProvisionKind, String, String)> {
            items.iter().map(|item| (item.kind, item.name.clone(), item.detail.clone())).collect()
        };
        prop_assert_eq!(key(&without_servers(provisions(&scope))), key(&chosen));
    }
}
