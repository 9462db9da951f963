//! The tools: what the model may call, what each receives, and what it returns.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_mcp::{DeferredTool, Mcp, ToolError, ToolResult};
use aqueduct_sandbox::Sandbox;
use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::checkpoint::Checkpoints;
use crate::environment::Environment;
use crate::subagent::{Sender, SubagentPool, SubagentTask, SubagentTypes};
use crate::web::Web;

mod agent;
mod background_task;
mod bash;
mod consultation;
mod edit;
mod file_call;
#[cfg(test)]
mod file_fixture;
mod file_path;
mod file_state;
mod form;
mod glob;
mod grep;
mod input_check;
#[cfg(test)]
mod list_tests;
mod mcp_resource;
mod notebook_edit;
mod offer;
mod plan;
mod question;
mod read;
mod recall;
mod resolved_paths;
mod row;
mod search;
mod send_message;
mod skill;
mod skill_catalog;
mod subagent_task;
mod task_list;
mod todo_write;
mod tool_search;
mod web_fetch;
mod web_search;
mod worktree;
mod write;

pub(crate) use agent::USUAL_AGENT;
pub(crate) use bash::{BASH, State, TaskLabel, TaskReport, command_variables, shell};
pub(crate) use consultation::{Consultation, Consulted};
pub(crate) use file_state::FileStates;
pub(crate) use form::{Form, STRUCTURED_OUTPUT};
pub(crate) use input_check::NOT_VALID;
pub(crate) use offer::Offer;
pub(crate) use read::READ;
pub(crate) use resolved_paths::{ResolvedPathTable, ResolvedPaths};
pub(crate) use row::{Audience, Facts, FileUse, ModeChange, Need, Tool};
pub(crate) use search::Hidden;
pub(crate) use skill_catalog::{Launch, SkillCatalog};
pub(crate) use worktree::{WorktreeService, Worktrees};

/// Every tool there is.
pub(crate) const TOOLS: &[&Tool] = &[
    &bash::TOOL,
    &read::TOOL,
    &write::TOOL,
    &edit::TOOL,
    &notebook_edit::TOOL,
    &glob::TOOL,
    &grep::TOOL,
    &todo_write::TOOL,
    &task_list::CREATE,
    &task_list::GET,
    &task_list::LIST,
    &task_list::UPDATE,
    &agent::TOOL,
    &send_message::TOOL,
    &background_task::OUTPUT,
    &background_task::STOP,
    &question::TOOL,
    &plan::ENTER,
    &plan::EXIT,
    &mcp_resource::LIST,
    &mcp_resource::READ,
    &skill::TOOL,
    &tool_search::TOOL,
    &web_fetch::TOOL,
    &web_search::TOOL,
    &worktree::ENTER,
    &worktree::EXIT,
];

/// A call on its way.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = Result<Output, Failure>> + Send + 'a>>;

/// One call of a tool.
pub(crate) struct Call<'a> {
    /// The id of the model's `tool_use` block.
    pub(crate) id: &'a str,
    /// The input: an object; the tool checks the rest.
    pub(crate) input: Raw<'a>,
    /// Where its paths led when it was allowed, if that is known.
    pub(crate) resolved: Option<ResolvedPaths>,
    /// Whether rules and mode allow to read its file, so that the file may be changed without having been read.
    pub(crate) may_be_unread: bool,
    /// Ends the call when the user interrupts. The tool then returns [`Failure::Interrupted`] soon.
    pub(crate) cancel: CancellationToken,
}

/// What a call gave.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    /// For the model.
    pub(crate) content: Content<'static>,
    /// For hosts: `tool_use_result`.
    pub(crate) result: Raw<'static>,
    /// The tool ran and says that it failed: a command with an exit code, say.
    pub(crate) is_error: bool,
}

/// Why a call gave nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// The call makes no sense as it stands: a missing member, a file that was not read before. The text
    /// tells the model what to do instead.
    Rejected(String),
    /// The tool tried, and could not.
    Failed(String),
    /// The user interrupted it; what it had by then.
    Interrupted(String),
}

