//! Running custom commands: commands of users and projects, and skills.

use std::path::{Path, PathBuf};

use aqueduct_tools::subagent::SubagentRequest;
use aqueduct_tools::{DEFAULT_SUBAGENT, ToolFailure};
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::{Content, ContentBlock, TextBlock, ToolUseBlock};
use aqueduct_wire::frame::UserFrame;
use aqueduct_wire::hook::ConfigSource;
use aqueduct_wire::json::Raw;
use aqueduct_wire::message::UserMessage;
use serde_json::{Value, json};

use super::prompt_hooks::RefusedPrompt;
use super::tool_hooks::text_of;
use super::{Turn, TurnEnd};
use crate::clock::fresh_uuid;
use crate::custom_command::{self, CommandPiece, CustomCommand, Invocation};
use crate::front_matter::UnreadableFile;
use crate::hook::HookedCall;
use crate::permission::{Gate, Permit};
use crate::provision::ProvisionDigest;
use crate::session::AgentSession;
use crate::transcript::{TranscriptFileError, UserLine};

/// What a prompt calls.
#[derive(Debug, Clone)]
pub(super) struct CommandCall {
    name: String,
    arguments: String,
    what: PromptReplacement,
}

/// What becomes the prompt in a command's place.
#[derive(Debug, Clone)]
enum PromptReplacement {
    /// A text that comes with the agent.
    BuiltIn(&'static str),
    /// What the user wrote behind the command.
    Arguments,
    /// A file.
    CustomCommand(Box<CustomCommand>),
}

impl CommandCall {
    /// A command that comes with the agent and asks the model something.
    pub(super) fn built_in(name: &str, arguments: &str, text: &'static str) -> Self {
        CommandCall {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
            what: PromptReplacement::BuiltIn(text),
        }
    }

    /// A command whose arguments are the prompt.
    pub(super) fn with_arguments(name: &str, arguments: &str) -> Self {
        CommandCall {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
            what: PromptReplacement::Arguments,
        }
    }

    /// A custom command.
    pub(super) fn custom_command(custom_command: CustomCommand, arguments: &str) -> Self {
        let (name, what) =
            (custom_command.name.clone(), PromptReplacement::CustomCommand(Box::new(custom_command)));
        CommandCall { name, arguments: arguments.to_owned(), what }
    }

    /// Where the command comes from, as hooks receive it.
    fn source(&self) -> &'static str {
        match &self.what {
            PromptReplacement::CustomCommand(custom_command) => custom_command.origin.source(),
            PromptReplacement::BuiltIn(_) | PromptReplacement::Arguments => "builtin",
        }
    }

    /// What the user typed, as transcripts keep it.
    fn typed(&self) -> String {
        format!(
            "<command-message>{0}</command-message>\n<command-name>/{0}</command-name>\n<command-args>{1}</command-args>",
            self.name, self.arguments
        )
    }
}

/// A command that has become a prompt.
pub(super) struct PreparedCommand {
    typed: String,
    text: String,
}

impl AgentSession {
    /// Checks whether custom commands or subagent types have been added, removed or changed, and notifies the host.
    pub(crate) async fn refresh_custom_commands(&self) {
        for diagnostic in self.subagent_registry.refresh().unwrap_or_default() {
            self.send_diagnostic(&diagnostic).await;
        }
        let Some(diagnostics) = self.command_catalog.refresh() else { return };
        for diagnostic in diagnostics {
            self.send_diagnostic(&diagnostic).await;
        }
        self.send_commands().await;
        self.config_changed(ConfigSource::Skills, None);
    }
}

