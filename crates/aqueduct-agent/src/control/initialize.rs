//! `initialize`: the options of the host, and what the agent offers.

use std::sync::Arc;

use aqueduct_model::price::{self, ModelCard, ThinkingSupport};
use aqueduct_tools::AnswerForm;
use aqueduct_wire::agent_definition::EffortLevel;
use aqueduct_wire::control::{
    AccountInfo, AgentInfo, ApiProvider, InitializeReply, InitializeRequest, ListModelsReply, ModelInfo,
};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{ControlError, INVALID_REQUEST};

use super::{ControlAnswer, reply};
use crate::effort::EFFORTS;
use crate::provider::Provider;
use crate::session::{AgentSession, CAPABILITIES, PROTOCOL_VERSION, SCRIPTED};
use crate::subagent::{DefinitionSource as AgentsPlace, SubagentDefinition};

/// The alias of the usual model.
const DEFAULT: &str = "default";

/// The names that a model can be chosen by, how people call it, and what it is for.
const CHOICES: &[(&str, &str, &str)] = &[
    (DEFAULT, "Default (recommended)", "The default model"),
    ("opus", "Opus", "For complex, everyday work"),
    ("fable", "Fable", "For the hardest and longest tasks"),
    ("sonnet", "Sonnet", "For routine work"),
    ("haiku", "Haiku", "For quick answers"),
    (SCRIPTED, "Scripted", "Answers from a script, without a network"),
];

pub(super) async fn initialize(session: &AgentSession, request: InitializeRequest<'static>) -> ControlAnswer {
    if let Some(schema) = &request.json_schema {
        let form = AnswerForm::new(schema.as_str()).map_err(|wrong| ControlError {
            message: format!("initialize: jsonSchema {wrong}"),
            code: Some(INVALID_REQUEST.into()),
        })?;
        session.host_options.set_form(form);
    }
    let managed = match &request.managed_settings {
        Some(settings) => Some(session.take_in_policy(settings.as_str()).await.map_err(|wrong| {
            ControlError::new(INVALID_REQUEST, format!("initialize: managedSettings: {}", wrong.advised()))
        })?),
        None => None,
    };
    let fates = session.tool_context.mcp.introduce(&request).await;
    session.host_options.apply(&request);
    let trust = request.workspace_trust.as_ref().filter(|trust| {
        let folder = trust.directory.as_ref().map(|folder| session.environment.cwd.join(folder.as_str()));
        folder.is_none_or(|folder| folder == session.environment.cwd)
    });
    match trust.and_then(|trust| trust.accepted) {
        Some(true) => session.trust_folder(),
        Some(false) => session.warnings.drop_untrusted(),
        None => (),
    }
    let applied = request.hooks.as_ref().filter(|hooks| !hooks.is_empty()).map(|_| true);
    let hooks = request.hooks.as_ref().map(Raw::written).or_else(|| request.extra.get("hooks").cloned());
    let diagnostics = hooks.map(|hooks| session.hooks.register(&hooks)).unwrap_or_default();
    session.watch_named_files();
    for diagnostic in diagnostics {
        session.send_diagnostic(&diagnostic).await;
    }
    // One that has another shape costs itself, not the others.
    let reported = request.agents.as_ref().map(Raw::written).or_else(|| request.extra.get("agents").cloned());
    let diagnostics = reported
        .map(|reported| session.subagent_registry.take_in(AgentsPlace::Initialize, reported.as_str()));
    for diagnostic in diagnostics.unwrap_or_default() {
        session.send_diagnostic(&diagnostic).await;
    }
    if let Some(skills) = &request.skills {
        session.command_catalog.choose(skills.iter().map(|name| name.to_string()).collect());
    }
    let mut answer = InitializeReply::new();
    answer.commands = Some(session.commands());
    answer.agents = Some(agents(session));
    answer.sdk_mcp_manifests_parked = fates;
    answer.output_style = Some(session.output_style().into());
    answer.available_output_styles =
        Some(session.briefing.style_names().into_iter().map(Into::into).collect());
    answer.models = Some(models(session));
    answer.account = Some(account(session));
    answer.analytics_disabled = Some(true);
    answer.fast_mode_state = Some(session.fast_mode());
    answer.pid = Some(u64::from(std::process::id()).into());
    answer.claude_code_version = Some(PROTOCOL_VERSION.into());
    answer.current_permission_mode = Some(session.permissions.wire_mode());
    answer.session_state = Some(if session.run.is_running() { "running" } else { "idle" }.into());
    answer.capabilities = Some(CAPABILITIES.iter().map(|name| (*name).into()).collect());
    answer.managed_settings_applied = managed.map(|applied| Raw::written(&applied));
    answer.hooks_applied = applied;
    answer.hook_on_failure_supported = Some(true);
    answer.other_hook_ask_outranks_host = Some(true);
    reply(&answer)
}

