//! `aqueduct devices`: list, rename and revoke devices.

mod table;

use std::process::ExitCode;

use anyhow::{bail, ensure};
use aqueduct_bridge::message::bridge::{ActorKind, DeviceInfo, Devices};
use aqueduct_wire::json::Json;

use crate::bridge::Bridge;
use crate::config::{BridgeLocation, Config};
use crate::explained::advice;
use crate::output::{self, TerminalInfo};
use crate::terminal::plain;

/// List, rename and revoke devices
///
/// Without a subcommand it lists them. A revoked device loses its connections at once, and its token permanently.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  aqueduct devices
  aqueduct devices rename 3f2a91c0 Kitchen
  aqueduct devices revoke 3f2a91c0
  aqueduct devices list --json

Exit code: 0 when it is done; 2 if it could not be.")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<DevicesCommand>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    place: BridgeLocation,
}

/// What to do with devices.
#[derive(Debug, clap::Subcommand)]
enum DevicesCommand {
    /// List devices and tokens
    List,
    /// Rename a device
    Rename {
        /// Its id, or a unique prefix of it
        #[arg(value_name = "ID")]
        id: String,
        /// The new name
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Revoke a device's access
    Revoke {
        /// Its id, or a unique prefix of it
        #[arg(value_name = "ID")]
        id: String,
    },
}

pub(crate) fn run(args: &Args, screen: &TerminalInfo) -> anyhow::Result<ExitCode> {
    let config = args.place.load()?;
    match &args.command {
        None | Some(DevicesCommand::List) => list(&config, None, args.json, screen)?,
        Some(DevicesCommand::Rename { id, name }) => rename(&config, id, name)?,
        Some(DevicesCommand::Revoke { id }) => revoke(&config, None, id)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the devices that have access, or those of one kind.
pub(super) fn list(
    config: &Config,
    kind: Option<&ActorKind<'static>>,
    json: bool,
    screen: &TerminalInfo,
) -> anyhow::Result<()> {
    let devices = known(config, kind)?;
    if json {
        let mut text = String::new();
        Devices::new(devices).write(&mut text);
        return output::text(&format!("{text}\n"));
    }
    if devices.is_empty() {
        output::remark(match kind {
            Some(_) => "no program has a token; aqueduct token new NAME makes one",
            None => "no device has access yet; aqueduct pair adds one",
        });
        return Ok(());
    }
    output::text(&table::table(&devices, std::time::SystemTime::now(), screen))
}

/// Revokes the access of a device or token, of any kind or of one kind.
pub(super) fn revoke(config: &Config, kind: Option<&ActorKind<'static>>, id: &str) -> anyhow::Result<()> {
    let device = meant(config, kind, id)?;
    let name = plain(&device.name);
    match Bridge::reach(config)?.revoke(&device.device_id)? {
        None => output::remark(&format!("revoked access for {name}")),
        Some(why) => output::remark(&format!(
            "revoked access for {name}, but not saved yet: {}. It is saved as soon as possible; it is lost if the bridge \
             ends before that",
            plain(&why)
        )),
    }
    Ok(())
}

fn rename(config: &Config, id: &str, name: &str) -> anyhow::Result<()> {
    ensure!(
        !name.trim().is_empty(),
        advice("the new name is empty", "give a name that identifies the device")
    );
    let device = meant(config, None, id)?;
    Bridge::reach(config)?.rename(&device.device_id, name)?;
    output::remark(&format!("{} is {} now", plain(&device.name), plain(name)));
    Ok(())
}

/// The one whose id begins so, of any kind or of one.
fn meant(
    config: &Config,
    kind: Option<&ActorKind<'static>>,
    id: &str,
) -> anyhow::Result<DeviceInfo<'static>> {
    let devices = known(config, kind)?;
    let mut meant = devices.into_iter().filter(|device| device.device_id.starts_with(id));
    match (meant.next(), meant.next()) {
        (Some(device), None) if !id.is_empty() => Ok(device),
        (Some(_), _) => {
            bail!(advice(
                format!("several ids begin with \"{id}\""),
                "give more of it; aqueduct devices lists them",
            ))
        }
        (None, _) => bail!(advice(format!("no id begins with \"{id}\""), "aqueduct devices lists them")),
    }
}

/// The devices that have access: none if a bridge never ran.
fn known(config: &Config, kind: Option<&ActorKind<'static>>) -> anyhow::Result<Vec<DeviceInfo<'static>>> {
    if !config.data_dir.exists() {
        return Ok(Vec::new());
    }
    let mut devices = Bridge::reach(config)?.devices()?;
    devices.retain(|device| kind.is_none_or(|kind| device.kind == *kind));
    Ok(devices)
}
