//! `aqueduct pair`: a link that pairs one more device.

use std::process::ExitCode;

use aqueduct_bridge::log::Time;
use aqueduct_bridge::message::{AccessScope, Consequence};
use aqueduct_wire::json::Json;

use crate::bridge::{Bridge, GrantArgs};
use crate::commands::serve;
use crate::config::BridgeLocation;
use crate::output::{self, TerminalInfo};

/// Create a link that pairs another device
///
/// Open it on the device, or scan the code. It works once, within ten minutes. The device gets the scope operate: it can
/// start and drive sessions, and so run commands in your name. --scope gives it less or more. Programs that have no
/// browser send the code behind its # to POST /api/v1/pair, or get a token with aqueduct token new.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct pair
  aqueduct pair --name phone --scope decide --expires 30d
  aqueduct pair --scope admin
  aqueduct pair --scope watch --root ~/work/api
  aqueduct pair --json | jq -r .link

Exit code: 0 when the link is made; 2 if it could not be.")]
pub(crate) struct Args {
    /// A name for the device, in place of its own
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    grant: GrantArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let config = args.place.load()?;
    let bridge = Bridge::reach(&config)?;
    let grant = args.grant.grant(Time::now())?;
    let pairing = bridge.create_pairing(args.name.as_deref(), grant)?;
    if args.json {
        let mut text = String::new();
        pairing.write(&mut text);
        output::text(&format!("{text}\n"))?;
    } else {
        output::text(&serve::link(&pairing, screen))?;
        if let Some(scope) = pairing.scope.as_ref().and_then(AccessScope::scope) {
            output::remark(&Consequence::Pairing(scope).to_string());
        }
    }
    if !bridge.is_running() {
        output::remark("the bridge does not run: start it with aqueduct serve before you open the link");
    }
    Ok(ExitCode::SUCCESS)
}
