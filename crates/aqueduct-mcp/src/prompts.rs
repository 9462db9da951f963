//! Prompts of servers, as slash commands.

use std::path::Path;
use std::sync::Arc;

use aqueduct_wire::block::ContentBlock;
use aqueduct_wire::json::Raw;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::answer::SpoolTarget;
use crate::error::{CallError, PromptError};
use crate::object::Object;
use crate::served_prompt::ServedPrompt;
use crate::servers::Mcp;

impl Mcp {
    /// The prompts of all servers that are connected.
    pub fn prompts(&self) -> Vec<Arc<ServedPrompt>> {
        let known = self.all().into_iter().filter_map(|server| server.known());
        known.flat_map(|connection| connection.prompts()).collect()
    }

    /// The prompt that a text calls with a slash, and what follows its name.
    pub fn find_prompt<'t>(&self, text: &'t str) -> Option<(Arc<ServedPrompt>, &'t str)> {
        let line = text.strip_prefix('/')?;
        let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let prompt = self.prompts().into_iter().find(|prompt| prompt.name == name)?;
        Some((prompt, arguments))
    }

    /// The text of a prompt, for the model.
    pub async fn expand(
        &self,
        prompt: &ServedPrompt,
        arguments: &str,
        spool: &Path,
        cancel: &CancellationToken,
    ) -> Result<Vec<ContentBlock<'static>>, PromptError> {
        let arguments = prompt.fill(arguments)?;
        let failed = |error: CallError| PromptError::Call { prompt: prompt.name.clone(), error };
        let gone = || PromptError::NoServer(prompt.server.clone());
        let server = self.find(&prompt.server).ok_or_else(gone)?;
        let connection = self.connection(&server, cancel).await.map_err(failed)?;
        let params = json!({ "name": prompt.own_name, "arguments": arguments });
        let limit = self.shared.limits.connect;
        let asked =
            connection.client.request_until("prompts/get", |_| Some(Raw::from(&params)), limit, cancel);
        let result = asked.await.map_err(failed)?;
        let (server, spool, limit) = (prompt.server.clone(), spool.to_owned(), self.shared.limits.output);
        let read = tokio::task::spawn_blocking(move || {
            let reading = SpoolTarget { server: &server, spool: &spool, limit };
            let listed = Object::of(&result);
            let messages = listed.list("messages");
            let blocks = messages.iter().flat_map(|message| reading.message(&Object::of(message)));
            blocks.collect::<Vec<_>>()
        });
        let blocks = read.await.map_err(|error| PromptError::Unread(error.to_string()))?;
        if blocks.is_empty() {
            return Err(PromptError::Empty(prompt.name.clone()));
        }
        Ok(blocks)
    }
}
