//! The guard of commands as a program, for the tests of this crate: a program that runs commands starts itself as their
//! guard, and a test binary can't.

use std::process::ExitCode;

fn main() -> ExitCode {
    aqueduct_os::guard::main(std::env::args_os().skip(1))
}