/// Which service answers, and where the credentials for the Messages API come from. Other services have their own.
fn account(session: &AgentSession) -> AccountInfo<'static> {
    let mut account = AccountInfo::new();
    let provider = Provider::of(&session.environment);
    account.api_provider = Some(provider.map_or(ApiProvider::FirstParty, |provider| provider.name.into()));
    if provider.is_none() {
        let sources = session.models.key_sources();
        account.api_key_source = sources.key.map(Into::into);
        account.token_source = Some(sources.token.unwrap_or("none").into());
    }
    account
}

/// The kinds of subagents there are.
pub(super) fn agents(session: &AgentSession) -> Vec<AgentInfo<'static>> {
    let reported = |definition: &Arc<SubagentDefinition>| {
        let mut info = AgentInfo::new();
        info.name = Some(definition.name.clone().into());
        info.description = Some(definition.description.clone().into());
        info.model = definition.model.clone().map(Into::into);
        info
    };
    session.subagent_registry.all().iter().map(reported).collect()
}

pub(super) fn list_models(session: &AgentSession) -> ControlAnswer {
    let mut answer = ListModelsReply::new();
    answer.models = Some(models(session));
    reply(&answer)
}

fn models(session: &AgentSession) -> Vec<ModelInfo<'static>> {
    let mut models: Vec<ModelInfo<'static>> =
        CHOICES.iter().map(|(value, name, what)| described(session, value, name, what)).collect();
    let usual = session.models.resolve(None);
    // A gateway or a local server has models that no alias names.
    if !CHOICES.iter().any(|(value, ..)| *value != DEFAULT && session.models.resolve(Some(value)) == usual) {
        models.push(described(session, &usual, &usual, "Custom model"));
    }
    models
}

/// A model as pickers of hosts list it.
fn described(session: &AgentSession, value: &str, name: &str, what: &str) -> ModelInfo<'static> {
    let resolved = session.models.resolve(Some(value));
    let card = price::card(&resolved);
    let rates = card.map(|card| format!(" · ${}/${} per Mtok", card.rates.input, card.rates.output));
    let card = card.unwrap_or(ModelCard::UNKNOWN);
    let mut info = ModelInfo::new();
    info.value = Some(value.to_owned().into());
    info.display_name = Some(name.to_owned().into());
    info.description = Some(format!("{what}{}", rates.unwrap_or_default()).into());
    info.resolved_model = Some(resolved.clone().into());
    if resolved == SCRIPTED {
        return info;
    }
    if card.effort.is_some() {
        info.supports_effort = Some(true);
        info.supported_effort_levels = Some(EFFORTS.iter().map(|level| EffortLevel::from(*level)).collect());
    }
    info.supports_adaptive_thinking =
        matches!(card.thinks, ThinkingSupport::Adaptive | ThinkingSupport::Always).then_some(true);
    info.supports_fast_mode = card.has_fast_mode().then_some(true);
    info.supports_thinking_off = Some(card.thinks != ThinkingSupport::Always);
    info
}
