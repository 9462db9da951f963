//! Which settings there are: those that count here, and those of other programs that share the files.

use aqueduct_rules::{Source, settings};
use aqueduct_sandbox as sandbox;
use aqueduct_wire::hint::Hint;
use serde_json::Value;

use super::check::{MEMBERS, MemberKind, PERMISSIONS, check, meant};

use crate::diagnostic::{Diagnostic, SourceLocation};
use crate::hook_config;

/// Settings that other programs read from the same files, with what they must be.
const OF_OTHERS: &[(&str, MemberKind)] = &[
    ("$schema", MemberKind::Text),
    ("allowedChannelPlugins", MemberKind::List),
    ("allowedHttpHookUrls", MemberKind::Texts),
    ("allowManagedMcpServersOnly", MemberKind::Switch),
    ("attribution", MemberKind::Object),
    ("autoMemoryDirectory", MemberKind::Text),
    ("autoMemoryEnabled", MemberKind::Switch),
    ("autoMode", MemberKind::Object),
    ("autoScrollEnabled", MemberKind::Switch),
    ("autoUpdates", MemberKind::Switch),
    ("autoUpdatesChannel", MemberKind::Text),
    ("availableModels", MemberKind::Texts),
    ("awsAuthRefresh", MemberKind::Text),
    ("awsCredentialExport", MemberKind::Text),
    ("blockedMarketplaces", MemberKind::List),
    ("channelsEnabled", MemberKind::Switch),
    ("claudeMdExcludes", MemberKind::Texts),
    ("cleanupPeriodDays", MemberKind::Number),
    ("companyAnnouncements", MemberKind::Texts),
    ("defaultShell", MemberKind::Text),
    ("disableAutoMode", MemberKind::Text),
    ("disableDeepLinkRegistration", MemberKind::Text),
    ("disableSkillShellExecution", MemberKind::Switch),
    ("editorMode", MemberKind::Text),
    ("enabledPlugins", MemberKind::Object),
    ("extraKnownMarketplaces", MemberKind::Object),
    ("fastMode", MemberKind::Switch),
    ("fastModePerSessionOptIn", MemberKind::Switch),
    ("feedbackSurveyRate", MemberKind::Number),
    ("fileSuggestion", MemberKind::Object),
    ("forceLoginMethod", MemberKind::Text),
    ("forceLoginOrgUUID", MemberKind::Any),
    ("forceRemoteSettingsRefresh", MemberKind::Switch),
    ("gcpAuthRefresh", MemberKind::Text),
    ("httpHookAllowedEnvVars", MemberKind::Texts),
    ("includeCoAuthoredBy", MemberKind::Switch),
    ("includeGitInstructions", MemberKind::Switch),
    ("language", MemberKind::Text),
    ("minimumVersion", MemberKind::Text),
    ("modelOverrides", MemberKind::Object),
    ("otelHeadersHelper", MemberKind::Text),
    ("plansDirectory", MemberKind::Text),
    ("pluginConfigs", MemberKind::Object),
    ("pluginTrustMessage", MemberKind::Text),
    ("preferredNotifChannel", MemberKind::Text),
    ("prefersReducedMotion", MemberKind::Switch),
    ("promptSuggestionEnabled", MemberKind::Switch),
    ("proxyAuthHelper", MemberKind::Text),
    ("respectGitignore", MemberKind::Switch),
    ("showClearContextOnPlanAccept", MemberKind::Switch),
    ("showThinkingSummaries", MemberKind::Switch),
    ("showTurnDuration", MemberKind::Switch),
    ("skipDangerousModePermissionPrompt", MemberKind::Switch),
    ("skipWebFetchPreflight", MemberKind::Switch),
    ("spinnerTipsEnabled", MemberKind::Switch),
    ("spinnerTipsOverride", MemberKind::Object),
    ("spinnerVerbs", MemberKind::Object),
    ("statusLine", MemberKind::Object),
    ("strictKnownMarketplaces", MemberKind::List),
    ("strictPluginOnlyCustomization", MemberKind::Any),
    ("subagentStatusLine", MemberKind::Object),
    ("syntaxHighlightingDisabled", MemberKind::Switch),
    ("teammateMode", MemberKind::Text),
    ("terminalProgressBarEnabled", MemberKind::Switch),
    ("theme", MemberKind::Text),
    ("useAutoModeDuringPlan", MemberKind::Switch),
    ("verbose", MemberKind::Switch),
    ("viewMode", MemberKind::Text),
    ("voiceEnabled", MemberKind::Switch),
    ("worktree", MemberKind::Object),
];

