//! `aqueduct token`: tokens for programs.

use std::process::ExitCode;

use anyhow::ensure;
use aqueduct_bridge::log::Time;
use aqueduct_bridge::message::bridge::ActorKind;

use super::devices;
use crate::bridge::{Bridge, GrantArgs, grant};
use crate::config::BridgeLocation;
use crate::explained::advice;
use crate::output::{self, TerminalInfo};

/// The longest name of a token, in characters.
const LONGEST: usize = 80;

/// The name of a token that was created without one.
const UNNAMED: &str = "token";

/// Create, list and revoke tokens for programs
#[derive(Debug, clap::Subcommand)]
pub(crate) enum TokenCommand {
    New(NewArgs),
    List(ListArgs),
    Revoke(RevokeArgs),
}

/// Create a token for a program, and print it once
///
/// The program sends it as Authorization: Bearer TOKEN. The bridge keeps a hash of it, so it can't be shown
/// again. It gets the scope operate: it can start and drive sessions, and so run commands in your name.
/// --scope gives it less or more.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct token new nightly
  aqueduct token new --scope decide --expires 30d --name phone-shortcut
  aqueduct token new --scope watch --root ~/work/api dashboard
  curl -H \"Authorization: Bearer $(aqueduct token new once)\" http://127.0.0.1:8765/api/v1/sessions

Exit code: 0 when it is made; 2 if it could not be.")]
pub(crate) struct NewArgs {
    /// The name of the program [default: token]
    name: Option<String>,
    /// The same as a flag
    #[arg(long = "name", value_name = "NAME", conflicts_with = "name")]
    named: Option<String>,
    #[command(flatten)]
    grant: GrantArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

/// List the programs that have a token
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct token list

Exit code: 0 when they are listed; 2 if they could not be.")]
pub(crate) struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

/// Revoke a program's token
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct token revoke 90aa11ff

Exit code: 0 when it is done; 2 if it could not be.")]
pub(crate) struct RevokeArgs {
    /// Its id, or a unique prefix of it
    id: String,
    #[command(flatten)]
    place: BridgeLocation,
}

pub(crate) fn run(command: &TokenCommand, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    match command {
        TokenCommand::New(args) => new(args)?,
        TokenCommand::List(args) => {
            devices::list(&args.place.load()?, Some(&ActorKind::Token), args.json, screen)?
        }
        TokenCommand::Revoke(args) => {
            devices::revoke(&args.place.load()?, Some(&ActorKind::Token), &args.id)?
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn new(args: &NewArgs) -> anyhow::Result<()> {
    let name = args.name.as_ref().or(args.named.as_ref()).map_or(UNNAMED, |name| name.trim());
    ensure!(!name.is_empty(), advice("the name is empty", "name the program that the token is for"));
    ensure!(
        name.chars().count() <= LONGEST,
        advice(format!("the name is longer than {LONGEST} characters"), "choose a shorter one")
    );
    let config = args.place.load()?;
    let grant = args.grant.grant(Time::now())?;
    let mut described = grant::members(&grant);
    let token = Bridge::reach(&config)?.add_token(name, grant)?;
    match args.json {
        true => {
            described["name"] = name.into();
            described["token"] = token.reveal().into();
            output::text(&format!("{described}\n"))
        }
        false => output::text(&format!("{}\n", token.reveal())),
    }
}
