//! Requests about mode, model and settings.

use aqueduct_rules::{Editability, Mode};
use aqueduct_wire::control::{
    AppliedSettings, ApplyFlagSettingsRequest, GetSettingsReply, ListPermissionRulesReply, ListedDirectory,
    ListedRule, PermissionRulesState, RuleEditability, SetMaxThinkingTokensRequest, SetModelReply,
    SetModelRequest, SetPermissionModeReply, SetPermissionModeRequest, ThinkingDisplay,
};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::hook::ModelSwitchSource;
use aqueduct_wire::json::{Map, Number, Raw, Str};
use aqueduct_wire::machine::{ControlError, INVALID_MODE, INVALID_REQUEST};
use aqueduct_wire::permission::{Destination, RuleBehavior};

use tokio_util::sync::CancellationToken;

use super::{ControlAnswer, done, reply};
use crate::session::{AgentSession, ThinkingLimit};

/// The levels of effort that settings may have.
const SAVED_EFFORTS: &[&str] = &["low", "medium", "high", "xhigh"];

/// Sets the mode. The second value is whether hosts must be notified of the change.
pub(super) fn set_permission_mode(
    session: &AgentSession,
    request: &SetPermissionModeRequest<'_>,
) -> (ControlAnswer, bool) {
    let name = request.mode.as_str();
    let mode = match name.parse::<Mode>() {
        Ok(mode) => mode,
        Err(error) => {
            let message = format!("Cannot set permission mode: {}", error.advised());
            return (Err(ControlError::new(INVALID_MODE, message)), false);
        }
    };
    if mode == Mode::BypassPermissions && !session.permissions.is_bypass_available() {
        let message = "Cannot set permission mode to bypassPermissions because the session was not launched \
            with --dangerously-skip-permissions";
        return (Err(ControlError::new("bypass_not_launched", message)), false);
    }
    let before = session.permissions.mode();
    if let Err(error) = session.permissions.set_mode(mode) {
        return (Err(ControlError::new(INVALID_MODE, error.advised())), false);
    }
    let mut answer = SetPermissionModeReply::new();
    answer.mode = Some(session.permissions.wire_mode());
    (reply(&answer), session.permissions.mode() != before)
}

/// Sets the model from the next call on, unless a hook forbids it.
pub(super) async fn set_model(session: &AgentSession, request: &SetModelRequest<'_>) -> ControlAnswer {
    if request.extra.get("model").is_some_and(|model| *model != Raw::NULL) {
        return Err(ControlError::new(INVALID_REQUEST, "set_model: model must be a text"));
    }
    let asked = request.model.as_ref().map(|name| name.to_string());
    if asked.as_deref().is_some_and(|name| name.trim().is_empty()) {
        return Err(ControlError::new("catalog_unknown", "set_model: the name of the model is empty"));
    }
    let (before, never) = (session.model(), CancellationToken::new());
    if let Err(why) = session.switch_model(asked.clone(), ModelSwitchSource::Sdk, &never).await {
        return Err(ControlError::new(
            "blocked_by_hook",
            format!("A hook blocked the change of model: {why}"),
        ));
    }
    note_model(session, &before, asked.as_deref()).await;
    let mut answer = SetModelReply::new();
    answer.model = Some(session.model().into());
    reply(&answer)
}

/// Reports a change of the model, where the model before has answered.
async fn note_model(session: &AgentSession, before: &str, asked: Option<&str>) {
    let has_answered = session.conversation.answered().is_some();
    if has_answered && session.model() != before {
        session.send_model_change(asked).await;
    }
}

/// Limits thinking; `null` takes the limit away.
pub(super) fn set_max_thinking_tokens(
    session: &AgentSession,
    request: &SetMaxThinkingTokensRequest<'_>,
) -> ControlAnswer {
    let is_other = |name: &str| request.extra.get(name).is_some_and(|value| *value != Raw::NULL);
    let display = !matches!(request.thinking_display, Some(ThinkingDisplay::Other(_)));
    let limit = request.max_thinking_tokens.as_ref().map(whole);
    let limit = match limit {
        _ if is_other("max_thinking_tokens") || is_other("thinking_display") || !display => None,
        None => Some(ThinkingLimit::Unset),
        Some(tokens) => tokens.map(ThinkingLimit::Tokens),
    };
    let Some(limit) = limit else {
        let message = "set_max_thinking_tokens: max_thinking_tokens must be a whole number or null, and \
            thinking_display one of summarized, omitted, highlights or null";
        return Err(ControlError { message: message.to_owned(), code: None });
    };
    session.model_choice.limit_thinking(limit);
    done()
}

