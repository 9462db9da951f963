//! This program between a guard and a shell: it starts bubblewrap, and takes the last rights away in there.
//!
//! Bubblewrap has to start this very program inside, also after its file was replaced by a newer one or is gone.
//! So the program is open as its stdout on the way, where it is found by every name of that, and where it can
//! be closed again: a command must not get hold of a file of the outer world. Stdout and stderr of a command
//! are the same pipe, so nothing is lost.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use aqueduct_os::program::own;
use aqueduct_os::socket::send_files;
use aqueduct_os::stdio;

use super::landlock::{self, Reach};
use super::seccomp::{self, Sockets};
use crate::words::{CONFINE, END, HIDE, LANDLOCK, NETWORK, PROXY, UNIX, WRAP, WRITE};

/// Where the program is open on the way in.
const PROGRAM: &str = "/proc/self/fd/1";

/// Becomes bubblewrap, or the shell. It returns only if that fails, and reports the error.
pub fn main(arguments: Vec<OsString>, leading: &[&str], mode: &str) -> String {
    let mut arguments = arguments.into_iter();
    let error = match arguments.next() {
        Some(word) if word == WRAP => wrap(arguments, leading, mode),
        Some(word) if word == CONFINE => confine(arguments),
        _ => "it was started in a wrong way".to_owned(),
    };
    format!("The command did not run: it can't be put into the sandbox: {error}")
}

/// Becomes bubblewrap, which starts this program inside; what went wrong.
fn wrap(mut words: impl Iterator<Item = OsString>, leading: &[&str], mode: &str) -> String {
    let Some(bubblewrap) = words.next() else { return "no bubblewrap is named".to_owned() };
    let outside: Vec<OsString> = words.by_ref().take_while(|word| word != END).collect();
    let opened = own().and_then(File::open).and_then(stdio::replace_stdout);
    if let Err(error) = opened {
        return format!("this program can't be opened: {error}");
    }
    let error = Command::new(&bubblewrap)
        .args(outside)
        .arg(PROGRAM)
        .args(leading)
        .arg(mode)
        .arg(CONFINE)
        .args(words)
        .exec();
    format!("{} can't be started: {error}", bubblewrap.display())
}

/// Takes the last rights away and becomes the shell; what went wrong.
fn confine(mut words: impl Iterator<Item = OsString>) -> String {
    let mut sockets = Sockets { network: false, unix: false };
    let (mut reach, mut by_landlock, mut proxy) = (Reach::default(), false, None);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default();
        match word.to_str() {
            Some(NETWORK) => sockets.network = true,
            Some(UNIX) => sockets.unix = true,
            Some(PROXY) => proxy = Some(value()),
            Some(LANDLOCK) => by_landlock = true,
            Some(WRITE) => reach.writable.push(PathBuf::from(value())),
            Some(HIDE) => reach.hidden.push(PathBuf::from(value())),
            Some(END) => break,
            _ => return format!("unknown argument {}", word.display()),
        }
    }
    let Some(shell) = words.next() else { return "no shell is named".to_owned() };
    let mut command = Command::new(&shell);
    command.args(words);
    if let Err(error) = stdio::replace_stdout(io::stderr()) {
        return format!("its output can't be opened: {error}");
    }
    if let Some(direct) = proxy {
        match listen(&direct) {
            Ok(variables) => command.envs(variables),
            Err(error) => return format!("it can't be connected with the proxy: {error}"),
        };
    }
    if by_landlock && let Err(error) = landlock::confine(&reach) {
        return format!("Landlock: {error}");
    }
    if let Err(error) = seccomp::confine(sockets) {
        return format!("seccomp: {error}");
    }
    let error = command.exec();
    format!("{} can't be started: {error}", shell.display())
}

/// Opens a listener on the command's own loopback and sends it to the agent, by stdin, which is empty after that.
fn listen(direct: &OsStr) -> io::Result<Vec<(&'static str, String)>> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    send_files(io::stdin(), &[listener.as_fd()])?;
    stdio::replace_stdin(stdio::null()?)?;
    Ok(variables(port, &direct.to_string_lossy()))
}

/// The variables by which programs find the proxy.
fn variables(port: u16, direct: &str) -> Vec<(&'static str, String)> {
    let address = format!("http://127.0.0.1:{port}");
    let proxied = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    let around = ["NO_PROXY", "no_proxy"];
    let proxied = proxied.into_iter().map(|name| (name, address.clone()));
    proxied.chain(around.into_iter().map(|name| (name, direct.to_owned()))).collect()
}
