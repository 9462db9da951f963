//! `mcp list` and `mcp get`: show servers, and check whether they answer.

use std::sync::Arc;

use aqueduct_mcp::{Health, Mcp, McpFiles, ServerReport};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::context::{Console, SubcommandContext};
use super::error::SubcommandError;
use super::mcp::{StoredServer, unknown};
use super::parse::GivenArguments;
use crate::configuration::ConfigurationError;
use crate::host::HostChannel;
use crate::mcp_config::{ServerStore, StoreScope, sign_ins_folder};
use crate::mcp_host::McpSessionHost;
use crate::options::OutputFormat;
use crate::outbox::Outbox;
use crate::session::proxy;
use crate::transcript::Project;

/// `mcp list`.
pub(super) fn list(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let is_json = given.has("--json");
    let entries = StoredServer::effective(&ServerStore::of(&context.environment))?;
    let reports = check(context, CheckedServers::All { is_announced: !is_json }, console)?;
    if is_json {
        let servers: Vec<Value> = reports.iter().map(described).collect();
        let text = serde_json::to_string_pretty(&servers).map_err(SubcommandError::Output)?;
        console.print(&format!("{text}\n"));
        return Ok(0);
    }
    if reports.is_empty() {
        console
            .print(&context.named("No MCP servers configured. Use `{program} mcp add` to add a server.\n"));
    }
    for report in &reports {
        let entry = entries.iter().find(|entry| entry.name == report.name);
        let is_rejected = report.health == Health::Disabled
            && entry.is_some_and(|entry| is_rejected(context, entry).unwrap_or_default());
        if is_rejected {
            continue;
        }
        let target = entry.map_or_else(|| target(report), StoredServer::target);
        let issue = match &report.health {
            Health::Failed(why) => format!(" — {why}"),
            Health::Connected if report.is_signed_in => " (signed in)".to_owned(),
            _ => String::new(),
        };
        console.print(&format!("{}: {target} - {}{issue}\n", report.name, status(context, &report.health)));
    }
    Ok(0)
}

/// `mcp get <name>`.
pub(super) fn get(
    context: &SubcommandContext,
    given: &GivenArguments,
    console: &mut Console<'_>,
) -> Result<u8, SubcommandError> {
    let name = given.operand(0);
    let entries = StoredServer::effective(&ServerStore::of(&context.environment))?;
    let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
        return Err(unknown(name, &entries).into());
    };
    let report = check(context, CheckedServers::One(name), console)?.into_iter().next();
    let health =
        report.map_or_else(|| Health::Failed("it is not in effect".to_owned()), |report| report.health);
    let status = match is_rejected(context, entry)? && health == Health::Disabled {
        true => "✘ Rejected (see disabledMcpjsonServers in settings)".to_owned(),
        false => status(context, &health),
    };
    let mut text = format!("{name}:\n  Scope: {}\n  Status: {status}\n", entry.scope.described());
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    if let Health::Failed(why) = &health {
        line(format!("  Issue: {why}"));
    }
    let transport = entry.transport();
    line(format!("  Type: {transport}"));
    let block = |title: &str, pairs: Option<Vec<(String, String)>>, between: &str| {
        let lines = |pairs: Vec<(String, String)>| {
            let pairs = pairs.iter().map(|(name, value)| format!("\n    {name}{between}{value}"));
            format!("  {title}:{}", pairs.collect::<String>())
        };
        pairs.map(lines)
    };
    if transport == "stdio" {
        line(format!("  Command: {}", entry.text("command").unwrap_or_default()));
        line(format!("  Args: {}", entry.arguments()).trim_end().to_owned());
        block("Environment", entry.pairs("env"), "=").into_iter().for_each(&mut line);
    } else {
        line(format!("  URL: {}", entry.text("url").unwrap_or_default()));
        block("Headers", entry.pairs("headers"), ": ").into_iter().for_each(&mut line);
        entry.oauth().map(|oauth| format!("  OAuth: {oauth}")).into_iter().for_each(&mut line);
    }
    if let Some(timeout) = entry.text("timeout") {
        line(format!("  Timeout: {timeout}ms"));
    }
    line(format!(
        "\nTo remove this server, run: {} mcp remove {name} -s {}",
        context.program,
        entry.scope.name()
    ));
    console.print(&text);
    Ok(0)
}

