//! `aqueduct run`: one prompt in a terminal, with any agent.

mod ask;
mod drive;
mod prompt;
mod show;
mod signals;
mod start;
mod trust;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use aqueduct_client::{PROFILES, Profile};
use aqueduct_wire::permission::PermissionMode;
use aqueduct_wire::table::Definition;
use clap::builder::{OsStringValueParser, TypedValueParser};

use crate::agents::{AgentSearchPath, AgentSelection};
use crate::output::TerminalInfo;

/// Send a prompt to an agent and show its work in the terminal
///
/// Text is written as it comes; each tool that was used is a line on stderr, with what it was asked and what came
/// of it. What needs a permission is asked on the terminal, and so are questions and plans; without a terminal it
/// is denied, with a note. A folder whose files provide hooks, servers, rules or the like is asked about first, as
/// aqueduct trust does; without a terminal it runs without them. The prompt is the arguments, or standard
/// input, or both: then standard input follows the arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct run What does this project do?
  git diff | aqueduct run Write a commit message for this > message.txt
  aqueduct run --permission-mode plan How would you add a cache?
  aqueduct run --continue Now do it
  aqueduct run -o json List the open questions | jq -r .result
  aqueduct run --agent builtin --model scripted @say hello
  aqueduct run --agent qwen Explain this function

Standard output has only the answer, or with -o json and stream-json only JSON; everything else goes to
standard error, without colours if that is not a terminal or if NO_COLOR is set. Ctrl-C interrupts the run, waits for
its end and prints what there was; a second one ends everything at once. aqueduct doctor shows which agents
there are.

Exit code: 0 when the run is done; 1 if it failed: the model's API did, a limit was reached, the model declined, the
agent crashed; 2 if it was not started: no prompt, wrong options, no such agent, or you quit at the question about trust; 130 if Ctrl-C interrupted it, 129
and 143 if SIGHUP and SIGTERM ended it.")]
pub(crate) struct Args {
    /// The prompt [default: standard input]
    prompt: Vec<String>,
    /// The output format
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t)]
    output: RunOutput,
    /// Which agent: auto is the reference CLI if it is on PATH, else builtin, the one in this program
    #[arg(long, value_name = "auto|builtin|PROGRAM", default_value = "auto", value_parser = OsStringValueParser::new().map(AgentSelection::from))]
    agent: AgentSelection,
    /// The agent's dialect [default: by the program's name]
    #[arg(long, value_name = "PROFILE", value_parser = profile)]
    profile: Option<Profile>,
    /// The working directory [default: the current folder]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// The model's name or alias
    #[arg(short, long)]
    model: Option<String>,
    /// The permission mode: how calls that no rule matches are decided
    #[arg(long, value_name = "MODE", value_parser = mode)]
    permission_mode: Option<PermissionMode<'static>>,
    /// Trust the folder for this run: its hooks, servers and rules take effect
    #[arg(long)]
    trust_workspace: bool,
    /// Allow rules, such as 'Bash(git log:*)'; can be repeated
    #[arg(long, visible_alias = "allowedTools", value_name = "RULES")]
    allowed_tools: Vec<String>,
    /// Deny rules; can be repeated
    #[arg(long, visible_alias = "disallowedTools", value_name = "RULES")]
    disallowed_tools: Vec<String>,
    /// The built-in tools to offer, separated by commas; "" for none
    #[arg(long, value_name = "TOOLS")]
    tools: Option<String>,
    /// Deny calls that need a permission even if there is a terminal
    #[arg(long)]
    no_ask: bool,
    /// Resume a conversation
    #[arg(short, long, value_name = "ID", conflicts_with = "continue_latest")]
    resume: Option<String>,
    /// Resume the newest conversation of this folder
    #[arg(short, long = "continue")]
    continue_latest: bool,
    /// With --resume or --continue: continue in a copy
    #[arg(long)]
    fork_session: bool,
    /// The id of the new conversation: a UUID
    #[arg(long, value_name = "UUID")]
    session_id: Option<String>,
    /// An additional working directory; can be repeated
    #[arg(long, value_name = "DIR")]
    add_dir: Vec<PathBuf>,
    /// Text in place of the agent's system prompt
    #[arg(long, value_name = "TEXT")]
    system_prompt: Option<String>,
    /// Text after the agent's system prompt
    #[arg(long, value_name = "TEXT")]
    append_system_prompt: Option<String>,
    /// Further settings: a file or JSON
    #[arg(long, value_name = "FILE|JSON")]
    settings: Option<String>,
    /// MCP servers: a file or JSON; can be repeated
    #[arg(long, value_name = "FILE|JSON")]
    mcp_config: Vec<String>,
    /// The largest number of requests to the model
    #[arg(long, value_name = "N")]
    max_turns: Option<u32>,
    /// The largest cost of the run
    #[arg(long, value_name = "USD")]
    max_budget_usd: Option<f64>,
    /// The JSON Schema of the answer
    #[arg(long, value_name = "JSON")]
    json_schema: Option<String>,
    /// With -o stream-json: include the model's stream events
    #[arg(long)]
    include_partial_messages: bool,
    /// Show the model's thinking on standard error
    #[arg(long)]
    thinking: bool,
    /// Print the final answer only, and errors on standard error
    #[arg(short, long)]
    quiet: bool,
    /// An argument that is passed to the agent unchanged; can be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    agent_arg: Vec<OsString>,
}

/// What is printed on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum RunOutput {
    /// The model's text, as it arrives
    #[default]
    Text,
    /// The result, as one object
    Json,
    /// Every frame unchanged, one a line
    StreamJson,
}

/// Reads the name of a profile.
fn profile(name: &str) -> anyhow::Result<Profile> {
    let known: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
    Profile::named(name).with_context(|| format!("the profiles are {}", known.join(", ")))
}

/// Reads a permission mode, which must be a known one.
fn mode(text: &str) -> anyhow::Result<PermissionMode<'static>> {
    let known = match PermissionMode::DEFINITION {
        Definition::Names(names) => names.values,
        _ => &[],
    };
    anyhow::ensure!(known.contains(&text), "the modes are {}", known.join(", "));
    Ok(PermissionMode::from(text).into_owned())
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let prompt = prompt::read(&args.prompt)?;
    let agent = AgentSearchPath::of_this_process()?.choose(&args.agent);
    // Standard output may be slow and a terminal may be stopped; signals and the agent must not wait for them. So
    // this thread shows, and another one drives.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.context("can't start the runtime")?;
    let code = runtime.block_on(drive::drive(args, agent, prompt, screen));
    runtime.shutdown_background();
    code.map(ExitCode::from)
}
