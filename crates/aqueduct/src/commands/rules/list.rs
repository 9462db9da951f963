//! `aqueduct rules list`: the effective rules, each with its source.

use std::fmt::Write as _;
use std::process::ExitCode;

use aqueduct_rules::{Behavior, Context, Snapshot};
use aqueduct_wire::hint::HintedError;
use serde_json::{Value, json};

use super::{RulesLocation, sources};
use crate::output;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: RulesLocation,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let sources = sources::find(&args.place, &sources::Folders::of_this_process())?;
    if args.json {
        let errors: Vec<String> = sources.errors.iter().map(HintedError::advised).collect();
        let mut listing = as_json(&sources.context);
        listing["errors"] = json!(errors);
        output::text(&format!("{}\n", serde_json::to_string_pretty(&listing)?))?;
    } else {
        sources.errors.iter().for_each(|error| output::remark(&format!("warning: {}", error.advised())));
        output::text(&readable(&sources.context))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(context: &Context) -> Value {
    let rules: Vec<Value> = context
        .rules()
        .map(|entry| {
            let mut rule = json!({
                "behavior": entry.behavior,
                "source": entry.source,
                "rule": entry.text,
                "editability": entry.source.editability(),
            });
            if let Some(reason) = entry.withheld {
                rule["notInEffect"] = json!(reason);
            }
            if let Err(error) = &entry.rule {
                rule["error"] = json!(error.advised());
            }
            rule
        })
        .collect();
    let directories: Vec<Value> = context
        .directories()
        .iter()
        .map(|directory| json!({ "path": directory.path, "source": directory.source }))
        .collect();
    json!({
        "mode": context.mode(),
        "rules": rules,
        "workspaceDirectories": directories,
        "originalCwd": context.cwd(),
        "managedOnly": context.is_managed_only(),
        "toolPermissionContext": Snapshot::of(context),
    })
}

fn readable(context: &Context) -> String {
    let mut text = format!("mode {} in {}\n", context.mode(), context.cwd());
    for directory in context.directories() {
        let _ = writeln!(text, "directory {} ({})", directory.path, directory.source);
    }
    for behavior in [Behavior::Deny, Behavior::Ask, Behavior::Allow] {
        for entry in context.rules().filter(|entry| entry.behavior == behavior) {
            let _ = write!(text, "{behavior:<5} {} ({})", entry.text, entry.source);
            if let Some(reason) = entry.withheld {
                let _ = write!(text, ": not in effect, {reason}");
            }
            if let Err(error) = &entry.rule {
                let _ = write!(text, ": {}", error.advised());
            }
            text.push('\n');
        }
    }
    text
}
