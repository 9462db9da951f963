//! Skills, as tools use them: names to call, and files that make further skills known.

use std::path::Path;

/// The skills and custom commands of a session. The agent has their files; tools name a skill.
pub trait SkillCatalog: Send + Sync {
    /// The full name of the skill or command that a name means.
    fn skill_named(&self, name: &str) -> Option<String>;

    /// The full names of those that the model may call.
    fn callable(&self) -> Vec<String>;

    /// Notes that a tool works with a file: the skills of its folders become known. `is_sandboxed`: commands run in the
    /// sandbox and could have written these skills, so they grant no permissions.
    fn note_file(&self, file: &Path, is_sandboxed: bool);

    /// Notes that a directory was added to those in which the agent may work.
    fn note_directory(&self, directory: &Path);
}

/// A call of the Skill tool that has not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The full name of the skill.
    pub skill: String,
    /// What it was called with.
    pub arguments: String,
    /// The call.
    pub tool_use_id: String,
}
