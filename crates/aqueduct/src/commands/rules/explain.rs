//! `aqueduct rules explain`: one call, what would be decided about it, and why.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use aqueduct_rules::{Call, Decision, Part, decide, git_directories, paths};
use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::permission::PermissionUpdate;

use super::{RulesLocation, sources};
use crate::explained::advice;
use crate::output;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The tool, such as Bash, Read or mcp__server__tool
    #[arg(long, value_name = "NAME")]
    tool: String,
    /// The tool's input as JSON, such as '{"command":"git push"}'
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    /// Print JSON, as is done when the output is not a terminal
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: RulesLocation,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let input: serde_json::Value = serde_json::from_str(&args.input)
        .context(advice("--input is not JSON", "quote it for your shell"))?;
    let sources = sources::find(&args.place, &sources::Folders::of_this_process())?;
    sources.errors.iter().for_each(|error| output::remark(&format!("warning: {}", error.advised())));
    let call = Call::new(&args.tool, &input);
    let resolved = aqueduct_agent::resolve_paths(paths(&sources.context, &call));
    let directories = git_directories(&sources.context, &call);
    let repositories = sources::repositories(Path::new(sources.context.cwd()), directories);
    let decision = decide(&sources.context, &call.with_resolved(&resolved).with_repositories(&repositories));
    if args.json || !std::io::stdout().is_terminal() {
        output::text(&format!("{}\n", serde_json::to_string_pretty(&decision)?))?;
    } else {
        output::text(&readable(&decision))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A decision as a person reads it.
pub(crate) fn readable(decision: &Decision) -> String {
    let mut text = format!("{}: {}\n", decision.behavior, decision.reason);
    if !decision.parts.is_empty() {
        text.push_str("\nCommands\n");
        decision.parts.iter().for_each(|part| part_lines(&mut text, part));
    }
    if !decision.trace.is_empty() {
        text.push_str("\nHow it was decided\n");
        for step in &decision.trace {
            let _ = write!(text, "  {:?}: {}", step.step, step.note);
            if let (Some(rule), Some(source)) = (&step.rule, step.source) {
                let _ = write!(text, " ({rule}, from {source})");
            }
            if let Some(matched) = &step.matched {
                let _ = write!(text, ": {matched}");
            }
            text.push('\n');
        }
    }
    if !decision.suggestions.is_empty() {
        text.push_str("\n\"Always allow\" would add\n");
        decision.suggestions.iter().for_each(|suggestion| {
            let _ = writeln!(text, "  {}", described(suggestion));
        });
    }
    text
}

fn part_lines(text: &mut String, part: &Part) {
    let place = if part.inside { " (inside another command)" } else { "" };
    let _ = writeln!(text, "  {}{place}\n    {}: {}", part.command, part.behavior, part.because);
    for (what, paths) in [("reads", &part.reads), ("writes", &part.writes)] {
        if !paths.is_empty() {
            let _ = writeln!(text, "    {what} {}", paths.join(", "));
        }
    }
    if part.network {
        text.push_str("    may use the network\n");
    }
    if !part.programs.is_empty() {
        let _ = writeln!(text, "    runs {}", part.programs.join(", "));
    }
}

fn described(update: &PermissionUpdate<'_>) -> String {
    let destination = update.destination().map_or("", |destination| destination.as_str());
    match update {
        PermissionUpdate::AddRules(update) => {
            let rules: Vec<String> = update.rules.iter().map(ToString::to_string).collect();
            let behavior = update.behavior.as_ref().map_or("", |behavior| behavior.as_str());
            format!("{behavior} {} to {destination}", rules.join(", "))
        }
        PermissionUpdate::AddDirectories(update) => {
            let directories: Vec<&str> = update.directories.iter().map(|path| path.as_str()).collect();
            format!("directory {} to {destination}", directories.join(", "))
        }
        PermissionUpdate::SetMode(update) => format!("mode {} for {destination}", update.mode.as_str()),
        // Nothing is ever suggested that takes something away.
        other => format!("{other:?}"),
    }
}
