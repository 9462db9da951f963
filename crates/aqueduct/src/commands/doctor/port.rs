//! The port of `aqueduct serve`.

use std::net::TcpListener;

use super::check::Check;

/// Where `aqueduct serve` listens if nothing else is said.
const ADDRESS: &str = "127.0.0.1:8765";

pub(super) fn check() -> Check {
    look(ADDRESS)
}

fn look(address: &str) -> Check {
    match TcpListener::bind(address) {
        Ok(_) => Check::ok("port", format!("{address} is free for aqueduct serve")),
        Err(error) => Check::warn(
            "port",
            format!("{address} can't be listened on: {error}"),
            "it may be aqueduct serve itself; if not, give serve another address with --listen",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::check::Status;

    #[test]
    fn a_port_that_is_taken_is_told() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap().to_string();
        assert_eq!(look(&address).status, Status::Warn);
        drop(taken);
        assert_eq!(look(&address).status, Status::Ok);
    }
}
