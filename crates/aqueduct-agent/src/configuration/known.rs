//! Which settings there are: those that count here, and those of other programs that share the files.

use aqueduct_rules::{Source, settings};
use aqueduct_sandbox as sandbox;
use serde_json::Value;

use super::check::{Kind, MEMBERS, PERMISSIONS, check, meant};

use crate::diagnostic::{Diagnostic, Hint, SourceLocation};
use crate::hook_config;

/// Settings that other programs read from the same files, with what they must be.
const OF_OTHERS: &[(&str, Kind)] = &[
    ("$schema", Kind::Text),
    ("allowedChannelPlugins", Kind::List),
    ("allowedHttpHookUrls", Kind::Texts),
    ("allowManagedMcpServersOnly", Kind::Switch),
    ("attribution", Kind::Object),
    ("autoMemoryDirectory", Kind::Text),
    ("autoMemoryEnabled", Kind::Switch),
    ("autoMode", Kind::Object),
    ("autoScrollEnabled", Kind::Switch),
    ("autoUpdates", Kind::Switch),
    ("autoUpdatesChannel", Kind::Text),
    ("availableModels", Kind::Texts),
    ("awsAuthRefresh", Kind::Text),
    ("awsCredentialExport", Kind::Text),
    ("blockedMarketplaces", Kind::List),
    ("channelsEnabled", Kind::Switch),
    ("claudeMdExcludes", Kind::Texts),
    ("cleanupPeriodDays", Kind::Number),
    ("companyAnnouncements", Kind::Texts),
    ("defaultShell", Kind::Text),
    ("disableAutoMode", Kind::Text),
    ("disableDeepLinkRegistration", Kind::Text),
    ("disableSkillShellExecution", Kind::Switch),
    ("editorMode", Kind::Text),
    ("enabledPlugins", Kind::Object),
    ("extraKnownMarketplaces", Kind::Object),
    ("fastMode", Kind::Switch),
    ("fastModePerSessionOptIn", Kind::Switch),
    ("feedbackSurveyRate", Kind::Number),
    ("fileSuggestion", Kind::Object),
    ("forceLoginMethod", Kind::Text),
    ("forceLoginOrgUUID", Kind::Any),
    ("forceRemoteSettingsRefresh", Kind::Switch),
    ("gcpAuthRefresh", Kind::Text),
    ("httpHookAllowedEnvVars", Kind::Texts),
    ("includeCoAuthoredBy", Kind::Switch),
    ("includeGitInstructions", Kind::Switch),
    ("language", Kind::Text),
    ("minimumVersion", Kind::Text),
    ("modelOverrides", Kind::Object),
    ("otelHeadersHelper", Kind::Text),
    ("plansDirectory", Kind::Text),
    ("pluginConfigs", Kind::Object),
    ("pluginTrustMessage", Kind::Text),
    ("preferredNotifChannel", Kind::Text),
    ("prefersReducedMotion", Kind::Switch),
    ("promptSuggestionEnabled", Kind::Switch),
    ("proxyAuthHelper", Kind::Text),
    ("respectGitignore", Kind::Switch),
    ("showClearContextOnPlanAccept", Kind::Switch),
    ("showThinkingSummaries", Kind::Switch),
    ("showTurnDuration", Kind::Switch),
    ("skipDangerousModePermissionPrompt", Kind::Switch),
    ("skipWebFetchPreflight", Kind::Switch),
    ("spinnerTipsEnabled", Kind::Switch),
    ("spinnerTipsOverride", Kind::Object),
    ("spinnerVerbs", Kind::Object),
    ("statusLine", Kind::Object),
    ("strictKnownMarketplaces", Kind::List),
    ("strictPluginOnlyCustomization", Kind::Any),
    ("subagentStatusLine", Kind::Object),
    ("syntaxHighlightingDisabled", Kind::Switch),
    ("teammateMode", Kind::Text),
    ("terminalProgressBarEnabled", Kind::Switch),
    ("theme", Kind::Text),
    ("useAutoModeDuringPlan", Kind::Switch),
    ("verbose", Kind::Switch),
    ("viewMode", Kind::Text),
    ("voiceEnabled", Kind::Switch),
    ("worktree", Kind::Object),
];

/// Why a name, or the names on the way to it, is no setting.
pub(crate) fn unknown_setting(path: &[&str]) -> Option<Diagnostic> {
    let name = path.first().copied().unwrap_or_default();
    let all = || MEMBERS.iter().chain(OF_OTHERS);
    let Some((_, kind)) = all().find(|(known, _)| *known == name) else {
        return Some(unknown(name, &all().map(|(known, _)| *known).collect::<Vec<_>>()));
    };
    match path.get(1) {
        Some(_) if !matches!(kind, Kind::Object | Kind::Any) => {
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
pub(crate) fn mistakes_in(value: &Value) -> Vec<Diagnostic> {
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
    let all = errors.chain(hooks.mistakes).chain(sandbox).chain(check(NAME, &text, value)).chain(of_others);
    let unplaced = |mistake: Diagnostic| {
        let hint = mistake.hint.filter(|hint| *hint != Hint::Ignored);
        Diagnostic { place: SourceLocation::default(), hint, ..mistake }
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
