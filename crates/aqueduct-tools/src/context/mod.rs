//! What the tools of one conversation share, in parts that own their state.
//!
//! | part | state |
//! |---|---|
//! | [`ToolWorkspace`] | working directory, further directories, the worktree that was entered |
//! | [`Files`] | what was read, checkpoints, hidden files, where paths led, the file for the plan |
//! | [`Commands`] | sandbox, background commands, the folder for output, notices |
//! | [`Lists`] | todo list and tasks |
//! | [`Subagents`] | types, running and ended subagents, the channel for tasks |
//! | [`Skills`] | the catalog, and skills that were called |
//! | [`DeferredTools`] | tools that the model looks up |

mod commands;
mod deferred_tools;
mod files;
mod lists;
mod skills;
mod subagents;
mod workspace;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aqueduct_mcp::Mcp;
use aqueduct_os::environment::Environment;

use crate::subagent::ParentSubagent;
use crate::web::WebContext;

pub use commands::CommandContext;
pub use deferred_tools::DeferredTools;
pub use files::FileContext;
pub use lists::Lists;
pub use skills::Skills;
pub use subagents::Subagents;
pub(crate) use workspace::MissingDirectory;
pub use workspace::ToolWorkspace;

/// What the tools of one conversation share.
pub struct ToolContext {
    /// What the program knows about the machine.
    pub environment: Arc<Environment>,
    /// Where the conversation works.
    pub workspace: ToolWorkspace,
    /// What is known about its files.
    pub files: FileContext,
    /// What its commands run in.
    pub commands: CommandContext,
    /// The lists that the model keeps.
    pub lists: Lists,
    /// How it starts subagents.
    pub subagents: Subagents,
    /// The skills that it can call.
    pub skills: Skills,
    /// The MCP servers.
    pub mcp: Arc<Mcp>,
    /// The built-in tools that the model looks up.
    pub deferred: DeferredTools,
    /// Pages, and the models that read them.
    pub web: WebContext,
}

impl ToolContext {
    /// The context of a subagent. It shares checkpoints, commands, skills and tasks with the session; its working
    /// directory, what it has read and its todo list are its own.
    pub fn for_subagent(&self, owner: ParentSubagent, mcp: Arc<Mcp>) -> ToolContext {
        ToolContext {
            environment: self.environment.clone(),
            workspace: self.workspace.for_subagent(),
            files: self.files.for_subagent(),
            commands: self.commands.clone(),
            lists: self.lists.for_subagent(),
            subagents: self.subagents.for_subagent(owner),
            skills: self.skills.for_subagent(),
            mcp,
            deferred: DeferredTools::default(),
            web: self.web.for_subagent(),
        }
    }

    /// The same for a subagent that works in another folder.
    pub fn in_folder(self, folder: &Path) -> ToolContext {
        let environment = Environment { cwd: folder.to_owned(), ..(*self.environment).clone() };
        let workspace = ToolWorkspace::new(folder.to_owned(), self.workspace.directories());
        ToolContext { environment: Arc::new(environment), workspace, ..self }
    }

    /// Forgets what the conversation was about: a new one begins.
    pub fn begin_anew(&self) {
        self.files.read_state.clear();
        self.lists.clear();
    }

    /// Adds directories to work in. Their skills become known.
    pub fn add_directories(&self, more: impl IntoIterator<Item = PathBuf>) {
        for directory in self.workspace.add_directories(more) {
            self.skills.catalog.note_directory(&directory);
        }
    }
}
