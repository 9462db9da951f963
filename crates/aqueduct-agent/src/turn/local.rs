//! Slash commands that are answered here.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use aqueduct_rules::Mode;
use aqueduct_wire::FromAgent;
use aqueduct_wire::block::Content;
use aqueduct_wire::frame::{
    CommandState, ConversationReset, LocalCommandOutcome, LocalCommandRun, ResetTrigger, ResultFrame,
    ResultSubtype,
};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::hook::{
    CompactTrigger, DirectorySource, ModelSwitchSource, SessionEndReason, SessionStartSource,
};
use aqueduct_wire::message::{StopReason, UserMessage};
use aqueduct_wire::permission::{Destination, PermissionUpdate};

use super::custom_commands::CommandCall;
use super::{Interrupted, Turn, TurnEnd, TurnOutcome};
use crate::clock::{self, fresh_uuid};
use crate::command::{self, BuiltInAction, BuiltInCommand, failed, printed};
use crate::prompt_queue::QueuedPrompt;
use crate::session::synthetic;

/// The result of a prompt that is blank.
const BLANK: &str = "The prompt is blank: the model was not called.";

/// What a prompt that looks like a command is.
pub(super) enum Dispatch {
    /// It is answered here.
    Local { command: &'static BuiltInCommand, name: String, arguments: String },
    /// It becomes a prompt.
    Prompt(CommandCall),
    /// It is answered with this text.
    Answer(String, String),
    /// It is no command.
    Text,
}

/// What a command answers.
struct LocalAnswer {
    text: String,
    has_failed: bool,
}

impl LocalAnswer {
    fn printed(text: String) -> Self {
        LocalAnswer { text, has_failed: false }
    }

    fn failed(text: String) -> Self {
        LocalAnswer { text, has_failed: true }
    }
}

impl Turn<'_> {
    /// What a prompt is.
    pub(super) async fn dispatch(&self, prompt: &str) -> Dispatch {
        let Some((name, arguments)) = command::split(prompt) else { return Dispatch::Text };
        // A project's own command of such a name counts.
        let alias =
            || command::find_alias(name).filter(|_| self.session.command_catalog.find(name).is_none());
        if let Some(found) = command::find(name).or_else(alias) {
            return match found.action {
                BuiltInAction::Prompt(text) => Dispatch::Prompt(CommandCall::built_in(name, arguments, text)),
                BuiltInAction::Plan if !arguments.is_empty() => {
                    self.begin_planning().await;
                    Dispatch::Prompt(CommandCall::with_arguments(name, arguments))
                }
                _ => {
                    Dispatch::Local { command: found, name: name.to_owned(), arguments: arguments.to_owned() }
                }
            };
        }
        match self.session.command_catalog.find(name) {
            Some(custom_command) if custom_command.is_for_users => {
                Dispatch::Prompt(CommandCall::custom_command(custom_command, arguments))
            }
            Some(_) => {
                let text = format!("Only the model can call /{name}: ask it to use the skill {name:?}.");
                Dispatch::Answer(name.to_owned(), text)
            }
            None => Dispatch::Text,
        }
    }

    /// Runs a command to its result.
    pub(super) async fn run_local(
        mut self,
        command: &'static BuiltInCommand,
        name: &str,
        arguments: &str,
    ) -> TurnOutcome {
        for prompt in &self.prompts {
            self.session.send_lifecycle(prompt, CommandState::Started).await;
        }
        let mut run = LocalCommandRun::new(command.run_name());
        run.args = Some(arguments.to_owned().into());
        let mut text = String::new();
        match command.action {
            BuiltInAction::Compact => match self.compact(CompactTrigger::Manual, Some(arguments)).await {
                Ok(()) => {
                    let uuid = fresh_uuid();
                    self.keep_command_as_message(&run, "Compacted", &uuid).await;
                    self.send_compacted(&uuid).await;
                    return self.answer_locally(name, Some(run), LocalAnswer::printed(text)).await;
                }
                Err(_) if self.cancel.is_cancelled() => {
                    let hit = Interrupted::Streaming;
                    let reported = self.send_interruption(hit).await;
                    return self.close(reported.err().unwrap_or(TurnEnd::Interrupted(hit))).await;
                }
                Err(why) => {
                    let text = why.text();
                    self.keep_command(&run, &failed(&text)).await;
                    return self.answer_locally(name, Some(run), LocalAnswer::failed(text)).await;
                }
            },
            BuiltInAction::Clear => {
                self.clear().await;
                self.session.send_init(&self.named()).await;
            }
            action => {
                text = self.act(action, arguments).await;
                self.session.send_init(&self.named()).await;
            }
        }
        self.keep_command(&run, &printed(&text)).await;
        self.answer_locally(name, Some(run), LocalAnswer::printed(text)).await
    }

