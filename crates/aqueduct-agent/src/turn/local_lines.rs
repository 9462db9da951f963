//! What the conversation keeps of slash commands that no model answers.

use aqueduct_wire::block::Content;
use aqueduct_wire::frame::LocalCommandRun;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::{Raw, Str};
use aqueduct_wire::message::UserMessage;
use aqueduct_wire::transcript::SystemLine as WireSystemLine;

use super::Turn;
use crate::clock::fresh_uuid;
use crate::command::printed;
use crate::transcript::{SystemLine, TranscriptFileError, UserLine};

/// What the model should know of the lines behind it.
const CAVEAT: &str = "<local-command-caveat>The program itself answered the command below; it is not a \
    request to you. It is included as context for later messages.</local-command-caveat>";

impl Turn<'_> {
    /// Keeps a command and its output. It is part of what the model gets to see from now on.
    pub(super) async fn keep_command(&mut self, run: &LocalCommandRun<'_>, output: &str) {
        let kept = self.keep_called(run).and_then(|()| {
            let uuid = fresh_uuid();
            let mut line = SystemLine::new(&uuid, WireSystemLine::LOCAL_COMMAND);
            line.content = Some(output);
            line.level = Some("info");
            line.command_run = Some(run);
            self.dialogue.printed(&line)
        });
        self.report_unkept(kept).await;
    }

    /// The same of a command whose output hosts get as a message of the user, which is kept as one.
    pub(super) async fn keep_command_as_message(
        &mut self,
        run: &LocalCommandRun<'_>,
        text: &str,
        uuid: &str,
    ) {
        let kept = self.keep_called(run).and_then(|()| self.keep_text(uuid, &printed(text), false));
        self.report_unkept(kept).await;
    }

    /// Keeps that a command was called.
    fn keep_called(&mut self, run: &LocalCommandRun<'_>) -> Result<(), TranscriptFileError> {
        let called = self.prompts.first().map_or_else(fresh_uuid, |prompt| prompt.uuid.clone());
        self.dialogue.prompt_id = Some(called.clone());
        self.dialogue.write_queue(self.session);
        self.keep_text(&fresh_uuid(), CAVEAT, true)?;
        let text = format!(
            "<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n            \
             <command-args>{}</command-args>",
            run.args.as_ref().map_or("", Str::as_str),
            name = run.command,
        );
        self.keep_text(&called, &text, false)
    }

    fn keep_text(&mut self, uuid: &str, text: &str, is_meta: bool) -> Result<(), TranscriptFileError> {
        let mut message = UserMessage::new(Content::Text(text.into()));
        message.role = Some("user".into());
        let message = Raw::written(&message);
        let mut line = UserLine::new(uuid, &message);
        line.is_meta = is_meta;
        self.dialogue.user(&line)
    }

    /// A command has done what it does, whether or not that can be kept.
    async fn report_unkept(&self, kept: Result<(), TranscriptFileError>) {
        if let Err(error) = kept {
            self.session.send_note(&error.advised(), "warning").await;
        }
    }
}
