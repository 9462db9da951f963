//! `aqueduct keeper`: the process that holds an agent for the bridge. The bridge starts it and sends its job
//! on stdin; it is not for people, so the help does not list it.

use std::ffi::OsString;
use std::process::ExitCode;

use aqueduct_bridge::keeper;

/// The name of the subcommand.
const NAME: &str = "keeper";

/// Runs a keeper where the command line asks for it. There are hundreds of them, so nothing comes before: no
/// command line is parsed and no runtime is made.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.skip(1);
    let is_meant = arguments.next().is_some_and(|first| first == NAME);
    is_meant.then(|| keeper::main(&own(), arguments))
}

/// What starts a keeper: this program, and the subcommand. On Linux it is the very file that runs, even if its
/// name belongs to a newer one by now, so that an upgrade does not separate a process from what it starts.
pub(crate) fn own() -> [OsString; 2] {
    // Without it, starting an agent fails with an error.
    let program = aqueduct_os::program::own().unwrap_or_default();
    [program.into(), NAME.into()]
}
