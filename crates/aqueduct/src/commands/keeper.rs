//! `aqueduct keeper`: the process that holds an agent for the bridge. The bridge starts it and tells it its job on
//! stdin; it is not for people, so the help does not list it.

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
/// name has been given to a newer one since, so that an upgrade parts nobody from what it starts.
pub(crate) fn own() -> [OsString; 2] {
    // Without it, starting an agent fails, and says so.
    let program = aqueduct_os::program::own().unwrap_or_default();
    [program.into(), NAME.into()]
}