    /// Ends a turn with a text that is not from a model.
    pub(super) async fn say_locally(mut self, name: &str, text: String) -> TurnOutcome {
        for prompt in &self.prompts {
            self.session.send_lifecycle(prompt, CommandState::Started).await;
        }
        self.session.send_init(&self.named()).await;
        let called = self.prompts.first().map(QueuedPrompt::text).unwrap_or_default();
        let mut run = LocalCommandRun::new(name.to_owned());
        run.args = command::split(&called).map(|(_, arguments)| arguments.to_owned().into());
        self.keep_command(&run, &printed(&text)).await;
        self.answer_locally(name, None, LocalAnswer::printed(text)).await
    }

    /// Whether prompts are nothing but blank text: there is nothing to ask.
    pub(super) fn is_blank(&self, text: &str) -> bool {
        let is_text = |prompt: &QueuedPrompt| matches!(prompt.frame.message.content, Content::Text(_));
        !text.is_empty()
            && text.trim().is_empty()
            && self.prompts.len() == 1
            && self.prompts.iter().all(is_text)
    }

    /// Ends a turn whose prompt is blank.
    pub(super) async fn refuse_blank(self) -> TurnOutcome {
        for prompt in &self.prompts {
            self.session.send_lifecycle(prompt, CommandState::Started).await;
        }
        self.session.send_init(&self.named()).await;
        self.session.send_note(BLANK, "warning").await;
        let mut frame = self.bare_result(ResultSubtype::Success);
        frame.result = Some(BLANK.into());
        self.end_locally(frame).await
    }

    async fn answer_locally(
        self,
        name: &str,
        run: Option<LocalCommandRun<'static>>,
        answer: LocalAnswer,
    ) -> TurnOutcome {
        let LocalAnswer { text, has_failed } = answer;
        if !text.is_empty() {
            let mut message = synthetic(&text, StopReason::EndTurn);
            message.stop_sequence = None;
            let mut frame = self.assistant_frame(message, &fresh_uuid());
            let source = if has_failed { failed(&text) } else { printed(&text) };
            frame.local_command_source = Some(source.into());
            frame.local_command_outcome = has_failed.then(|| {
                let mut outcome = LocalCommandOutcome::new();
                outcome.kind = Some("failed".into());
                Box::new(outcome)
            });
            if run.as_ref().is_some_and(|run| run.command == "context") {
                frame.context_usage = Some(Box::new(self.context_figures()));
            }
            frame.local_command_run = run.map(Box::new);
            self.session.send(FromAgent::Assistant(Box::new(frame))).await;
        }
        let mut frame = self.bare_result(ResultSubtype::Success);
        frame.result = Some(text.into());
        frame.local_command = Some(name.to_owned().into());
        self.end_locally(frame).await
    }

    async fn end_locally(self, mut frame: ResultFrame<'static>) -> TurnOutcome {
        frame.fast_mode_state = Some(self.session.fast_mode());
        frame.model_usage_since_last_result = Some(self.session.usage.take_since_result());
        self.dialogue.results += 1;
        self.session.send(FromAgent::Result(Box::new(frame))).await;
        for prompt in &self.prompts {
            self.session.send_lifecycle(prompt, CommandState::Completed).await;
        }
        TurnOutcome { is_error: false, guess: None }
    }

    /// Reports the compaction to hosts that print the output of commands.
    async fn send_compacted(&self, uuid: &str) {
        let mut message = UserMessage::new(Content::Text(printed("Compacted").into()));
        message.role = Some("user".into());
        let mut frame = self.user_frame(message, uuid);
        frame.is_replay = Some(true);
        self.session.send(FromAgent::User(Box::new(frame))).await;
    }

    /// Runs a command; returns its output.
    async fn act(&mut self, action: BuiltInAction, arguments: &str) -> String {
        let session = self.session;
        match action {
            BuiltInAction::Cost => self.cost_report(),
            BuiltInAction::Context => self.context_report(),
            BuiltInAction::Model if !arguments.is_empty() => self.switch_model(arguments).await,
            BuiltInAction::Model => {
                format!(
                    "Model: {}\nSet another one with /model NAME, or the default one with /model default.",
                    session.model()
                )
            }
            BuiltInAction::Plan => {
                self.begin_planning().await;
                "Plan mode: nothing is changed until you approve a plan.".to_owned()
            }
            BuiltInAction::Rename if arguments.is_empty() => "Pass a title: /rename TITLE.".to_owned(),
            BuiltInAction::Rename => {
                self.dialogue.rename(session, arguments).await;
                format!("The conversation has been renamed to {arguments:?}.")
            }
            BuiltInAction::AddDir => self.add_directory(arguments).await,
            BuiltInAction::Rewind => self.rewind(arguments).await,
            BuiltInAction::Export => self.export(arguments),
            BuiltInAction::Help => session.help_report(),
            BuiltInAction::Status => session.status_report(),
            BuiltInAction::Config => session.config_report(),
            BuiltInAction::Permissions => session.permissions_report(),
            BuiltInAction::Memory => session.memory_report(),
            BuiltInAction::Resume => session.resume_report(),
            BuiltInAction::Doctor => session.doctor_report(),
            BuiltInAction::Mcp => session.mcp_report(),
            BuiltInAction::Elsewhere(text) => text.to_owned(),
            BuiltInAction::Compact | BuiltInAction::Clear | BuiltInAction::Prompt(_) => String::new(),
        }
    }

