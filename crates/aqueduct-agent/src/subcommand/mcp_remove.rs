//! `mcp remove` and `mcp reset-project-choices`.

use super::context::{Console, Context};
use super::mcp::{Entry, scope, unknown};
use super::parse::Given;
use crate::mcp_config::{Store, StoreScope};
use crate::transcript::Project;

/// `mcp remove <name>`.
pub(super) fn remove(context: &Context, given: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let name = given.operand(0);
    let store = Store::of(&context.environment);
    let (scope, shown) = match given.value("--scope").map(scope).transpose()? {
        Some(scope) => (scope, name.to_owned()),
        None => (only_scope(context, &store, name)?, format!("\"{name}\"")),
    };
    if !store.remove(scope, name)? {
        return Err(format!("No MCP server named \"{name}\" in {} scope", scope.name()));
    }
    console.print(&format!("Removed MCP server {shown} from {} config\n", scope.name()));
    console.print(&format!("File modified: {}\n", store.place(scope)));
    Ok(0)
}

/// The scope that has a server, if it is one alone.
fn only_scope(context: &Context, store: &Store, name: &str) -> Result<StoreScope, String> {
    let mut scopes = Vec::new();
    for scope in StoreScope::ALL {
        if store.entries(scope)?.iter().any(|(known, _)| known == name) {
            scopes.push(scope);
        }
    }
    match scopes[..] {
        [scope] => Ok(scope),
        [] => {
            let all = Entry::effective(store)?;
            Err(unknown(context, name, all.iter().map(|entry| entry.name.as_str())))
        }
        _ => {
            let mut text = format!("MCP server \"{name}\" exists in multiple scopes:\n");
            for scope in &scopes {
                text.push_str(&format!("  - {} ({})\n", scope.described(), store.place(*scope)));
            }
            text.push_str("\nTo remove from a specific scope, use:");
            for scope in &scopes {
                text.push_str(&format!("\n  {} mcp remove {name} -s {}", context.program, scope.name()));
            }
            Err(text)
        }
    }
}

/// `mcp reset-project-choices`.
pub(super) fn reset(context: &Context, _: &Given, console: &mut Console<'_>) -> Result<u8, String> {
    let environment = &context.environment;
    let store = Store::of(environment);
    store.forget_choices()?;
    let kept = Project::of(&environment.config, &environment.cwd).folder().join("mcp-approvals.json");
    match std::fs::remove_file(&kept) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(format!("{} can't be removed: {error}", kept.display()));
        }
        _ => (),
    }
    console.print(
        "Project-scoped (.mcp.json) server approvals and rejections stored for this project have been reset.\n",
    );
    if !store.entries(StoreScope::Project)?.is_empty() {
        console.print("You will be asked for approval the next time a session starts.\n");
    }
    Ok(0)
}
