//! The kinds of subagents that come with the agent.

use super::definition::{Definition, Whose};

/// What every subagent is told that comes with the agent.
const ERRAND: &str = "You are a subagent: another agent has given you a task and waits for what you find. It sees \
    nothing of your work but your last message, and you can't ask it anything. Do the whole task and no more. Then \
    write a report that stands by itself: what you found or did, with absolute paths, line numbers and the pieces of \
    code that matter, and what you could not do. No greetings, no questions.";

/// What those are told that only look.
const ONLY_LOOK: &str = "Change nothing: no edits, no new files, no commands with effects. Search widely first and \
    then read what matters; make several calls at once where one does not need the other.";

/// What the planner is told.
const MAKE_A_PLAN: &str = "Work out how the task should be done: read the code that it touches, find what is there \
    already and can be used, weigh the ways there are. End with steps in their order, what each changes and why, the \
    risks, and the three to five files that matter most.";

/// The tools that those have not that only look.
const CHANGING: &[&str] = &["Edit", "Write", "NotebookEdit", "Agent"];

/// All of them.
pub(super) fn built_in() -> Vec<Definition> {
    let define = |name: &str, description: &str, prompts: &[&str]| {
        Definition::new(name, description, &prompts.join("\n\n"), Whose::BuiltIn)
    };
    let looking = |definition: Definition| Definition {
        refused_tools: CHANGING.iter().map(|&name| name.to_owned()).collect(),
        ..definition
    };
    vec![
        define(
            "general-purpose",
            "For any task of several steps: searching where the first try may miss, research, changes on the side",
            &[ERRAND],
        ),
        looking(define(
            "Explore",
            "Finds its way through a code base without changing anything: files by name, code by content, how \
             something works. Say how thorough it should be",
            &[ERRAND, ONLY_LOOK],
        )),
        looking(define(
            "Plan",
            "Plans a change without making it: gives the steps, the files that matter and what to watch out for",
            &[ERRAND, ONLY_LOOK, MAKE_A_PLAN],
        )),
    ]
}
