//! The agent as a program of its own, for hosts that want one.

use std::ffi::OsString;
use std::process::ExitCode;

use aqueduct_agent::program;

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.first().is_some_and(|first| first == program::GUARD) {
        arguments.remove(0);
        return aqueduct_agent::guard::main(arguments);
    }
    let guard = std::env::current_exe().map(|program| vec![program.into(), program::GUARD.into()]);
    match program::environment(guard.unwrap_or_default()) {
        Ok(environment) => program::run(arguments, environment),
        Err(error) => {
            eprintln!("Error: the working directory can't be used: {error}. Start in a folder that exists");
            ExitCode::FAILURE
        }
    }
}
