//! Kills and freezes a bridge, its keepers and its agents at random times, and checks what is left.
//!
//! `cargo xtask conformance crash` runs it. Faults are applied in rounds. A round has a data folder, a bridge and
//! sessions of its own; its schedule of faults is derived from its seed, so that one round can be repeated. While
//! faults are applied, every session is driven by two WebSocket clients that reconnect, send inputs again whose
//! acknowledgement they missed, decide, interrupt, cancel and stop. Then the round waits until every session is at
//! rest and compares four records of the same events: what each client received, what the bridge stored, what agents
//! did (`effects`), and what clients had acknowledged.
//!
//! The bridge is used through its documented API alone (docs/bridge-api.md): messages are plain JSON here, and nothing
//! of the crate is used. The same program is also the agent that ignores message ids ([`plain_agent`]).

mod act;
mod client;
mod driver;
mod effects;
mod fates;
mod faults;
mod input;
mod machine;
mod options;
mod plain_agent;
mod processes;
mod report;
mod rest;
mod round;
mod schedule;

use std::process::ExitCode;

use crate::options::Options;

fn main() -> ExitCode {
    if let Some(effects) = std::env::var_os(plain_agent::EFFECTS) {
        return plain_agent::main(effects.into());
    }
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("cannot start the runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(round::run_all(&options)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
