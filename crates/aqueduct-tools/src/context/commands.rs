//! The commands of a conversation.

use std::path::PathBuf;
use std::sync::Arc;

use aqueduct_sandbox::Sandbox;
use tokio::sync::mpsc;

use crate::command::Background;
use crate::notice::Notice;

/// What commands run in and where their output goes. Subagents share all of it.
#[derive(Clone)]
pub struct CommandContext {
    /// The sandbox of commands.
    pub sandbox: Arc<Sandbox>,
    /// Commands that run in the background.
    pub background: Arc<Background>,
    /// A folder of the session for output: of background commands, and what is too long for the model.
    pub spool: PathBuf,
    /// For what commands report to the host between frames.
    pub(crate) notices: mpsc::Sender<Notice>,
}

impl CommandContext {
    /// The commands of a new conversation.
    pub fn new(sandbox: Sandbox, spool: PathBuf, notices: mpsc::Sender<Notice>) -> Self {
        CommandContext { sandbox: Arc::new(sandbox), background: Arc::default(), spool, notices }
    }
}
