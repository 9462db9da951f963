//! The demo: the scripted model's answers without a script.

use std::time::Duration;

use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use super::plan::{MessagePlan, PlannedBlock, Size};
use super::talk::ScriptConversation;

/// The speed of the demo: a word, and the pause after it.
const PACE: (Size, Duration) = (Size::Word, Duration::from_millis(12));

/// How agents introduce the working directory in their system prompts.
const DIRECTORY: &str = "orking directory: ";

const INTRODUCTION: &str = "\
Hello! I am **a demo without a model**: nothing you write leaves this machine, and I only know a few fixed \
answers.

- Write `demo` and I show what an agent can do here: thinking, tools, a permission, a question and a plan.
- Write lines that begin with `@` and I play them. Try this:

```
@think What could I answer? | Hello from a *scripted* model.
```

For a real model, set `ANTHROPIC_API_KEY`, or `ANTHROPIC_BASE_URL` for a gateway or a local server that implements \
the Messages API, and start again.";

const FINALE: &str = "\
That was the demo. In a few words:

1. **Text** streams in as it is written, and so does *thinking*.
2. **Tools** that only look run at once; those that change something wait for you.
3. **Questions** and **plans** are shown to you, and the work continues with your answer.

For a real model, set one of these and start again:

```sh
export ANTHROPIC_API_KEY=…              # the public API
export ANTHROPIC_BASE_URL=http://…      # a gateway, or a server of your own
```";

const PLAN: &str = "\
# Tidy up after the demo

1. Look whether `demo.txt` is there
2. Remove it
3. Say so

Nothing of this will be done: it is a demo of a plan.";

/// A part of the tour. Each ends with a call, except where the tool is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
enum DemoStop {
    Look,
    Change,
    Ask,
    Plan,
    Approve,
}

const TOUR: [DemoStop; 5] =
    [DemoStop::Look, DemoStop::Change, DemoStop::Ask, DemoStop::Plan, DemoStop::Approve];

/// The demo's next answer in this conversation.
pub(super) fn step(talk: &ScriptConversation<'_>) -> Vec<PlannedBlock> {
    let prompt = talk.prompt();
    let is_demo =
        prompt.text.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("demo"));
    if !is_demo {
        return vec![PlannedBlock::text(INTRODUCTION)];
    }
    let stops: Vec<(DemoStop, PlannedBlock)> =
        TOUR.iter().filter_map(|stop| call(*stop, talk).map(|call| (*stop, call))).collect();
    let at = usize::try_from(prompt.turns).unwrap_or(usize::MAX);
    let before = at.checked_sub(1).and_then(|before| stops.get(before)).map(|(stop, _)| *stop);
    let mut blocks = Vec::new();
    if at == 0 {
        blocks.push(PlannedBlock::thinking(
            "They want to see the demo. I have no model to think with, so this thought was written in \
             advance. First I look around, then I ask before I change anything. ",
        ));
    }
    let now = stops.into_iter().nth(at);
    // A plan that was not begun can't be approved.
    let is_planless = before == Some(DemoStop::Plan) && talk.has_failed();
    match now {
        Some((stop, call)) if !is_planless => {
            blocks.push(PlannedBlock::text(format!("{}{}", reaction(before, talk), announcement(stop))));
            blocks.push(call);
        }
        _ => blocks.push(PlannedBlock::text(format!("{}{FINALE}", reaction(before, talk)))),
    }
    blocks
}

/// Gives a plan the demo's speed.
pub(super) fn pace(plan: &mut MessagePlan) {
    (plan.size, plan.pause) = (Some(PACE.0), PACE.1);
}

/// What a part calls; `None` where the model may call nothing of the kind.
fn call(stop: DemoStop, talk: &ScriptConversation<'_>) -> Option<PlannedBlock> {
    let one =
        |name: &str, input: Value| talk.has_tool(name).then(|| PlannedBlock::tool(name, Raw::from(&input)));
    match stop {
        DemoStop::Look => one("Bash", json!({ "command": "ls", "description": "List the files here" }))
            .or_else(|| one("Glob", json!({ "pattern": "*" }))),
        DemoStop::Change => change(talk),
        DemoStop::Ask => one("AskUserQuestion", question()),
        DemoStop::Plan => one("EnterPlanMode", json!({})),
        DemoStop::Approve => {
            one("ExitPlanMode", json!({ "plan": PLAN })).filter(|_| talk.has_tool("EnterPlanMode"))
        }
    }
}

/// A small file. Writing needs an absolute path, so without a known directory the shell does it.
fn change(talk: &ScriptConversation<'_>) -> Option<PlannedBlock> {
    let system = talk.system();
    let directory = system.lines().find_map(|line| line.split_once(DIRECTORY)).map(|(_, path)| path.trim());
    if let Some(directory) = directory.filter(|path| path.starts_with('/') && talk.has_tool("Write")) {
        let path = format!("{}/demo.txt", directory.trim_end_matches('/'));
        let input = json!({ "file_path": path, "content": "Hello from the demo.\n" });
        return Some(PlannedBlock::tool("Write", Raw::from(&input)));
    }
    let input = json!({ "command": "touch demo.txt", "description": "Make an empty file" });
    talk.has_tool("Bash").then(|| PlannedBlock::tool("Bash", Raw::from(&input)))
}

fn question() -> Value {
    json!({ "questions": [{
        "question": "What would you like an agent to do first?",
        "header": "First task",
        "multiSelect": false,
        "options": [
            { "label": "Explain", "description": "Read the code and explain how it works" },
            { "label": "Fix", "description": "Find a bug and fix it" },
            { "label": "Build", "description": "Add something new" },
        ],
    }]})
}

fn announcement(stop: DemoStop) -> &'static str {
    match stop {
        DemoStop::Look => {
            "Welcome to the demo! I have **no model** behind me, but everything else is real.\n\n\
             First a read-only tool. It needs no permission:"
        }
        DemoStop::Change => {
            "Now a tool that changes something. Unless your settings allow it already, you are asked first. \
             *No* is fine too:"
        }
        DemoStop::Ask => "Sometimes I need to know something from you:",
        DemoStop::Plan => "For larger work I make a plan before I touch anything:",
        DemoStop::Approve => "This is the plan. Nothing happens until you approve it:",
    }
}

/// A word on how the part before went.
fn reaction(before: Option<DemoStop>, talk: &ScriptConversation<'_>) -> String {
    let Some(before) = before else { return String::new() };
    let results = talk.results().unwrap_or_default();
    let word = match (before, talk.has_failed()) {
        (DemoStop::Look, false) => {
            let count = results.lines().filter(|line| !line.trim().is_empty()).count();
            format!("I got **{count} {}** back.", if count == 1 { "line" } else { "lines" })
        }
        (DemoStop::Look, true) => "That did not work here. Never mind.".to_owned(),
        (DemoStop::Change, false) => "Done: there is a file `demo.txt` now.".to_owned(),
        (DemoStop::Change, true) => {
            "It was not to be, so nothing was changed. A model would look for another way.".to_owned()
        }
        (DemoStop::Ask, false) => "Thank you, noted.".to_owned(),
        (DemoStop::Ask, true) => "No answer is an answer too.".to_owned(),
        (DemoStop::Plan, false) => "From here on I may only look.".to_owned(),
        (DemoStop::Plan, true) => "No plan then.".to_owned(),
        (DemoStop::Approve, false) => "Approved. I promised to do nothing, and I keep that.".to_owned(),
        (DemoStop::Approve, true) => "Not approved: a model would make a better plan.".to_owned(),
    };
    format!("{word}\n\n")
}
