//! Frames about the session.

use aqueduct_model::price;
use aqueduct_wire::FromAgent;
use aqueduct_wire::control::SlashCommand;
use aqueduct_wire::error_name::{ErrorDetail, ErrorObject};
use aqueduct_wire::frame::{CommandLifecycle, CommandState, ErrorFrame, TranscriptMirror};
use aqueduct_wire::system::{
    ApiKeySource, Capability, CommandsChanged, Informational, InitPlugin, NoticeLevel, PluginError,
    SessionState, SessionStateChanged, SessionTitleChanged, SystemFrame, SystemInit, SystemStatus,
};

use super::warnings::Subject;
use super::{AgentSession, PROTOCOL_VERSION, SCRIPTED, StateReports};
use crate::clock::fresh_uuid;
use crate::command::COMMANDS;
use crate::custom_command::{CommandOrigin, CustomCommand, CustomCommandKind};
use crate::diagnostic::Diagnostic;
use crate::plugin::{BrokenPlugin, Plugin};
use crate::prompt_queue::QueuedPrompt;

/// The capabilities beyond the base protocol that hosts may rely on.
pub(crate) const CAPABILITIES: &[&str] = &[
    "interrupt_receipt_v1",
    "interrupt_cancel_queued_v1",
    "msg_lifecycle_v1",
    "request_marker_lists_v1",
    "ask_user_question_unanswered_v1",
];

impl AgentSession {
    /// Sends `init`, which describes the session, before every turn.
    pub(crate) async fn send_init(&self, prompts: &[String]) {
        if !self.outbox.wants_frames() {
            return;
        }
        let mut init = SystemInit::new(self.id());
        let cwd = self.tool_context.workspace.cwd().display().to_string();
        init.uuid = Some(fresh_uuid().into());
        init.cwd = Some(cwd.into());
        init.tools = Some(self.tools().iter().map(|tool| tool.listed_name().to_owned().into()).collect());
        init.mcp_servers = Some(self.tool_context.mcp.in_short());
        init.model = Some(self.model().into());
        init.permission_mode = Some(self.permissions.wire_mode());
        let commands = self.commands();
        init.slash_commands = Some(commands.into_iter().filter_map(|command| command.name).collect());
        init.output_style = Some(self.output_style().into());
        let custom_commands = self.command_catalog.custom_commands();
        let skills = custom_commands.into_iter().filter(|custom_command| {
            custom_command.kind == CustomCommandKind::Skill && custom_command.is_for_users
        });
        init.skills = Some(skills.map(|skill| skill.name.into()).collect());
        init.plugins = Some(self.plugins.all.iter().map(listed).collect());
        if !self.plugins.broken.is_empty() {
            init.plugin_errors = Some(self.plugins.broken.iter().map(failed).collect());
        }
        init.api_key_source = Some(ApiKeySource::from(self.models.key_source()));
        init.claude_code_version = Some(PROTOCOL_VERSION.into());
        let agents = self.subagent_registry.all();
        init.agents = Some(agents.iter().map(|agent| agent.name.clone().into()).collect());
        init.fast_mode_state = Some(self.fast_mode());
        // Nothing is ever sent anywhere but to the model.
        init.analytics_disabled = Some(true);
        init.product_feedback_disabled = Some(true);
        init.capabilities = Some(CAPABILITIES.iter().map(|name| Capability::from(*name)).collect());
        init.original_cwd = Some(self.environment.cwd.display().to_string().into());
        let directories = self.tool_context.workspace.directories();
        init.additional_directories =
            Some(directories.iter().map(|path| path.display().to_string().into()).collect());
        if !self.options.betas.is_empty() {
            init.betas = Some(self.options.betas.iter().map(|beta| beta.clone().into()).collect());
        }
        if !prompts.is_empty() {
            init.user_message_uuids = Some(prompts.iter().map(|uuid| uuid.clone().into()).collect());
        }
        self.send(FromAgent::System(SystemFrame::Init(Box::new(init)))).await;
        let unreported = self.warnings.take_unsent();
        for diagnostic in unreported {
            self.send_diagnostic(&diagnostic).await;
        }
    }

