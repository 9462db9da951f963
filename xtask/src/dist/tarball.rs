//! The archive for Linux machines without packages.

use std::env::consts::ARCH;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::payload::{Payload, write_file};
use super::{EPOCH, must_succeed};
use crate::program;
use crate::workspace::Workspace;

/// Writes `aqueduct-VERSION-linux-ARCH.tar.gz`: one folder with what is below `/usr` or `/usr/local` once it is installed.
pub(super) fn write(workspace: &Workspace, payload: &Payload, folder: &Path) -> Result<()> {
    let name = format!("aqueduct-{}-linux-{ARCH}", payload.version());
    let tree = workspace.scratch("tar");
    let _ = fs::remove_dir_all(&tree);
    for file in &payload.files {
        write_file(&tree.join(&name).join(&file.path), &file.bytes, file.mode())?;
    }
    let archive = folder.join(format!("{name}.tar.gz"));
    let mut tar = workspace.command("tar");
    // The same sources give the same bytes.
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
    tar.arg(format!("--mtime=@{EPOCH}")).env("GZIP", "-n");
    tar.arg("--create").arg("--gzip").arg("--file").arg(&archive);
    must_succeed(program::run(tar.arg("--directory").arg(&tree).arg(&name))?)?;
    fs::remove_dir_all(&tree).with_context(|| format!("cannot remove {}", tree.display()))
}
