//! What the tools of one conversation share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_mcp::{DeferredTool, Mcp};
use aqueduct_os::environment::Environment;
use aqueduct_sandbox::Sandbox;
use tokio::sync::mpsc;

use crate::checkpoint::Checkpoints;
use crate::command::Background;
use crate::file::{FileStates, ResolvedPathTable};
use crate::hidden::Hidden;
use crate::list::{TaskList, Todos};
use crate::notice::Notice;
use crate::skill_catalog::{Launch, SkillCatalog};
use crate::subagent::{Sender, SubagentPool, SubagentTask, SubagentTypes};
use crate::web::Web;
use crate::worktree::Worktrees;

/// What the tools of one conversation share.
pub struct ToolContext {
    /// What the program knows of the machine.
    pub environment: Arc<Environment>,
    /// Where commands run; `cd` in a command moves it.
    pub cwd: Mutex<PathBuf>,
    /// The folders beside the project in which the agent may work.
    pub directories: Mutex<Vec<PathBuf>>,
    /// What was read of which file, and when.
    pub files: FileStates,
    /// What files were before they were changed.
    pub checkpoints: Checkpoints,
    /// A folder of this session for output that is too long for the model and for background tasks' output.
    pub spool: PathBuf,
    /// What holds commands.
    pub sandbox: Arc<Sandbox>,
    /// Commands that run in the background.
    pub background: Arc<Background>,
    /// The lists that the model keeps.
    pub todos: Todos,
    /// The tasks that the model tracks.
    pub tasks: Arc<TaskList>,
    /// What tools have to tell the host between frames.
    pub notices: mpsc::Sender<Notice>,
    /// Where the plan is kept.
    pub plan: PathBuf,
    /// The files that searches pass over.
    pub hidden: Mutex<Hidden>,
    /// Where the paths of calls led when they were looked at.
    pub resolved_paths: ResolvedPathTable,
    /// The MCP servers.
    pub mcp: Arc<Mcp>,
    /// Skills and commands of user and project.
    pub skill_catalog: Arc<dyn SkillCatalog>,
    /// The skills that the model has called, and that have not begun.
    pub launched: Mutex<Vec<Launch>>,
    /// The subagent types.
    pub subagent_types: Arc<dyn SubagentTypes>,
    /// The subagents at work.
    pub subagent_pool: Arc<SubagentPool>,
    /// Where conversations of subagents are kept; nowhere, where the session leaves nothing on the disk.
    pub sidechains: Option<PathBuf>,
    /// The agent's own tools that the model has to look up.
    pub deferred: Mutex<Vec<DeferredTool>>,
    /// The way to whoever sends subagents.
    pub subagent_tasks: mpsc::Sender<SubagentTask>,
    /// Pages, and the models that read them.
    pub web: Web,
    /// The worktree that the conversation has entered.
    pub worktrees: Worktrees,
    /// The subagent that owns this tool context; `None` for the agent's own.
    pub owner: Option<Sender>,
}

impl ToolContext {
    /// A tool context for a subagent. What files were, servers, skills and what runs in the background are the
    /// same; where it is, what it has read and its list are its own.
    pub fn for_subagent(&self, owner: Sender, mcp: Arc<Mcp>) -> ToolContext {
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
    pub fn in_folder(self, folder: &Path) -> ToolContext {
        let environment = Environment { cwd: folder.to_owned(), ..(*self.environment).clone() };
        ToolContext {
            environment: Arc::new(environment),
            cwd: Mutex::new(folder.to_owned()),
            worktrees: Worktrees::default(),
            ..self
        }
    }

    /// Notes that the model has called a skill.
    pub fn launch(&self, launch: Launch) {
        lock(&self.launched).push(launch);
    }

    /// The skills that the model has called since.
    pub fn take_launched(&self) -> Vec<Launch> {
        std::mem::take(&mut lock(&self.launched))
    }

    /// Where commands run now.
    pub fn cwd(&self) -> PathBuf {
        lock(&self.cwd).clone()
    }

    /// Sets where commands run.
    pub fn move_to(&self, folder: PathBuf) {
        *lock(&self.cwd) = folder;
    }

    /// The folders beside the project.
    pub fn directories(&self) -> Vec<PathBuf> {
        lock(&self.directories).clone()
    }

    /// The folders in which the agent may work: the project, and those beside it.
    pub fn roots(&self) -> Vec<PathBuf> {
        std::iter::once(self.home_folder()).chain(self.directories()).collect()
    }

    /// The folder that the conversation works in: the project's, or the worktree that it has entered.
    pub fn home_folder(&self) -> PathBuf {
        self.worktrees.folder().unwrap_or_else(|| self.environment.cwd.clone())
    }

    /// The files that searches pass over now.
    pub fn hidden(&self) -> Hidden {
        lock(&self.hidden).clone()
    }

    /// Sets the files that searches pass over.
    pub fn hide(&self, hidden: Hidden) {
        *lock(&self.hidden) = hidden;
    }

    /// Sets the agent's own tools that the model has to look up.
    pub fn defer(&self, tools: Vec<DeferredTool>) {
        *lock(&self.deferred) = tools;
    }

    /// The agent's own tools that the model has to look up.
    pub fn deferred(&self) -> Vec<DeferredTool> {
        lock(&self.deferred).clone()
    }

    /// Forgets what the conversation was about: a new one begins.
    pub fn begin_anew(&self) {
        self.files.clear();
        self.todos.clear();
        self.tasks.clear();
    }

    /// Adds folders to work in.
    pub fn add_directories(&self, more: impl IntoIterator<Item = PathBuf>) {
        let mut directories = lock(&self.directories);
        for directory in more {
            if !directories.contains(&directory) {
                self.skill_catalog.note_directory(&directory);
                directories.push(directory);
            }
        }
    }

    /// Takes folders away.
    pub fn remove_directories(&self, gone: &[PathBuf]) {
        lock(&self.directories).retain(|directory| !gone.contains(directory));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
