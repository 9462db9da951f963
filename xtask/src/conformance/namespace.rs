//! A network of loopback only. The reference CLI is run in there and nowhere else: what it might
//! want to send to anyone cannot leave.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::program;
use crate::system;

/// Runs this program again with other arguments, in a network of its own.
pub(crate) fn run_again<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Result<bool> {
    system::need("unshare", "--version", "util-linux")?;
    system::need("ip", "-V", "iproute2")?;
    let ended = program::run(unshare().arg("true"))?;
    if !ended.success {
        bail!(
            "this machine allows no network namespace ({}): the reference CLI is only run where it cannot \
             reach out. Run as root, or allow unprivileged user namespaces",
            ended.output.trim()
        );
    }
    let this = env::current_exe().context("cannot find this program's file")?;
    program::run_openly(unshare().arg(this).args(args))
}

fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.arg("--net");
    if !system::is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.arg("--");
    command
}

/// Inside: switches loopback on, and makes sure that there is nothing else.
pub(crate) fn settle() -> Result<()> {
    let ended = program::run(Command::new("ip").args(["link", "set", "lo", "up"]))?;
    if !ended.success {
        bail!("cannot switch the loopback device on: {}", ended.output.trim());
    }
    let routes = fs::read_to_string("/proc/self/net/route").context("cannot read this network's routes")?;
    if let Some(route) = foreign_route(&routes) {
        bail!("this network reaches out through {route}: the reference CLI is not run here");
    }
    Ok(())
}

/// The first device other than loopback that has a route. The first line is the header.
fn foreign_route(routes: &str) -> Option<&str> {
    routes.lines().skip(1).filter_map(|line| line.split_whitespace().next()).find(|device| *device != "lo")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_out_is_noticed() {
        let header = "Iface\tDestination\tGateway\n";
        assert_eq!(foreign_route(header), None);
        assert_eq!(foreign_route(&format!("{header}lo\t0000007F\t00000000\n")), None);
        assert_eq!(foreign_route(&format!("{header}eth0\t00000000\t0100000A\n")), Some("eth0"));
    }
}
