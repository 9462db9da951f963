//! The keeper as a program of its own. `aqueduct keeper` is the same.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Without it the keeper reports that it can't start an agent.
    let own: Vec<OsString> = aqueduct_os::program::own().into_iter().map(OsString::from).collect();
    aqueduct_bridge::keeper::main(&own, std::env::args_os().skip(1))
}
