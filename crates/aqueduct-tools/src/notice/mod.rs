//! What tools report to the host beside their results.

mod consultation;
mod task_report;

pub use consultation::{Consultation, ConsultationSubject};
pub use task_report::{BackgroundCommandState, TaskLabel, TaskReport};

/// Something that a tool reports to the host besides its result.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
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
    /// An MCP server asks the user, or receives the answer: hooks may decide.
    Consulted(Consultation),
}
