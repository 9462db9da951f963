//! The tools: what the model may call, what each is told, and what it gives back.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aqueduct_wire::block::Content;
use aqueduct_wire::json::Raw;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::checkpoint::Checkpoints;
use crate::environment::Environment;
use crate::hook::Consultation;
use crate::mcp::{DeferredTool, Mcp};
use crate::recipe::{Launch, Shelf};
use crate::sandbox::Sandbox;
use crate::subagent::{Crew, Errand, Roster, Sender};
use crate::web::Web;

mod agent;
mod background_task;
mod bash;
mod edit;
mod file_call;
#[cfg(test)]
mod file_desk;
mod file_path;
mod file_state;
mod form;
mod glob;
mod grep;
#[cfg(test)]
mod list_tests;
mod mcp_resource;
mod notebook_edit;
mod offer;
mod plan;
mod question;
mod read;
mod recall;
mod required;
mod search;
mod send_message;
mod sights;
mod skill;
mod subagent_task;
mod task_list;
mod todo_write;
mod tool_search;
mod web_fetch;
mod web_search;
mod write;

pub(crate) use agent::{AGENT, USUAL_AGENT};
pub(crate) use bash::{BASH, command_variables, shell};
pub(crate) use file_path::spelled_out;
pub(crate) use file_state::FileStates;
pub(crate) use form::{Form, STRUCTURED_OUTPUT};
pub(crate) use offer::{Offer, TASK};
pub(crate) use read::{image_block, is_sound_image};
pub(crate) use search::Hidden;
pub(crate) use send_message::SEND_MESSAGE;
pub(crate) use sights::{Sight, Sights};
pub(crate) use web_fetch::WEB_FETCH;

/// A tool: one row of [`TOOLS`].
pub(crate) struct Tool {
    /// The name by which the model and the rules know it.
    pub(crate) name: &'static str,
    /// What it does, for the model.
    pub(crate) description: &'static str,
    /// The JSON Schema of its input.
    pub(crate) schema: &'static str,
    /// Whether it changes nothing, so that several calls may run side by side.
    pub(crate) reads_only: bool,
    /// Runs a call that has been allowed.
    pub(crate) run: for<'a> fn(&'a Workshop, Call<'a>) -> Running<'a>,
}

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
];

/// The tools that most conversations do without.
const RARE: &[&str] = &[
    question::TOOL.name,
    plan::ENTER.name,
    plan::EXIT.name,
    notebook_edit::TOOL.name,
    task_list::CREATE.name,
    task_list::GET.name,
    task_list::LIST.name,
    task_list::UPDATE.name,
    SEND_MESSAGE,
    background_task::OUTPUT.name,
    background_task::STOP.name,
    mcp_resource::LIST.name,
    mcp_resource::READ.name,
    web_fetch::TOOL.name,
    web_search::TOOL.name,
];

impl Tool {
    /// What a call of it does to the permission mode, when it succeeds.
    pub(crate) fn mode_change(&self) -> Option<ModeChange> {
        [(plan::ENTER.name, ModeChange::BeginPlanning), (plan::EXIT.name, ModeChange::EndPlanning)]
            .into_iter()
            .find_map(|(name, change)| (name == self.name).then_some(change))
    }

    /// Whether it is nothing without an MCP server that has resources.
    pub(crate) fn needs_resources(&self) -> bool {
        [mcp_resource::LIST.name, mcp_resource::READ.name].contains(&self.name)
    }

    /// Whether it is nothing without tools that have to be looked up.
    pub(crate) fn looks_up(&self) -> bool {
        self.name == tool_search::TOOL.name
    }

    /// Whether most conversations do without it, so that a model with a small window looks it up.
    pub(crate) fn is_rare(&self) -> bool {
        RARE.contains(&self.name)
    }

    /// How many characters the model is sent for it.
    pub(crate) fn size(&self) -> u64 {
        (self.name.len() + self.description.len() + self.schema.len()) as u64
    }

    /// The same for a search.
    fn deferred(&self) -> DeferredTool {
        DeferredTool {
            name: self.name.to_owned(),
            short_name: self.name.to_owned(),
            hint: String::new(),
            description: self.description.to_owned(),
            schema: Raw::parse(self.schema).unwrap_or(Raw::NULL),
        }
    }

