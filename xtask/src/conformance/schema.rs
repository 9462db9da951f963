//! The official tests of JSON Schema, against the reader of `--json-schema`. They come with the source package of a Python
//! library, are unpacked outside the tree, and are never copied.

use std::path::Path;

use anyhow::Result;

use super::{Args, sdk};
use crate::program;
use crate::workspace::Workspace;

/// The package on PyPI whose sources hold the tests, and its version.
const PACKAGE: (&str, &str) = ("jsonschema", "4.26.0");

/// The test that reads them.
const TEST: &str = "schema::suite_tests::the_official_tests";

pub(super) fn prepare(_: &Args) -> Result<()> {
    sdk::python_package_source(PACKAGE.0, PACKAGE.1).map(|_| ())
}

pub(super) fn play(workspace: &Workspace, args: &Args, _: &Path) -> Result<bool> {
    let tests = sdk::python_package_source(PACKAGE.0, PACKAGE.1)?.join("json/tests");
    let mut cargo =
        workspace.cargo(["test", "--offline", "--quiet", "--package", "aqueduct-tools", "--lib", "--"]);
    cargo.args(["--exact", TEST, "--ignored", "--nocapture"]).env("AQUEDUCT_SCHEMA_SUITE", tests);
    let ended = program::run(&mut cargo)?;
    args.print_progress(ended.output.trim_end());
    Ok(ended.success && ended.output.contains("1 passed"))
}