/// Why a name, or the names on the way to it, is no setting.
pub(crate) fn unknown_setting(path: &[&str]) -> Option<Diagnostic> {
    let name = path.first().copied().unwrap_or_default();
    let all = || MEMBERS.iter().chain(OF_OTHERS);
    let Some((_, kind)) = all().find(|(known, _)| *known == name) else {
        return Some(unknown(name, &all().map(|(known, _)| *known).collect::<Vec<_>>()));
    };
    match path.get(1) {
        Some(_) if !matches!(kind, MemberKind::Object | MemberKind::Any) => {
            Some(Diagnostic::problem(format!("the setting {name:?} has no members")))
        }
        Some(inner) if name == "permissions" && !PERMISSIONS.contains(inner) => {
            Some(unknown(&format!("permissions.{inner}"), PERMISSIONS))
        }
        _ => None,
    }
}

fn unknown(name: &str, known: &[&str]) -> Diagnostic {
    let last = name.rsplit('.').next().unwrap_or(name);
    let unknown = Diagnostic::problem(format!("the setting {name:?} is not known"));
    match meant(last, known) {
        Some(meant) => unknown.clause(format!("do you mean {meant}?")),
        None => unknown,
    }
}

/// What is wrong with settings that no file has yet, all of it. Nothing is ignored: they are refused.
pub(crate) fn diagnostics_in(value: &Value) -> Vec<Diagnostic> {
    const NAME: &str = "settings";
    let text = value.to_string();
    let (_, errors) = settings::read(NAME, &text);
    let hooks = hook_config::read_settings(Source::UserSettings, NAME, &text, value);
    let (_, sandbox) = sandbox::read_settings(&text, value);
    let of_others = value.as_object().into_iter().flatten().filter_map(|(name, value)| {
        let (_, kind) = OF_OTHERS.iter().find(|(known, _)| known == name)?;
        kind.refuses(value).map(|must| Diagnostic::problem(format!("{name} must be {must}")))
    });
    let errors = errors.into_iter().map(Diagnostic::from);
    let sandbox = sandbox.into_iter().map(Diagnostic::from);
    let all =
        errors.chain(hooks.diagnostics).chain(sandbox).chain(check(NAME, &text, value)).chain(of_others);
    let unplaced = |diagnostic: Diagnostic| {
        let hint = diagnostic.hint.filter(|hint| *hint != Hint::Ignored);
        Diagnostic { place: SourceLocation::default(), hint, ..diagnostic }
    };
    all.map(unplaced).collect()
}

/// The members of settings that have another shape than they must have. Rules of permissions are read elsewhere.
pub(crate) fn misfits(value: &Value) -> Vec<String> {
    let is_misfit = |name: &str, value: &Value| match name {
        "hooks" => value.as_object().is_some_and(|events| {
            events.iter().any(|(name, matchers)| hook_config::is_event(name) && !matchers.is_array())
        }),
        _ => {
            let kind =
                MEMBERS.iter().chain(OF_OTHERS).find(|(known, _)| *known == name).map(|(_, kind)| *kind);
            kind.is_some_and(|kind| kind.refuses(value).is_some())
        }
    };
    let members = value.as_object().into_iter().flatten();
    members.filter(|(name, value)| is_misfit(name, value)).map(|(name, _)| name.clone()).collect()
}
