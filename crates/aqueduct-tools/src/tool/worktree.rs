//! `EnterWorktree` and `ExitWorktree`: the conversation works in a worktree, and leaves it again.

use aqueduct_wire::block::Content;
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Raw;
use serde_json::{Value, json};

use super::row::{Audience, ToolFacts};
use super::{BuiltInTool, CallOutput, ToolContext, ToolFailure, ToolFuture, ToolInvocation};
use crate::worktree::{
    EnteredWorktree, WorktreeError, WorktreeMaker, WorktreeName, WorktreePurpose, existing, is_there,
};

/// The tool that enters a worktree.
pub(crate) const ENTER: BuiltInTool = BuiltInTool {
    name: "EnterWorktree",
    description: "Create a worktree of the repository and work there from now on, isolated from the main \
        checkout; or enter an existing one. Only when the user asks for a worktree: not for a branch, and \
        not to fix something.",
    schema: r#"{"type":"object","properties":{"name":{"type":"string","description":"Name of a new worktree: parts of letters, digits, dots, underscores and dashes with / between them, at most 64 characters. Default: a generated name. Not together with path"},"path":{"type":"string","description":"An existing worktree of this repository below .claude/worktrees, to enter instead of a new one"}},"additionalProperties":false}"#,
    run: enter,
    facts: ToolFacts {
        audience: Audience::MainAgent,
        is_rare: true,
        is_for_worktrees: true,
        ..ToolFacts::NONE
    },
};

/// The tool that leaves it.
pub(crate) const EXIT: BuiltInTool = BuiltInTool {
    name: "ExitWorktree",
    description: "Leave the worktree that EnterWorktree entered and return to the previous working \
        directory. Only when the user asks for it.",
    schema: r#"{"type":"object","properties":{"action":{"type":"string","enum":["keep","remove"],"description":"keep leaves the worktree and its branch; remove deletes both"},"discard_changes":{"type":"boolean","description":"With remove: delete changes and commits as well. Ask the user first"}},"required":["action"],"additionalProperties":false}"#,
    run: exit,
    facts: ToolFacts {
        audience: Audience::MainAgent,
        is_rare: true,
        is_for_worktrees: true,
        ..ToolFacts::NONE
    },
};

fn rejected(text: impl Into<String>) -> ToolFailure {
    ToolFailure::Rejected(text.into())
}

/// The input as an object with known members only.
fn read(call: &ToolInvocation<'_>, known: &[&str]) -> Result<Value, ToolFailure> {
    let input: Value = call.input.to().map_err(|error| rejected(error.to_string()))?;
    match input.as_object().and_then(|members| members.keys().find(|name| !known.contains(&name.as_str()))) {
        Some(unknown) => {
            Err(rejected(format!("Unknown parameter `{unknown}`; expected {}.", known.join(", "))))
        }
        None => Ok(input),
    }
}

/// A text of the input.
fn text<'i>(input: &'i Value, name: &str) -> Result<Option<&'i str>, ToolFailure> {
    match input.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(rejected(format!("`{name}` must be a string."))),
    }
}

fn output(message: String, mut result: Value) -> CallOutput {
    result["message"] = message.as_str().into();
    CallOutput {
        content: Content::Text(message.into()),
        result: Raw::from(&result).into_owned(),
        is_error: false,
    }
}

