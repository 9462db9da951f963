//! One module a subcommand. Each has an `Args` struct for clap and a `run` that gives the exit code; only
//! the agent and the keeper come before clap.

pub(crate) mod agent;
pub(crate) mod devices;
pub(crate) mod doctor;
pub(crate) mod keeper;
pub(crate) mod pair;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod scripted_api;
pub(crate) mod serve;
pub(crate) mod sessions;
pub(crate) mod stop;
pub(crate) mod token;
pub(crate) mod trust;
pub(crate) mod wire;
