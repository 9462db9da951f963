//! The system prompt: how to work, where, and what users and projects want known.

mod git;
mod surroundings;

pub(crate) use git::{GitContext, branch};
pub(crate) use surroundings::Surroundings;

use crate::memory::{Memory, MemoryKind};

/// The default instructions for the model.
const INSTRUCTIONS: &str = include_str!("instructions.md");

/// What a system prompt is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemPromptParts<'a> {
    /// Replaces the built-in instructions: `--system-prompt`, or `systemPrompt` of `initialize`.
    pub(crate) system: Option<&'a str>,
    /// Follows the instructions: `--append-system-prompt`, or `appendSystemPrompt` of `initialize`.
    pub(crate) append: Option<&'a str>,
    /// Where the agent works.
    pub(crate) surroundings: &'a Surroundings,
    /// The state of the folder's git repository.
    pub(crate) git: Option<&'a GitContext>,
    /// The memory files.
    pub(crate) memory: &'a Memory,
}

impl SystemPromptParts<'_> {
    /// The parts of the prompt. What stays the same from session to session comes first, so that a cache
    /// can keep it; memory follows, and what changes with every session is last.
    pub(crate) fn build(&self) -> Vec<String> {
        let mut instructions = self.system.unwrap_or(INSTRUCTIONS).trim_end().to_owned();
        if let Some(append) = self.append.filter(|append| !append.trim().is_empty()) {
            if !instructions.is_empty() {
                instructions.push_str("\n\n");
            }
            instructions.push_str(append);
        }
        let mut surroundings = self.surroundings.describe();
        if let Some(git) = self.git {
            surroundings.push_str(&git.describe());
        }
        [instructions, remembered(self.memory), surroundings]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect()
    }
}

/// The memory files as a part of the prompt; empty where there are none.
fn remembered(memory: &Memory) -> String {
    if memory.files.iter().all(|file| file.text.trim().is_empty()) {
        return String::new();
    }
    let mut part =
        "# Memory\n\nThese are instructions of the user and the project. Follow them: they override the \
                    general ones above, and where two conflict, the later one applies.\n"
            .to_owned();
    for file in memory.files.iter().filter(|file| !file.text.trim().is_empty()) {
        let whose = match file.kind {
            MemoryKind::Managed => "the organisation's",
            MemoryKind::User => "the user's, for all projects",
            MemoryKind::Project => "the project's",
            MemoryKind::Local => "the user's, for this project",
        };
        part.push_str(&format!("\n## {} ({whose})\n\n{}\n", file.path.display(), file.text.trim()));
    }
    part
}

#[cfg(test)]
mod tests;
