//! Which process listens on a port of this machine.

use std::fs;

/// The state of a socket that listens, as the kernel writes it.
const LISTENS: &str = "0A";

/// The process that listens on a port, where one does and may be looked at.
pub(super) fn find(port: u16) -> Option<u32> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].iter().filter_map(|file| fs::read_to_string(file).ok());
    let socket = tables.into_iter().find_map(|table| socket(&table, port))?;
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let mut ids = processes.filter_map(|process| process.file_name().to_str()?.parse().ok());
    ids.find(|process| has(*process, &socket))
}

/// How the socket is called among a process's files.
fn socket(table: &str, port: u16) -> Option<String> {
    let wanted = format!(":{port:04X}");
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let is_it = fields.get(1)?.ends_with(&wanted) && *fields.get(3)? == LISTENS;
        is_it.then(|| Some(format!("socket:[{}]", fields.get(9)?)))?
    })
}

fn has(process: u32, socket: &str) -> bool {
    let files = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    files.filter_map(|file| fs::read_link(file.path()).ok()).any(|target| target.to_str() == Some(socket))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_found_by_its_port() {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let port = socket.local_addr().expect("it is bound").port();
        assert_eq!(find(port), Some(std::process::id()));
    }
}