impl From<ToolResult> for Output {
    fn from(result: ToolResult) -> Self {
        Output { content: result.content, result: result.result, is_error: false }
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        match error {
            ToolError::Interrupted => Failure::Interrupted(String::new()),
            error => Failure::Failed(error.to_string()),
        }
    }
}

/// What the tools of one conversation share.
pub(crate) struct ToolContext {
    /// What the program knows of the machine.
    pub(crate) environment: Arc<Environment>,
    /// Where commands run; `cd` in a command moves it.
    pub(crate) cwd: Mutex<PathBuf>,
    /// The folders beside the project in which the agent may work.
    pub(crate) directories: Mutex<Vec<PathBuf>>,
    /// What was read of which file, and when.
    pub(crate) files: FileStates,
    /// What files were before they were changed.
    pub(crate) checkpoints: Checkpoints,
    /// A folder of this session for output that is too long for the model and for background tasks' output.
    pub(crate) spool: PathBuf,
    /// What holds commands.
    pub(crate) sandbox: Arc<Sandbox>,
    /// Commands that run in the background.
    pub(crate) background: Arc<bash::Background>,
    /// The lists that the model keeps.
    pub(crate) todos: todo_write::Todos,
    /// The tasks that the model tracks.
    pub(crate) tasks: Arc<task_list::TaskList>,
    /// What tools have to tell the host between frames.
    pub(crate) notices: mpsc::Sender<Notice>,
    /// Where the plan is kept.
    pub(crate) plan: PathBuf,
    /// The files that searches pass over.
    pub(crate) hidden: Mutex<Hidden>,
    /// Where the paths of calls led when they were looked at.
    pub(crate) resolved_paths: ResolvedPathTable,
    /// The MCP servers.
    pub(crate) mcp: Arc<Mcp>,
    /// Skills and commands of user and project.
    pub(crate) skill_catalog: Arc<dyn SkillCatalog>,
    /// The skills that the model has called, and that have not begun.
    pub(crate) launched: Mutex<Vec<Launch>>,
    /// The subagent types.
    pub(crate) subagent_types: Arc<dyn SubagentTypes>,
    /// The subagents at work.
    pub(crate) subagent_pool: Arc<SubagentPool>,
    /// Where conversations of subagents are kept; nowhere, where the session leaves nothing on the disk.
    pub(crate) sidechains: Option<PathBuf>,
    /// The agent's own tools that the model has to look up.
    pub(crate) deferred: Mutex<Vec<&'static Tool>>,
    /// The way to whoever sends subagents.
    pub(crate) subagent_tasks: mpsc::Sender<SubagentTask>,
    /// Pages, and the models that read them.
    pub(crate) web: Web,
    /// The worktree that the conversation has entered.
    pub(crate) worktrees: Worktrees,
    /// The subagent that owns this tool context; `None` for the agent's own.
    pub(crate) owner: Option<Sender>,
}

impl ToolContext {
    /// A tool context for a subagent. What files were, servers, skills and what runs in the background are the
    /// same; where it is, what it has read and its list are its own.
    pub(crate) fn for_subagent(&self, owner: Sender, mcp: Arc<Mcp>) -> ToolContext {
        ToolContext {
            environment: self.environment.clone(),
            cwd: Mutex::new(self.cwd()),
            directories: Mutex::new(self.directories()),
            files: FileStates::default(),
            checkpoints: self.checkpoints.clone(),
            spool: self.spool.clone(),
            sandbox: self.sandbox.clone(),
            background: self.background.clone(),
            todos: Default::default(),
            tasks: self.tasks.clone(),
            notices: self.notices.clone(),
            plan: self.plan.clone(),
            hidden: Mutex::new(self.hidden()),
            resolved_paths: ResolvedPathTable::default(),
            mcp,
            skill_catalog: self.skill_catalog.clone(),
            launched: Mutex::default(),
            subagent_types: self.subagent_types.clone(),
            subagent_pool: self.subagent_pool.clone(),
            sidechains: self.sidechains.clone(),
            deferred: Mutex::default(),
            subagent_tasks: self.subagent_tasks.clone(),
            web: self.web.for_subagent(),
            worktrees: self.worktrees.for_subagent(),
            owner: Some(owner),
        }
    }