impl Turn<'_> {
    /// Makes a prompt of a command, if hooks allow it.
    pub(super) async fn prepare(
        &mut self,
        called: &CommandCall,
        prompt: &str,
    ) -> Result<PreparedCommand, RefusedPrompt> {
        let CommandCall { name, arguments, what } = called;
        let session = self.session;
        let outcome = session.prompt_expanded(prompt, name, arguments, called.source(), &self.cancel).await;
        if let Some(refused) = RefusedPrompt::expansion(&outcome, prompt) {
            return Err(refused);
        }
        self.add_contexts(&format!("UserPromptExpansion:{name}"), &outcome, false);
        let text = match what {
            PromptReplacement::BuiltIn(text) => text.replace("$ARGUMENTS", arguments),
            PromptReplacement::Arguments => arguments.clone(),
            PromptReplacement::CustomCommand(custom_command) => self
                .expand_for_call(custom_command, arguments, &format!("command_{}", fresh_uuid()))
                .await
                .map_err(|why| RefusedPrompt::because(format!("/{name} can't be called: {why}")))?,
        };
        Ok(PreparedCommand { typed: called.typed(), text })
    }

    /// Stores a command that has become a prompt: what the user typed, and what the model receives.
    pub(super) fn keep_prepared(
        &mut self,
        uuid: &str,
        prepared: &PreparedCommand,
    ) -> Result<(), TranscriptFileError> {
        let mut message = UserMessage::new(Content::Text(prepared.typed.clone().into()));
        message.role = Some("user".into());
        let raw = Raw::written(&message);
        let mut line = UserLine::new(uuid, &raw);
        line.permission_mode = Some(self.session.permissions.mode().name());
        self.dialogue.user(&line)?;
        let (uuid, raw) = (fresh_uuid(), Raw::written(&synthetic_message(&prepared.text)));
        let mut line = UserLine::new(&uuid, &raw);
        line.is_meta = true;
        self.dialogue.user(&line)?;
        self.reminders.push(uuid);
        Ok(())
    }

    /// Sends the model the texts of the skills that it has called.
    pub(super) async fn launch_skills(&mut self) -> Result<(), TurnEnd> {
        for launch in self.tool_context().skills.take_launched() {
            let expanded = match self.session.command_catalog.find(&launch.skill) {
                Some(skill) => self.expand_for_call(&skill, &launch.arguments, &launch.tool_use_id).await,
                None => Err(CommandCallError::Removed),
            };
            let text =
                expanded.unwrap_or_else(|why| format!("The skill {} can't start: {why}", launch.skill));
            self.say_for_user(&text).await?;
        }
        Ok(())
    }

    /// Sends the model a text in the user's place. It is stored, and the host receives it.
    pub(super) async fn say_for_user(&mut self, text: &str) -> Result<(), TurnEnd> {
        self.say_marked(text, |_| ()).await
    }

    /// The same, with marks on the frame that hosts know it by.
    pub(super) async fn say_marked(
        &mut self,
        text: &str,
        mark: impl FnOnce(&mut UserFrame<'static>),
    ) -> Result<(), TurnEnd> {
        let message = synthetic_message(text);
        let (uuid, raw) = (fresh_uuid(), Raw::written(&message));
        let mut line = UserLine::new(&uuid, &raw);
        line.is_meta = true;
        self.dialogue.user(&line)?;
        self.steps += 1;
        let mut frame = self.user_frame(message, &uuid);
        frame.is_synthetic = Some(true);
        mark(&mut frame);
        self.send_frame(FromAgent::User(Box::new(frame))).await;
        Ok(())
    }

    /// The same, between a subagent and its hooks: hosts do not see it.
    pub(super) fn say_to_subagent(&mut self, text: &str) -> Result<(), TurnEnd> {
        let (uuid, raw) = (fresh_uuid(), Raw::written(&synthetic_message(text)));
        let mut line = UserLine::new(&uuid, &raw);
        line.is_meta = true;
        self.dialogue.user(&line)?;
        self.steps += 1;
        Ok(())
    }

    /// The text of a custom command, or the report of its subagent where it asks for a conversation of its own.
    async fn expand_for_call(
        &mut self,
        custom_command: &CustomCommand,
        arguments: &str,
        id: &str,
    ) -> Result<String, CommandCallError> {
        let text = self.expand(custom_command, arguments).await?;
        let Some(kind) = &custom_command.fork else { return Ok(text) };
        let report = self.send_out(kind.as_deref(), custom_command, text, id).await?;
        Ok(format!("{} ran in a subagent. {report}", custom_command.name))
    }

    /// Runs a custom command in a subagent, and waits for its report.
    async fn send_out(
        &self,
        kind: Option<&str>,
        custom_command: &CustomCommand,
        prompt: String,
        id: &str,
    ) -> Result<String, CommandCallError> {
        let tool_context = self.tool_context();
        let kind = kind.unwrap_or(DEFAULT_SUBAGENT);
        let definition = self.session.subagent_registry.find(kind);
        let definition = definition.ok_or_else(|| CommandCallError::UnknownAgent {
            kind: kind.to_owned(),
            file: custom_command.path.clone(),
        })?;
        let order = SubagentRequest {
            is_isolated: definition.is_isolated,
            kind: definition.name.clone(),
            prompt,
            description: custom_command.name.clone(),
            name: None,
            continues: None,
            model: custom_command.model.clone(),
            max_turns: None,
            is_background: false,
            tool_use_id: id.to_owned(),
            sender: tool_context.subagents.owner.clone(),
        };
        match tool_context.subagents.send(order, &self.cancel).await {
            Ok(output) => Ok(text_of(&output.content)),
            Err(ToolFailure::Failed(why) | ToolFailure::Rejected(why)) => Err(CommandCallError::Agent(why)),
            Err(ToolFailure::Interrupted(_)) => Err(CommandCallError::Interrupted),
        }
    }

    /// The text of a custom command with these arguments. Its rules and its model are in effect until the
    /// turn ends.
    pub(super) async fn expand(
        &mut self,
        custom_command: &CustomCommand,
        arguments: &str,
    ) -> Result<String, CommandCallError> {
        let unreadable = |error| CommandCallError::Unreadable { file: custom_command.path.clone(), error };
        let (body, digest) = custom_command.body().map_err(unreadable)?;
        self.begin_custom_command(custom_command, &digest).await;
        let (project, id) = (&self.session.environment.cwd, self.session.id());
        let plugin = custom_command.plugin.as_ref().map(|plugin| plugin.path.as_path());
        let effort = self.effort();
        let invocation = Invocation {
            arguments,
            names: &custom_command.arguments,
            folder: custom_command.folder(),
            plugin,
            project,
            session: &id,
            effort: effort.as_deref(),
        };
        let pieces = custom_command::pieces(&body, &invocation);
        let mut text = match custom_command.folder() {
            Some(folder) => format!("Base directory for this skill: {}\n\n", folder.display()),
            None => String::new(),
        };
        for piece in pieces {
            match piece {
                CommandPiece::Text(piece) => text.push_str(&piece),
                CommandPiece::Command(command) => {
                    let input =
                        json!({ "command": command, "description": format!("For /{}", custom_command.name) });
                    let ran = self.run_tool("Bash", &input).await;
                    text.push_str(&ran.map_err(|error| CommandCallError::Command { command, error })?);
                }
                CommandPiece::File(path) => self.include(&path).await,
            }
        }
        Ok(text)
    }

    /// Puts a custom command's hooks, model and rules into effect. `digest` is that of the text which is used:
    /// permissions apply to the text that they were read with.
    async fn begin_custom_command(&mut self, custom_command: &CustomCommand, digest: &ProvisionDigest) {
        let session = self.session;
        let agent = self.agent().map(|agent| agent.id.clone());
        let provision = custom_command.provision();
        let is_trusted =
            provision.is_none() || (custom_command.digest == *digest && session.accepts(provision.as_ref()));
        if is_trusted {
            session.hooks.bring(&custom_command.name, agent.as_deref(), &custom_command.hooks);
        }
        if self.by.is_some() {
            // Model and rules of a subagent are its kind's.
            return;
        }
        if let Some(model) = &custom_command.model {
            let before = session.model_choice.replace_asked(model.clone());
            self.model_before.get_or_insert(before);
        }
        if !custom_command.hooks.is_empty() && !is_trusted {
            let note = format!("hooks of /{} don't run: this folder is not trusted.", custom_command.name);
            session.send_note(&note, "notice").await;
        }
        if custom_command.allowed_tools.is_empty() {
            return;
        }
        if !is_trusted {
            let note = format!(
                "allowed-tools of /{} is ignored: this folder is not trusted, so its tools need \
                 permission.",
                custom_command.name
            );
            session.send_note(&note, "notice").await;
            return;
        }
        session.permissions.allow_for_command(&custom_command.allowed_tools);
    }

    /// Ends the effect of custom commands: their rules and their model.
    pub(super) fn end_custom_commands(&mut self) {
        self.session.permissions.end_commands();
        if let Some(before) = self.model_before.take() {
            self.session.model_choice.set_asked(before);
        }
    }

    /// Adds a file that a custom command mentions. A mention that is not a file is ignored.
    async fn include(&mut self, mention: &str) {
        let path = self.tool_context().workspace.cwd().join(Path::new(mention));
        if !path.is_file() {
            return;
        }
        let input = json!({ "file_path": path });
        let reported = match self.run_tool("Read", &input).await {
            Ok(text) => format!("Contents of @{mention}:\n{text}"),
            Err(error) => format!("@{mention} can't be read: {error}"),
        };
        self.contexts.push(reported);
    }

    /// Runs a tool for a custom command as if the model had called it: hooks, rules and host are asked.
    async fn run_tool(&mut self, name: &'static str, input: &Value) -> Result<String, ToolRunError> {
        let session = self.session;
        let Some(tool) = session.find_tool(self.by, name) else {
            return Err(ToolRunError::NoTool(name));
        };
        let mut block =
            ToolUseBlock::new(format!("custom_command_{}", fresh_uuid()), name.to_owned(), Raw::from(input));
        let advice = session.before_tool(HookedCall::of(&block, self.agent()), &self.cancel).await;
        block.input = advice.updated_input.clone().unwrap_or(block.input);
        let gate = Gate { session, by: self.by, cancel: &self.cancel, is_settled: None };
        let input = match gate.permit(&tool, &block, &advice).await {
            Permit::Allowed { input, .. } => input,
            Permit::Denied { message, .. } => return Err(ToolRunError::Denied(message)),
            Permit::Withdrawn | Permit::Deferred => return Err(ToolRunError::NotAllowed),
        };
        let done = session.run_call(self.by, tool, &block.id, input, self.cancel.clone()).await;
        match done.outcome {
            Ok(output) if !output.is_error => Ok(text_of(&output.content)),
            Ok(output) => Err(ToolRunError::Failed(text_of(&output.content))),
            Err(ToolFailure::Failed(text) | ToolFailure::Rejected(text) | ToolFailure::Interrupted(text)) => {
                Err(ToolRunError::Failed(text))
            }
        }
    }
}