/// A whole number of tokens; one that is too small or too large is the nearest that can be asked for.
fn whole(number: &Number<'_>) -> Option<u32> {
    let value = number.as_f64();
    // A conversion of a float to an integer ends at the integer's limits.
    (value.is_finite() && value.fract() == 0.0).then_some(value as u32)
}

/// Applies settings of the host. They override all files but those of the organisation.
pub(super) async fn apply_flag_settings(
    session: &AgentSession,
    request: &ApplyFlagSettingsRequest<'_>,
) -> ControlAnswer {
    let before = session.model();
    // Everything is validated before anything is applied.
    let invalid =
        |message: String| ControlError { message: format!("apply_flag_settings: {message}"), code: None };
    let name = |member: &str| match request.settings.get(member).map(|value| value.to::<Option<String>>()) {
        Some(Err(_)) => Err(invalid(format!("settings.{member} must be a name or null"))),
        Some(Ok(value)) => Ok(Some(value)),
        None => Ok(None),
    };
    let (model, effort) = (name("model")?, name("effortLevel")?);
    // `max` holds for the session and is no setting; neither is a level that does not exist.
    let is_setting =
        |level: &Raw<'_>| level.to::<String>().is_ok_and(|level| SAVED_EFFORTS.contains(&level.as_str()));
    let settings: Map<'_, Raw<'_>> = request
        .settings
        .iter()
        .map(|(name, value)| match name == "effortLevel" && !is_setting(value) {
            true => (name.to_owned(), Raw::NULL),
            false => (name.to_owned(), value.clone()),
        })
        .collect();
    let text = Raw::written(&settings);
    session.apply_flag_settings(text.as_str()).await.map_err(|error| invalid(error.advised()))?;
    if let Some(model) = model {
        session.model_choice.set_asked(model);
    }
    if let Some(level) = effort {
        session.model_choice.choose_effort(level);
    }
    note_model(session, &before, None).await;
    done()
}

/// What holds now, and where it comes from.
pub(super) fn get_settings(session: &AgentSession) -> ControlAnswer {
    let (effective, sources) = session.configuration().listing();
    let mut applied = AppliedSettings::new();
    applied.model = Some(session.model().into());
    applied.effort = session.effort().map(Into::into);
    applied.advisor = Some(Raw::NULL);
    applied.ultracode = Some(false);
    applied.ultracode_requested = Some(false);
    applied.ultracode_available = Some(false);
    applied.ultrathink_available = Some(false);
    applied.outside_reads_blocked = Some(false);
    applied.outside_writes_blocked = Some(false);
    applied.outside_blocks_count_launch_folders_only = Some(false);
    applied.launch_env_left_own_files_in_place = Some(true);
    let mut answer = GetSettingsReply::new();
    answer.effective = Some(effective);
    answer.sources = Some(sources);
    answer.applied = Some(applied);
    reply(&answer)
}

/// The rules that hold now.
pub(super) fn list_permission_rules(session: &AgentSession) -> ControlAnswer {
    let permissions = session.permissions.rules();
    let rules = permissions.rules().map(|entry| {
        let mut listed = ListedRule::new();
        listed.behavior = Some(RuleBehavior::from(Str::from(entry.behavior.name())));
        listed.source = Some(Destination::from(Str::from(entry.source.name())));
        listed.rule = Some(entry.text.clone().into());
        listed.editability = Some(match entry.source.editability() {
            Editability::Persistent => RuleEditability::Persistent,
            Editability::Session => RuleEditability::Session,
            Editability::Readonly => RuleEditability::ReadOnly,
        });
        listed
    });
    let directories = permissions.directories().iter().map(|directory| {
        let mut listed = ListedDirectory::new();
        listed.path = Some(directory.path.clone().into());
        listed.source = Some(directory.source.name().into());
        listed
    });
    let mut listed = PermissionRulesState::new();
    listed.rules = Some(rules.collect());
    listed.workspace_directories = Some(directories.collect());
    listed.original_cwd = Some(session.environment.cwd.display().to_string().into());
    listed.managed_only = Some(permissions.is_managed_only());
    let mut answer = ListPermissionRulesReply::new();
    answer.state = Some(listed);
    reply(&answer)
}
