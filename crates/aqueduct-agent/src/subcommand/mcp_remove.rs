//! `mcp remove` and `mcp reset-project-choices`.

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::mcp::{StoredServer, scope, unknown};
use super::mcp_error::McpCommandError;
use super::parse::GivenArguments;
use crate::mcp_config::{ServerStore, StoreScope};
use crate::transcript::Project;

/// `mcp remove <name>`.
pub(super) fn remove(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let name = given.operand(0);
    let store = ServerStore::of(&context.environment);
    let (scope, shown) = match given.value("--scope").map(scope).transpose()? {
        Some(scope) => (scope, name.to_owned()),
        None => (only_scope(&store, name)?, format!("\"{name}\"")),
    };
    if !store.remove(scope, name)? {
        return Err(McpCommandError::NotInScope { name: name.to_owned(), scope }.into());
    }
    console.print(&format!("Removed MCP server {shown} from {} config\n", scope.name()));
    console.print(&format!("File modified: {}\n", store.place(scope)));
    Ok(0)
}

/// The scope that has a server, if it is one alone.
fn only_scope(store: &ServerStore, name: &str) -> Result<StoreScope, McpCommandError> {
    let mut scopes = Vec::new();
    for scope in StoreScope::ALL {
        if store.entries(scope)?.iter().any(|(known, _)| known == name) {
            scopes.push(scope);
        }
    }
    match scopes[..] {
        [scope] => Ok(scope),
        [] => Err(unknown(name, &StoredServer::effective(store)?)),
        _ => {
            let places = scopes.into_iter().map(|scope| (scope, store.place(scope))).collect();
            Err(McpCommandError::Ambiguous { name: name.to_owned(), places })
        }
    }
}

/// `mcp reset-project-choices`.
pub(super) fn reset(
    context: &SubcommandContext,
    _: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let environment = &context.environment;
    let store = ServerStore::of(environment);
    store.forget_choices()?;
    let kept = Project::of(&environment.config, &environment.cwd).folder().join("mcp-approvals.json");
    match std::fs::remove_file(&kept) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(McpCommandError::Approvals { file: kept, error }.into());
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
