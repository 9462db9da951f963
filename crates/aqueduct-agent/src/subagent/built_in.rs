//! The kinds of subagents that come with the agent.

use aqueduct_tools::{Audience, BuiltInTool};

use super::definition::{DefinitionOwner, SubagentDefinition};

/// The instruction of every built-in subagent.
const TASK: &str = "You are a subagent: another agent has given you a task and waits for the result. It sees \
    only your last message, and you can't ask it anything. Do the whole task and no more. Then write a \
    self-contained report: what you found or did, with absolute paths, line numbers and the relevant code, \
    and what you could not do. No greetings, no questions.";

/// The instruction of read-only subagents.
const ONLY_LOOK: &str = "Do not change anything: no edits, no new files, no commands with side effects. \
    Search broadly first and then read what is relevant; make independent calls in one message.";

/// The instruction of the planner.
const MAKE_A_PLAN: &str = "Plan how to do the task: read the code that it touches, find existing code that \
    can be reused, and compare the approaches. End with the steps in order, what each changes and why, the \
    risks, and the three to five most important files.";

/// All of them.
pub(super) fn built_in() -> Vec<SubagentDefinition> {
    let define = |name: &str, description: &str, prompts: &[&str]| {
        SubagentDefinition::new(name, description, &prompts.join("\n\n"), DefinitionOwner::BuiltIn)
    };
    let looking = |definition: SubagentDefinition| SubagentDefinition {
        refused_tools: BuiltInTool::names_for(&[Audience::NotReaders]),
        ..definition
    };
    vec![
        define(
            "general-purpose",
            "For any task of several steps: searches that may need several attempts, research, independent \
             changes",
            &[TASK],
        ),
        looking(define(
            "Explore",
            "Explores a code base without changing anything: finds files by name and code by content, \
             explains how something works. Specify how thorough it should be",
            &[TASK, ONLY_LOOK],
        )),
        looking(define(
            "Plan",
            "Plans a change without making it: returns the steps, the important files and the risks",
            &[TASK, ONLY_LOOK, MAKE_A_PLAN],
        )),
    ]
}
