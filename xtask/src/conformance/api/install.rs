use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::conformance::hosts::install::{npm, pypi, write};
use crate::conformance::reference::lab;

/// The generators, with their versions for tables.
pub(super) const PYTHON_GENERATOR: &str = "openapi-python-client 0.29.1";
pub(super) const TYPESCRIPT_GENERATOR: &str = "openapi-typescript 7.13.0";

/// The Python generator and schemathesis, with everything that they need.
const LOCK: &str = include_str!("lock.txt");

/// The TypeScript generator, the client that uses its types, and the compiler that checks them.
const PACKAGES: &[(&str, &str)] =
    &[("openapi-fetch", "0.17.0"), ("openapi-typescript", "7.13.0"), ("typescript", "5.9.3")];

/// Holds what a complete installation is made of.
const MARK: &str = "ok";

/// Where the programs are.
pub(super) struct Tools {
    /// A Python environment.
    pub(super) python: PathBuf,
    /// A folder with `node_modules`.
    pub(super) node: PathBuf,
}

impl Tools {
    /// Installs what is not there.
    pub(super) fn install() -> Result<Self> {
        let folder = lab()?.join("api");
        let tools = Tools { python: folder.join("python"), node: folder.join("node") };
        let is_complete = |place: &PathBuf, wanted: &str| {
            fs::read_to_string(place.join(MARK)).is_ok_and(|done| done == wanted)
        };
        if !is_complete(&tools.python, LOCK) {
            eprintln!("installing {PYTHON_GENERATOR} and schemathesis into {}", tools.python.display());
            fs::create_dir_all(&tools.python).context("cannot make a directory")?;
            pypi(&tools.python, LOCK)?;
            write(&tools.python.join(MARK), LOCK)?;
        }
        let packages = format!("{PACKAGES:?}");
        if !is_complete(&tools.node, &packages) {
            eprintln!("installing {TYPESCRIPT_GENERATOR} into {}", tools.node.display());
            fs::create_dir_all(&tools.node).context("cannot make a directory")?;
            npm(&tools.node, PACKAGES)?;
            write(&tools.node.join(MARK), &packages)?;
        }
        Ok(tools)
    }
}
