//! One module a subcommand. Each has an `Args` struct for clap and a `run` that gives the exit code.