fn enter<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let input = read(&call, &["name", "path"])?;
        let (name, path) = (text(&input, "name")?, text(&input, "path")?);
        if name.is_some() && path.is_some() {
            return Err(rejected("Pass `name` or `path`, not both."));
        }
        let before = tool_context.workspace.worktrees.held();
        if before.is_some() && path.is_none() {
            return Err(rejected(
                "This conversation is already in a worktree. Enter another existing one with `path`, or \
                 leave this one with ExitWorktree first.",
            ));
        }
        let service = tool_context.workspace.worktrees.take_service();
        let service = service.ok_or_else(|| {
            ToolFailure::Failed("Worktrees are only available in the main conversation.".to_owned())
        })?;
        let environment = &tool_context.environment;
        let cwd = tool_context.workspace.cwd();
        let (worktree, is_own) = match path {
            Some(path) => (existing(environment, &cwd, &cwd.join(path)).await, false),
            None => {
                let name = name.map_or_else(|| Ok(WorktreeName::random()), WorktreeName::new);
                let name = name.map_err(|error| rejected(WorktreeError::from(error).advised()))?;
                let maker = WorktreeMaker {
                    environment,
                    cwd: &cwd,
                    settings: service.settings,
                    purpose: WorktreePurpose::Session,
                };
                // An existing worktree may belong to the user: it is entered, and never removed.
                let is_new = service.makers.is_some() || !is_there(environment, &cwd, &name).await;
                (maker.make(&name, service.makers, &call.cancel).await, is_new)
            }
        };
        let worktree = worktree.map_err(|error| {
            ToolFailure::Failed(format!("The worktree can't be entered: {}", error.advised()))
        })?;
        if let Some(before) = &before {
            before.worktree.unlock(environment).await;
        }
        let from = before.map_or(cwd, |before| before.from);
        let folder = worktree.path.clone();
        let branch = worktree.branch.clone();
        tool_context.workspace.worktrees.hold(Some(EnteredWorktree { worktree, from, is_own }));
        tool_context.workspace.set_cwd(folder.clone());
        let on = branch.as_ref().map(|branch| format!(" on the branch {branch}")).unwrap_or_default();
        let how = if is_own { "Made" } else { "Entered" };
        let message = format!(
            "{how} the worktree {}{on}. The conversation works there from now on; ExitWorktree leaves it.",
            folder.display()
        );
        let mut result = json!({ "worktreePath": folder });
        if let Some(branch) = branch {
            result["worktreeBranch"] = branch.into();
        }
        Ok(output(message, result))
    })
}

fn exit<'a>(tool_context: &'a ToolContext, call: ToolInvocation<'a>) -> ToolFuture<'a> {
    Box::pin(async move {
        let input = read(&call, &["action", "discard_changes"])?;
        let removes = match text(&input, "action")? {
            Some("keep") => false,
            Some("remove") => true,
            _ => return Err(rejected("`action` must be keep or remove.")),
        };
        let discards = match input.get("discard_changes") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(discards)) => *discards,
            Some(_) => return Err(rejected("`discard_changes` must be true or false.")),
        };
        let Some(held) = tool_context.workspace.worktrees.held() else {
            return Err(rejected(
                "This conversation has not entered a worktree with EnterWorktree, so there is none to leave. \
                 Nothing was changed.",
            ));
        };
        let service = tool_context.workspace.worktrees.take_service();
        let worktree = &held.worktree;
        let environment = &tool_context.environment;
        let folder = worktree.path.display();
        let mut result = json!({
            "action": if removes { "remove" } else { "keep" },
            "originalCwd": held.from,
            "worktreePath": worktree.path,
        });
        if let Some(branch) = &worktree.branch {
            result["worktreeBranch"] = branch.as_str().into();
        }
        let mut lost = String::new();
        if removes {
            if !held.is_own {
                return Err(rejected(format!(
                    "The worktree {folder} was not created by this conversation, so it is not removed. Leave \
                     it with action keep; the user can remove it with `git worktree remove`."
                )));
            }
            let changes = worktree.changes(environment).await;
            if !discards {
                let what = match changes {
                    Some(changes) if changes.is_empty() => None,
                    Some(changes) => Some(format!("has {changes}")),
                    None => Some("can't be checked for changes".to_owned()),
                };
                if let Some(what) = what {
                    return Err(rejected(format!(
                        "The worktree {folder} {what}. Ask the user first discarding this; then call again \
                         with discard_changes, or with action keep."
                    )));
                }
            }
            let changes = changes.unwrap_or_default();
            if !changes.is_empty() {
                lost = format!(" Lost with it: {changes}.");
            }
            result["discardedFiles"] = changes.files().into();
            result["discardedCommits"] = changes.commits().into();
        }
        let is_missing = !held.from.is_dir();
        let back = if is_missing { environment.cwd.clone() } else { held.from.clone() };
        if removes {
            let removers = service.and_then(|service| service.removers);
            let removed = worktree.remove(environment, removers, &call.cancel).await;
            removed.map_err(|error| {
                ToolFailure::Failed(format!("The worktree {folder} can't be removed: {}", error.advised()))
            })?;
        } else {
            worktree.unlock(environment).await;
        }
        tool_context.workspace.worktrees.hold(None);
        tool_context.workspace.set_cwd(back.clone());
        result["restoredCwd"] = json!(back);
        result["originalCwdMissing"] = is_missing.into();
        let what = match removes {
            true => format!("Left and removed the worktree {folder}.{lost}"),
            false => format!("Left the worktree {folder}, which stays as it is."),
        };
        Ok(output(format!("{what} The conversation is back in {}.", back.display()), result))
    })
}
