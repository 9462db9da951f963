//! `aqueduct systemd-unit`: the units that packages install, for this program.

use std::process::ExitCode;

use anyhow::{Context, bail};
use aqueduct_os::program;

use crate::explained::advice;
use crate::output;

/// The units, as packages install them.
const USER: &str = include_str!("../../systemd/aqueduct-user.service");
const SYSTEM: &str = include_str!("../../systemd/aqueduct.service");
const SOCKET: &str = include_str!("../../systemd/aqueduct.socket");

/// Where packages install the program.
const PACKAGED: &str = "ExecStart=/usr/bin/aqueduct ";

/// Print a unit with which systemd runs the bridge
///
/// The unit starts this program's file. Debian packages contain these units already.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mkdir -p ~/.config/systemd/user
  aqueduct systemd-unit > ~/.config/systemd/user/aqueduct.service
  systemctl --user daemon-reload
  systemctl --user enable --now aqueduct
  loginctl enable-linger        # also while you are not logged in

Exit code: 0; 2 if the path of this program can't be written into a unit.")]
pub(crate) struct Args {
    /// The unit for the whole machine, with a user of its own, in place of that for one user
    #[arg(long)]
    system: bool,
    /// The unit with which systemd listens for the bridge
    #[arg(long, conflicts_with = "system")]
    socket: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let unit = match (args.system, args.socket) {
        (_, true) => SOCKET,
        (true, false) => SYSTEM,
        (false, false) => USER,
    };
    let program = program::file().context("cannot determine the path of this program")?;
    let program = program.to_str().context("the path of this program is not text")?;
    output::text(&unit.replace(PACKAGED, &format!("ExecStart={} ", escaped(program)?)))?;
    Ok(ExitCode::SUCCESS)
}

/// A path as systemd reads it in a command line.
fn escaped(path: &str) -> anyhow::Result<String> {
    if path.contains(|c: char| c.is_control() || c.is_whitespace() || "\"'\\".contains(c)) {
        bail!(advice(
            format!("{path:?} can't be the path of a service's program"),
            "move it to one without blanks and quotes",
        ));
    }
    Ok(path.replace('%', "%%").replace('$', "$$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_systemd_reads_them() {
        assert_eq!(escaped("/opt/50%/aqueduct").unwrap(), "/opt/50%%/aqueduct");
        assert!(escaped("/home/ada/my programs/aqueduct").is_err());
        assert!([USER, SYSTEM].iter().all(|unit| unit.contains(PACKAGED)), "there is something to replace");
    }
}
