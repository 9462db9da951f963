//! Prompts of MCP servers, called with a slash.

use aqueduct_wire::block::Content;

use super::Turn;

/// What such a prompt begins with.
const COMMAND: &str = "/mcp__";

/// A prompt of a server that could not be fetched.
pub(super) struct Unserved {
    /// The command, without the slash.
    pub(super) command: String,
    /// The message for the user.
    pub(super) problem: String,
}

impl Turn<'_> {
    /// Replaces a prompt that names a prompt of a server with the text that the server returns.
    pub(super) async fn expand_prompt(&mut self, text: &str) -> Result<(), Unserved> {
        if !text.starts_with(COMMAND) {
            return Ok(());
        }
        let tool_context = &self.session.tool_context;
        self.session.settle_servers(&self.cancel).await;
        let Some((prompt, arguments)) = tool_context.mcp.find_prompt(text) else { return Ok(()) };
        let served =
            tool_context.mcp.expand(&prompt, arguments, &tool_context.commands.spool, &self.cancel).await;
        let blocks =
            served.map_err(|error| Unserved { command: prompt.name.clone(), problem: error.to_string() })?;
        if let Some(first) = self.prompts.first_mut() {
            first.frame.message.content = Content::Blocks(blocks);
        }
        Ok(())
    }
}