    /// The commands that users may call: those that come with the agent, and those of user,
    /// project and MCP servers.
    pub(crate) fn commands(&self) -> Vec<SlashCommand<'static>> {
        if self.options.no_commands {
            return Vec::new();
        }
        let own = self.command_catalog.custom_commands();
        let own = own.iter().filter(|custom_command| custom_command.is_for_users).map(described);
        let built_in = COMMANDS.iter().map(|command| {
            let mut described = SlashCommand::new();
            described.name = Some(command.name.into());
            described.description = Some(command.description.into());
            described.argument_hint = Some(command.argument_hint.into());
            described.builtin = Some(true);
            described
        });
        let served = self.tool_context.mcp.prompts();
        let served = served.iter().map(|prompt| {
            let mut described = SlashCommand::new();
            described.name = Some(prompt.name.clone().into());
            described.description = Some(prompt.description.clone().into());
            described.argument_hint = Some(prompt.argument_hint().into());
            described
        });
        own.chain(built_in).chain(served).collect()
    }

    /// Sends the commands after a change.
    pub(crate) async fn send_commands(&self) {
        let mut frame = CommandsChanged::new(self.commands());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::CommandsChanged(Box::new(frame)))).await;
    }

    /// Sends the permission mode after a change.
    pub(crate) async fn send_mode(&self) {
        let mut status = SystemStatus::new();
        status.permission_mode = Some(self.permissions.wire_mode());
        status.uuid = Some(fresh_uuid().into());
        status.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::Status(Box::new(status)))).await;
    }

    /// Sends what the agent does.
    pub(crate) async fn send_status(&self, what: &'static str) {
        let mut status = SystemStatus::new();
        status.status = Some(what.into());
        status.uuid = Some(fresh_uuid().into());
        status.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::Status(Box::new(status)))).await;
    }

    /// Sends the session's state, if the host wants reports of it.
    pub(crate) async fn send_state(&self, state: SessionState<'static>) {
        let Some(reports) = self.reports_state() else { return };
        let mut frame = SessionStateChanged::new(state);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        if reports == StateReports::ForSdk {
            frame.sdk_host_only = Some(true);
        }
        self.send(FromAgent::System(SystemFrame::SessionStateChanged(Box::new(frame)))).await;
    }

    /// Sends the state of a prompt to which the host gave an id.
    pub(crate) async fn send_lifecycle(&self, prompt: &QueuedPrompt, state: CommandState<'static>) {
        if !prompt.is_named {
            return;
        }
        let mut frame = CommandLifecycle::new(prompt.uuid.clone(), state);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::CommandLifecycle(Box::new(frame))).await;
    }

    /// Sends a message for the user.
    pub(crate) async fn send_note(&self, text: &str, level: &'static str) {
        let mut notice = Informational::new(text.to_owned());
        notice.level = Some(level.into());
        notice.uuid = Some(fresh_uuid().into());
        notice.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::Informational(Box::new(notice)))).await;
    }

    /// Sends a diagnostic to the user.
    pub(crate) async fn send_diagnostic(&self, diagnostic: &Diagnostic) {
        self.send_note(&diagnostic.to_string(), "warning").await;
    }

    /// Notifies the user that something takes long.
    pub(crate) async fn send_slow(&self, text: String, tag: &'static str, tool_use_id: Option<&str>) {
        let mut notice = Informational::new(text);
        notice.level = Some(NoticeLevel::Notice);
        notice.tag = Some(tag.into());
        notice.tool_use_id = tool_use_id.map(|id| id.to_owned().into());
        notice.uuid = Some(fresh_uuid().into());
        notice.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::Informational(Box::new(notice)))).await;
    }

    /// Reports once that the price of a model is not known: its calls count as free.
    pub(crate) async fn note_price(&self, model: &str) {
        if model == SCRIPTED || price::card(model).is_some() {
            return;
        }
        if self.warnings.is_first(Subject::UnknownPrice { model: model.to_owned() }) {
            let note = format!(
                "The price of {model} is not known: its calls count as free, and a budget does not hold for them."
            );
            self.send_note(&note, "warning").await;
        }
    }

    /// Sends the title, if there is one.
    pub(crate) async fn send_title(&self) {
        let Some(title) = self.title.get() else { return };
        let mut frame = SessionTitleChanged::new(title);
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::System(SystemFrame::SessionTitleChanged(Box::new(frame)))).await;
    }

    /// Sends what was written to the transcript, where the host wants a copy of it.
    pub(super) async fn send_mirror(&self) {
        let Some(mirror) = &self.mirror else { return };
        for (path, entries) in mirror.take() {
            let frame = TranscriptMirror::new(path.display().to_string(), entries);
            self.outbox.send(&FromAgent::TranscriptMirror(Box::new(frame))).await;
        }
    }

    /// Reports an error in the host's input. The session continues.
    pub(crate) async fn send_error(&self, kind: &'static str, message: String) {
        let mut detail = ErrorObject::new();
        detail.kind = Some(kind.into());
        detail.message = Some(message.into());
        let mut frame = ErrorFrame::new(ErrorDetail::Object(detail));
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.id().into());
        self.send(FromAgent::Error(Box::new(frame))).await;
    }

    /// Skills and commands of user, project and plugins, as hosts list them.
    pub(crate) fn listed_skills(&self) -> Vec<SlashCommand<'static>> {
        self.command_catalog.custom_commands().iter().map(described).collect()
    }

    /// Plugins, as hosts list them.
    pub(crate) fn listed_plugins(&self) -> Vec<InitPlugin<'static>> {
        self.plugins.all.iter().map(listed).collect()
    }
}

/// A plugin as hosts list it.
fn listed(plugin: &Plugin) -> InitPlugin<'static> {
    let mut listed = InitPlugin::new(plugin.name.clone());
    listed.path = Some(plugin.path.display().to_string().into());
    listed.version = plugin.version.clone().map(Into::into);
    listed
}

/// A plugin that can't be loaded, as hosts receive it.
fn failed(broken: &BrokenPlugin) -> PluginError<'static> {
    let path = broken.path.display().to_string();
    let mut failed = PluginError::new(path.clone());
    failed.kind = Some(broken.fault.kind().into());
    failed.message = Some(broken.fault.diagnostic().to_string().into());
    failed.path = Some(path.into());
    failed
}

/// A custom command as hosts list it: with its source.
fn described(custom_command: &CustomCommand) -> SlashCommand<'static> {
    let whose = match custom_command.origin {
        CommandOrigin::User => "user",
        CommandOrigin::Project => "project",
        CommandOrigin::Plugin => "plugin",
    };
    let mut described = SlashCommand::new();
    described.name = Some(custom_command.name.clone().into());
    described.description = Some(format!("{} ({whose})", custom_command.description).into());
    described.argument_hint = Some(custom_command.argument_hint.clone().into());
    described
}