/// Which servers are checked.
#[derive(Clone, Copy)]
enum CheckedServers<'c> {
    /// All of them.
    All {
        /// Whether the user reads that it takes a while.
        is_announced: bool,
    },
    /// That of a name.
    One(&'c str),
}

/// A server for programs.
fn described(report: &ServerReport) -> Value {
    let (status, error) = match &report.health {
        Health::Connected => ("connected", None),
        Health::NeedsAuth => ("needs-auth", None),
        Health::Failed(why) => ("failed", Some(why)),
        Health::Disabled => ("disabled", None),
        Health::Unapproved => ("unapproved", None),
    };
    let mut value = json!({
        "name": report.name,
        "transport": report.transport,
        "target": report.target,
        "status": status,
        "signedIn": report.is_signed_in,
    });
    if let Some(why) = error {
        value["error"] = why.as_str().into();
    }
    value
}

/// Connects to the servers that are in effect, or to one of them, and reports how that went. Those that the user has to
/// approve first are not started.
fn check(
    context: &SubcommandContext,
    checked: CheckedServers<'_>,
    console: &mut Console<'_>,
) -> Result<Vec<ServerReport>, SubcommandError> {
    let (configuration, environment) = context.configuration()?;
    let plugins = context.plugins();
    let mut sources = context.servers(&configuration, &environment, &plugins)?;
    if let CheckedServers::One(name) = checked {
        sources = sources.only(name);
    }
    let approvals = Project::of(&environment.config, &environment.cwd).folder().join("mcp-approvals.json");
    let files = McpFiles { approvals: Some(approvals), sign_ins: Some(sign_ins_folder(&environment)) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(SubcommandError::Runtime)?;
    if let CheckedServers::All { is_announced } = checked {
        sources.warnings.iter().for_each(|warning| console.warn(&warning.for_stderr()));
        if is_announced && !sources.is_empty() {
            console.print("Checking MCP server health…\n\n");
        }
    }
    let reports = runtime.block_on(async {
        let (outbox, _writer) = Outbox::open(tokio::io::sink(), OutputFormat::Text, false, None);
        let (notices, _unread) = mpsc::channel(1);
        let host = Arc::new(HostChannel::new(outbox));
        let proxy = proxy(&environment);
        let mcp = Mcp::new(
            Arc::new(environment),
            Arc::new(McpSessionHost::new(host, notices)),
            false,
            proxy,
            files,
        );
        mcp.add(sources.servers, &sources.off).await;
        mcp.settled(&CancellationToken::new()).await;
        let reports = mcp.report();
        mcp.end().await;
        reports
    });
    runtime.shutdown_background();
    Ok(reports)
}

/// Whether the user rejected a server of the project.
fn is_rejected(context: &SubcommandContext, entry: &StoredServer) -> Result<bool, ConfigurationError> {
    let (configuration, _) = context.configuration()?;
    let settings = configuration.servers();
    Ok(entry.scope == StoreScope::Project && settings.rejects(&entry.name) && !settings.is_off(&entry.name))
}

/// A server that no file of servers has: one of a plugin, of settings or of the command line.
fn target(report: &ServerReport) -> String {
    match report.transport {
        "stdio" => report.target.clone(),
        other => format!("{} ({})", report.target, other.to_uppercase()),
    }
}

fn status(context: &SubcommandContext, health: &Health) -> String {
    let text = match health {
        Health::Connected => "✔ Connected",
        Health::NeedsAuth => "! Needs authentication",
        Health::Failed(_) => "✘ Failed to connect",
        Health::Disabled => "⊘ Disabled for this project (re-enable via /mcp)",
        Health::Unapproved => "⏸ Pending approval (run `aqueduct trust` to approve)",
    };
    context.named(text)
}