    async fn begin_planning(&self) {
        if self.session.permissions.mode() != Mode::Plan {
            // Plan mode is always available.
            let _ = self.session.permissions.set_mode(Mode::Plan);
            self.session.send_mode().await;
        }
    }

    /// Sets the model, unless a hook forbids it.
    async fn switch_model(&self, name: &str) -> String {
        let asked = Some(name.to_owned());
        match self.session.switch_model(asked, ModelSwitchSource::Command, &self.cancel).await {
            Ok(()) => format!("Model: {}", self.session.model()),
            Err(why) => {
                format!("Model: {}\nA hook blocked the change to {name}: {why}", self.session.model())
            }
        }
    }

    /// Lets the agent work in another folder, for this session.
    async fn add_directory(&self, folder: &str) -> String {
        if folder.is_empty() {
            return "Pass a directory: /add-dir DIRECTORY.".to_owned();
        }
        let path = match fs::canonicalize(self.session.tool_context.workspace.cwd().join(folder)) {
            Ok(path) if path.is_dir() => path,
            Ok(path) => return format!("{} is not a directory.", path.display()),
            Err(error) => return format!("{folder} can't be added: {error}"),
        };
        let directories = vec![path.display().to_string().into()];
        let update = PermissionUpdate::add_directories(directories, Destination::Session);
        match self.session.change_permissions(&update).await {
            Ok(()) => {
                self.session.directory_added(&path, DirectorySource::SlashCommand);
                format!("The agent may work in {} now, until the session ends.", path.display())
            }
            Err(error) => format!("{} can't be added: {error}", path.display()),
        }
    }

    /// Takes files back to what they were before a prompt, or lists the prompts.
    async fn rewind(&self, prompt: &str) -> String {
        if prompt.is_empty() {
            let prompts = self.dialogue.history.prompts();
            let lines: Vec<String> =
                prompts.iter().rev().take(10).map(|(uuid, text)| format!("{uuid}  {text}")).collect();
            return match lines.is_empty() {
                true => "There are no checkpoints.".to_owned(),
                false => {
                    format!("Restore files with /rewind ID. The most recent prompts:\n{}", lines.join("\n"))
                }
            };
        }
        let (checkpoints, uuid) = (self.session.tool_context.files.checkpoints.clone(), prompt.to_owned());
        let rewound = tokio::task::spawn_blocking(move || checkpoints.rewind(&uuid, false)).await;
        match rewound
            .map_err(|error| error.to_string())
            .and_then(|done| done.map_err(|error| error.advised()))
        {
            Ok(rewound) => {
                let files: Vec<String> =
                    rewound.files_changed.iter().map(|path| path.display().to_string()).collect();
                match files.is_empty() {
                    true => "No files have changed since then.".to_owned(),
                    false => {
                        format!(
                            "These files have been restored to their state before that prompt:\n{}",
                            files.join("\n")
                        )
                    }
                }
            }
            Err(error) => format!("The files can't be restored: {error}"),
        }
    }

    /// Writes the conversation down, in a new file or as the answer.
    fn export(&self, file: &str) -> String {
        let text = self.dialogue.history.to_text();
        if file.is_empty() {
            return text;
        }
        let path = self.session.tool_context.workspace.cwd().join(file);
        // The user's own files are not for this to overwrite, and the conversation is not for others to read.
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        match made.and_then(|mut out| out.write_all(text.as_bytes())) {
            Ok(()) => format!("The conversation has been exported to {}.", path.display()),
            Err(error) => format!("{} can't be written: {error}", path.display()),
        }
    }

    /// Begins a new conversation under a new id. The old one stays on disk.
    async fn clear(&mut self) {
        self.session.session_ended(SessionEndReason::Clear, &self.cancel).await;
        let mut frame = ConversationReset::new(fresh_uuid());
        frame.uuid = Some(fresh_uuid().into());
        frame.session_id = Some(self.session.id().into());
        frame.trigger = Some(ResetTrigger::Clear);
        frame.user_message_uuid = self.prompts.first().map(|prompt| prompt.uuid.clone().into());
        frame.timestamp = Some(clock::now().into());
        self.session.send(FromAgent::ConversationReset(Box::new(frame))).await;
        if let Err(error) = self.dialogue.begin_anew(self.session) {
            self.session.send_note(&error.advised(), "warning").await;
        }
        let outcome = self.session.session_started(SessionStartSource::Clear, &self.cancel).await;
        self.session.hooks.keep("SessionStart:clear", &outcome);
    }
}
