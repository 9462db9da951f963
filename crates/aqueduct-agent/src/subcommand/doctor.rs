//! `doctor`: what is wrong with the installation and the settings. Nothing is changed.

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::parse::GivenArguments;
use crate::PROTOCOL_VERSION;
use crate::diagnostic::Diagnostic;

/// `doctor`.
pub(super) fn check(
    context: &SubcommandContext,
    _: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let version = env!("CARGO_PKG_VERSION");
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    console.print(&format!(
        "{} doctor\n\nRunning: Aqueduct {version} (protocol {PROTOCOL_VERSION})\n",
        context.program
    ));
    console.print(&format!("Platform: {system}-{machine}\n"));
    if let Some(program) = context.environment.guard.first() {
        let program = std::fs::canonicalize(program).unwrap_or_else(|_| program.into());
        console.print(&format!("Path: {}\n", program.display()));
    }
    console.print(&format!("Configuration: {}\n", context.environment.config.display()));
    let (configuration, environment) = context.configuration()?;
    for (name, purpose) in [("git", "repositories and worktrees"), ("bash", "commands")] {
        let found = environment.search_path().any(|folder| folder.join(name).is_file());
        console.print(&format!(
            "{name}: {}\n",
            if found { "OK".to_owned() } else { format!("missing; needed for {purpose}") }
        ));
    }
    let plugins = context.plugins();
    let servers = context.servers(&configuration, &environment, &plugins);
    let mut problems = configuration.warnings().to_vec();
    problems.extend(plugins.diagnostics());
    match servers {
        Ok(servers) => problems.extend(servers.warnings),
        Err(error) => problems.push(Diagnostic::problem(error.to_string())),
    }
    if problems.is_empty() {
        console.print("\nNo installation issues found.\n");
    } else {
        console.print(&format!("\nIssues found: {}\n", problems.len()));
        problems.iter().for_each(|problem| console.print(&format!("- {problem}\n")));
    }
    Ok(0)
}
