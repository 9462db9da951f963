//! The agent as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|argument| argument == "guard") {
        return aqueduct_agent::guard::main(arguments);
    }
    ExitCode::SUCCESS
}