/// Why a custom command can't be called.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandCallError {
    /// There is no such command.
    #[error("it is not there")]
    Missing,
    /// Its file was removed after the call.
    #[error("its file was removed")]
    Removed,
    /// Its file can't be read.
    #[error("{} can't be read: {error}", file.display())]
    Unreadable { file: PathBuf, error: UnreadableFile },
    /// It wants an agent that does not exist.
    #[error("unknown agent type {kind:?} in {}", file.display())]
    UnknownAgent { kind: String, file: PathBuf },
    /// Its subagent failed, with this message.
    #[error("{0}")]
    Agent(String),
    /// The user interrupted its subagent.
    #[error("it was interrupted")]
    Interrupted,
    /// A command in its text failed.
    #[error("`{command}`: {error}")]
    Command { command: String, error: ToolRunError },
}

/// Why a tool did not run for a custom command.
#[derive(Debug, thiserror::Error)]
pub(super) enum ToolRunError {
    /// There is no such tool.
    #[error("{0} is not there")]
    NoTool(&'static str),
    /// A rule, a hook or the host denies the call, with this message.
    #[error("{0}")]
    Denied(String),
    /// No decision was made about the call.
    #[error("it was not allowed")]
    NotAllowed,
    /// It ran and failed, with this result.
    #[error("{0}")]
    Failed(String),
}

/// A message in the name of the user.
fn synthetic_message(text: &str) -> UserMessage<'static> {
    let block = ContentBlock::Text(TextBlock::new(text.to_owned()));
    let mut message = UserMessage::new(Content::Blocks(vec![block]));
    message.role = Some("user".into());
    message
}
