//! The hooks of settings files, listed for hosts.

use aqueduct_rules::Source;
use aqueduct_wire::control::GetHooksListingReply;
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use crate::hook_config::ConfiguredHook;
use crate::hook_config::HookAction;
use crate::hook_config::{EVENTS, HookEventRow};
use crate::session::AgentSession;

impl AgentSession {
    /// The hooks that run, the events that there are, and what is wrong with the rest.
    pub(crate) fn list_hooks(&self) -> GetHooksListingReply<'static> {
        let configuration = self.configuration();
        let hooks: Vec<&ConfiguredHook> = configuration.hooks().collect();
        let policy = configuration.hooks_policy();
        let count = |event: &HookEventRow| hooks.iter().filter(|hook| hook.event.name == event.name).count();
        let used = EVENTS.iter().filter(|event| count(event) > 0).map(|event| {
            let mut described = described(event);
            described["hookCount"] = count(event).into();
            Raw::from(&described)
        });
        let errors: Vec<Raw<'static>> = configuration
            .hook_diagnostics()
            .into_iter()
            .map(|diagnostic| Raw::from(&Value::from(diagnostic.to_string())))
            .collect();
        let mut listing = GetHooksListingReply::new();
        listing.events = Some(used.collect());
        listing.hooks = Some(hooks.iter().map(|hook| Raw::from(&listed(hook))).collect());
        let catalog = EVENTS.iter().filter(|event| event.happens);
        listing.event_catalog = Some(catalog.map(|event| Raw::from(&described(event))).collect());
        listing.policy = Some(Raw::from(&json!({
            "disabledByPolicy": policy.disabled_by_policy,
            "managedOnly": policy.managed_only,
            "pluginOnly": false,
            "allDisabled": policy.all_disabled,
            "policyHookCount": policy.policy_hooks,
        })));
        listing.errors = (!errors.is_empty()).then_some(errors);
        listing
    }
}

fn described(event: &HookEventRow) -> Value {
    json!({ "name": event.name, "summary": event.summary, "supportsMatcher": event.subject.is_some() })
}

fn listed(hook: &ConfiguredHook) -> Value {
    let mut listed = json!({
        "event": hook.event.name,
        "matcher": hook.matcher_text,
        "source": hook.source.name(),
        "sourceLabel": label(hook.source),
        "type": hook.action.kind(),
        "displayText": hook.action.content(),
        "contentLabel": hook.action.label(),
    });
    if let HookAction::Command(action) = &hook.action {
        listed["commandText"] = action.command.as_str().into();
    }
    if let Some(timeout) = hook.config.get("timeout") {
        listed["timeout"] = timeout.clone();
    }
    listed["editable"] = json!({ "matcher": hook.matcher_text, "config": hook.config });
    listed
}

/// Where a hook comes from, for people.
fn label(source: Source) -> &'static str {
    match source {
        Source::UserSettings => "User settings",
        Source::ProjectSettings => "Project settings (.claude/settings.json)",
        Source::LocalSettings => "Local settings (.claude/settings.local.json)",
        Source::PolicySettings => "Settings of the organisation",
        _ => "Settings of the command line or the host",
    }
}