    /// Whether it asks MCP servers.
    pub(crate) fn asks_servers(&self) -> bool {
        [mcp_resource::LIST.name, mcp_resource::READ.name].contains(&self.name)
    }

    /// Whether it asks a model about the web.
    pub(crate) fn is_web(&self) -> bool {
        [web_fetch::TOOL.name, web_search::TOOL.name].contains(&self.name)
    }

    /// Whether several calls may run side by side: those that change nothing, and subagents, who mind
    /// themselves.
    pub(crate) fn runs_beside(&self) -> bool {
        self.reads_only || self.name == agent::TOOL.name
    }

    /// Whether the user's answer is the point of it.
    pub(crate) fn is_interactive(&self) -> bool {
        [question::TOOL.name, plan::EXIT.name].contains(&self.name)
    }
}

/// A change of the permission mode that a tool makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModeChange {
    /// Enter plan mode.
    BeginPlanning,
    /// Leave it for the mode before.
    EndPlanning,
}

/// A call on its way.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = Result<Output, Failure>> + Send + 'a>>;

/// One call of a tool.
pub(crate) struct Call<'a> {
    /// The id of the model's `tool_use` block.
    pub(crate) id: &'a str,
    /// The input: an object; the tool checks the rest.
    pub(crate) input: Raw<'a>,
    /// Where its paths led when it was allowed, if that is known.
    pub(crate) sight: Option<Sight>,
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

/// What the tools of one conversation share.
pub(crate) struct Workshop {
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
    pub(crate) sights: Sights,
    /// The MCP servers.
    pub(crate) mcp: Arc<Mcp>,
    /// Commands and skills of user and project.
    pub(crate) shelf: Arc<Shelf>,
    /// The recipes that the model has called, and that have not begun.
    pub(crate) launched: Mutex<Vec<Launch>>,
    /// The kinds of subagents there are.
    pub(crate) roster: Arc<Roster>,
    /// The subagents at work.
    pub(crate) crew: Arc<Crew>,
    /// Where conversations of subagents are kept; nowhere, where the session leaves nothing on the disk.
    pub(crate) sidechains: Option<PathBuf>,
    /// The agent's own tools that the model has to look up.
    pub(crate) deferred: Mutex<Vec<&'static Tool>>,
    /// The way to whoever sends subagents.
    pub(crate) errands: mpsc::Sender<Errand>,
    /// Pages, and the models that read them.
    pub(crate) web: Web,
    /// The subagent whose workshop it is; nobody, where it is the agent's own.
    pub(crate) owner: Option<Sender>,
}

impl Workshop {
    /// A workshop for a subagent. What files were, servers, skills and what runs in the background are the
    /// same; where it is, what it has read and its list are its own.
    pub(crate) fn for_subagent(&self, owner: Sender, mcp: Arc<Mcp>) -> Workshop {
        Workshop {
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
            sights: Sights::default(),
            mcp,
            shelf: self.shelf.clone(),
            launched: Mutex::default(),
            roster: self.roster.clone(),
            crew: self.crew.clone(),
            sidechains: self.sidechains.clone(),
            deferred: Mutex::default(),
            errands: self.errands.clone(),
            web: self.web.for_subagent(),
            owner: Some(owner),
        }
    }

    /// The same for a subagent that works in another folder.
    pub(crate) fn in_folder(self, folder: &Path) -> Workshop {
        let environment = Environment { cwd: folder.to_owned(), ..(*self.environment).clone() };
        Workshop { environment: Arc::new(environment), cwd: Mutex::new(folder.to_owned()), ..self }
    }

    /// The recipes that the model has called since.
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
        std::iter::once(self.environment.cwd.clone()).chain(self.directories()).collect()
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
                self.shelf.add_directory(&directory);
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
    /// A command went to the background.
    TaskStarted {
        /// The task.
        task_id: String,
        /// The call that started it.
        tool_use_id: String,
        /// What it does, for people.
        description: String,
    },
    /// A command in the background ended.
    TaskEnded {
        /// The task.
        task_id: String,
        /// The call that started it.
        tool_use_id: String,
        /// `completed`, `failed` or `stopped`.
        status: &'static str,
        /// Where its output is.
        output_file: PathBuf,
        /// One line for people.
        summary: String,
    },
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
