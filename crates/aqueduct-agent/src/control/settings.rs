//! Requests about mode, model and settings.

use aqueduct_rules::{Editability, Mode};
use aqueduct_wire::control::{
    AppliedSettings, ApplyFlagSettingsRequest, GetSettingsReply, ListPermissionRulesReply, ListedDirectory,
    ListedRule, PermissionRulesState, RuleEditability, SetMaxThinkingTokensRequest, SetModelReply,
    SetModelRequest, SetPermissionModeReply, SetPermissionModeRequest,
};
use aqueduct_wire::hook::ModelSwitchSource;
use aqueduct_wire::json::{Map, Raw, Str};
use aqueduct_wire::machine::{ControlError, INVALID_REQUEST};
use aqueduct_wire::permission::{Destination, RuleBehavior};

use tokio_util::sync::CancellationToken;

use super::{Answer, done, reply};
use crate::json_text::to_raw;
use crate::session::{Session, ThinkingLimit};

/// The levels of effort that settings may have.
const SAVED_EFFORTS: &[&str] = &["low", "medium", "high", "xhigh"];

/// Sets the mode; also says whether it is to be told.
pub(super) fn set_permission_mode(
    session: &Session,
    request: &SetPermissionModeRequest<'_>,
) -> (Answer, bool) {
    let name = request.mode.as_str();
    let mode = match name.parse::<Mode>() {
        Ok(mode) => mode,
        Err(error) => {
            let message = format!("Cannot set permission mode: {error}");
            return (Err(ControlError::new("invalid_mode", message)), false);
        }
    };
    if mode == Mode::BypassPermissions && !session.state().rules.is_bypass_available() {
        let message = "Cannot set permission mode to bypassPermissions because the session was not launched \
            with --dangerously-skip-permissions";
        return (Err(ControlError::new("bypass_not_launched", message)), false);
    }
    if let Err(error) = session.set_mode(mode) {
        return (Err(ControlError::new("invalid_mode", error.to_string())), false);
    }
    let mut answer = SetPermissionModeReply::new();
    answer.mode = Some(session.wire_mode());
    (reply(&answer), true)
}

/// Sets the model from the next call on, unless a hook forbids it.
pub(super) async fn set_model(session: &Session, request: &SetModelRequest<'_>) -> Answer {
    let asked = request.model.as_ref().map(|name| name.to_string());
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
async fn note_model(session: &Session, before: &str, asked: Option<&str>) {
    let has_answered = session.state().answered.is_some();
    if has_answered && session.model() != before {
        session.send_model_change(asked).await;
    }
}

/// Limits thinking; `null` takes the limit away.
pub(super) fn set_max_thinking_tokens(
    session: &Session,
    request: &SetMaxThinkingTokensRequest<'_>,
) -> Answer {
    let tokens = request.max_thinking_tokens.as_ref();
    let limit = match tokens.map(|tokens| tokens.as_u64().and_then(|tokens| u32::try_from(tokens).ok())) {
        None => ThinkingLimit::Unset,
        Some(Some(tokens)) => ThinkingLimit::Tokens(tokens),
        Some(None) => {
            let message = "max_thinking_tokens must be a number of tokens, or null for no limit";
            return Err(ControlError::new(INVALID_REQUEST, message));
        }
    };
    session.state().thinking = limit;
    done()
}

/// Takes settings of the host in, above all files but those of the organisation.
pub(super) async fn apply_flag_settings(session: &Session, request: &ApplyFlagSettingsRequest<'_>) -> Answer {
    let before = session.model();
    match request.settings.get("model").map(|model| model.to::<Option<String>>()) {
        Some(Ok(model)) => session.state().asked_model = model,
        Some(Err(_)) => {
            return Err(ControlError::new(INVALID_REQUEST, "settings.model must be a name or null"));
        }
        None => (),
    }
    match request.settings.get("effortLevel").map(|level| level.to::<Option<String>>()) {
        Some(Ok(level)) => session.choose_effort(level),
        Some(Err(_)) => {
            return Err(ControlError::new(INVALID_REQUEST, "settings.effortLevel must be a level or null"));
        }
        None => (),
    }
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
    let text = to_raw(&settings);
    let applied = session.apply_flag_settings(text.as_str()).await;
    applied.map_err(|error| ControlError::new(INVALID_REQUEST, error))?;
    note_model(session, &before, None).await;
    done()
}

/// What holds now, and where it comes from.
pub(super) fn get_settings(session: &Session) -> Answer {
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
pub(super) fn list_permission_rules(session: &Session) -> Answer {
    let state = session.state();
    let rules = state.rules.rules().map(|entry| {
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
    let directories = state.rules.directories().iter().map(|directory| {
        let mut listed = ListedDirectory::new();
        listed.path = Some(directory.path.clone().into());
        listed.source = Some(directory.source.name().into());
        listed
    });
    let mut listed = PermissionRulesState::new();
    listed.rules = Some(rules.collect());
    listed.workspace_directories = Some(directories.collect());
    listed.original_cwd = Some(session.environment.cwd.display().to_string().into());
    listed.managed_only = Some(state.rules.is_managed_only());
    let mut answer = ListPermissionRulesReply::new();
    answer.state = Some(listed);
    reply(&answer)
}
