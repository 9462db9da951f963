//! The keeper as a program of its own. `aqueduct keeper` is the same.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    // On Linux the very file that runs, even if its name has been given to a newer one since.
    let here = if cfg!(target_os = "linux") { None } else { std::env::current_exe().ok() };
    let own = here.map_or_else(|| "/proc/self/exe".into(), OsString::from);
    aqueduct_bridge::keeper::main(&[own], std::env::args_os().skip(1))
}