    /// The same for a subagent that works in another folder.
    pub(crate) fn in_folder(self, folder: &Path) -> ToolContext {
        let environment = Environment { cwd: folder.to_owned(), ..(*self.environment).clone() };
        ToolContext {
            environment: Arc::new(environment),
            cwd: Mutex::new(folder.to_owned()),
            worktrees: Worktrees::default(),
            ..self
        }
    }

    /// The skills that the model has called since.
    pub(crate) fn take_launched(&self) -> Vec<Launch> {
        std::mem::take(&mut lock(&self.launched))
    }

    /// Where commands run now.
    pub(crate) fn cwd(&self) -> PathBuf {
        lock(&self.cwd).clone()
    }

    /// The folders beside the project.
    pub(crate) fn directories(&self) -> Vec<PathBuf> {
        lock(&self.directories).clone()
    }

    /// The folders in which the agent may work: the project, and those beside it.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        std::iter::once(self.home_folder()).chain(self.directories()).collect()
    }

    /// The folder that the conversation works in: the project's, or the worktree that it has entered.
    pub(crate) fn home_folder(&self) -> PathBuf {
        self.worktrees.folder().unwrap_or_else(|| self.environment.cwd.clone())
    }

    /// The files that searches pass over now.
    pub(crate) fn hidden(&self) -> Hidden {
        lock(&self.hidden).clone()
    }

    /// Sets the files that searches pass over.
    pub(crate) fn hide(&self, hidden: Hidden) {
        *lock(&self.hidden) = hidden;
    }

    /// Sets the agent's own tools that the model has to look up.
    pub(crate) fn defer(&self, tools: Vec<&'static Tool>) {
        *lock(&self.deferred) = tools;
    }

    /// The agent's own tools that the model has to look up.
    fn deferred(&self) -> Vec<DeferredTool> {
        lock(&self.deferred).iter().map(|tool| tool.deferred()).collect()
    }

    /// Forgets what the conversation was about: a new one begins.
    pub(crate) fn begin_anew(&self) {
        self.files.clear();
        self.todos.clear();
        self.tasks.clear();
    }

    /// Adds folders to work in.
    pub(crate) fn add_directories(&self, more: impl IntoIterator<Item = PathBuf>) {
        let mut directories = lock(&self.directories);
        for directory in more {
            if !directories.contains(&directory) {
                self.skill_catalog.note_directory(&directory);
                directories.push(directory);
            }
        }
    }

    /// Takes folders away.
    pub(crate) fn remove_directories(&self, gone: &[PathBuf]) {
        lock(&self.directories).retain(|directory| !gone.contains(directory));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something that a tool tells the host beside its result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Notice {
    /// A command that the turn waits for takes long.
    CommandStarted(TaskLabel),
    /// A command that the turn waited for, and the host knows of, ended.
    CommandEnded {
        /// What it is known by.
        label: TaskLabel,
        /// `completed`, `failed` or `stopped`.
        status: &'static str,
    },
    /// A command went to the background.
    TaskStarted {
        /// What it is known by.
        label: TaskLabel,
        /// Whether the host knows of it: the turn has waited for it.
        was_reported: bool,
    },
    /// A command in the background ended.
    TaskEnded(TaskReport),
    /// A command in the sandbox left something that would run outside of it.
    SandboxReport(String),
    /// What an MCP server sent the user to a page for is done.
    ElicitationComplete {
        /// The server.
        server: String,
        /// Its question.
        elicitation_id: String,
    },
    /// An MCP server asks the user, or is answered: hooks may have a word.
    Consulted(Consultation),
}
