//! This program between a guard and a shell: it starts bubblewrap, and takes the last rights away in there.
//!
//! Bubblewrap has to start this very program inside, also after its file was replaced by a newer one or is gone.
//! So the program is open as its stdout on the way, where it is found by every name of that, and where it can
//! be closed again: a command must not get hold of a file of the outer world. Stdout and stderr of a command
//! are the same pipe, so nothing is lost.

use std::convert::Infallible;
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

use super::landlock::{self, ConfineError, LandlockAccess};
use super::seccomp::{self, Sockets};
use crate::error::EnterError;
use crate::words::{CONFINE, END, HIDE, LANDLOCK, NETWORK, PROXY, UNIX, WRAP, WRITE};

/// Where the program is open on the way in.
const PROGRAM: &str = "/proc/self/fd/1";

/// Why a process can't become the shell of a command.
#[derive(Debug, thiserror::Error)]
enum ConfinementFailure {
    #[error("invalid arguments")]
    Arguments,
    #[error("no bubblewrap is named")]
    NoBubblewrap,
    #[error("no shell is named")]
    NoShell,
    #[error("unknown argument {}", .0.display())]
    UnknownArgument(OsString),
    #[error("this program can't be opened: {0}")]
    OpenProgram(io::Error),
    #[error("its output can't be opened: {0}")]
    OpenOutput(io::Error),
    #[error("it can't be connected with the proxy: {0}")]
    Proxy(io::Error),
    #[error("Landlock: {0}")]
    Landlock(ConfineError),
    #[error("seccomp: {0}")]
    Seccomp(seccompiler::Error),
    #[error("{} can't be started: {error}", program.display())]
    Start { program: OsString, error: io::Error },
}

/// Becomes bubblewrap, or the shell. It returns only if that fails.
pub fn main(arguments: Vec<OsString>, leading: &[&str], mode: &str) -> EnterError {
    let mut arguments = arguments.into_iter();
    let became = match arguments.next() {
        Some(word) if word == WRAP => wrap(arguments, leading, mode),
        Some(word) if word == CONFINE => confine(arguments),
        _ => Err(ConfinementFailure::Arguments),
    };
    match became {
        Err(failure) => EnterError::new(failure),
    }
}

/// Becomes bubblewrap, which starts this program inside.
fn wrap(
    mut words: impl Iterator<Item = OsString>,
    leading: &[&str],
    mode: &str,
) -> Result<Infallible, ConfinementFailure> {
    let program = words.next().ok_or(ConfinementFailure::NoBubblewrap)?;
    let outside: Vec<OsString> = words.by_ref().take_while(|word| word != END).collect();
    own().and_then(File::open).and_then(stdio::replace_stdout).map_err(ConfinementFailure::OpenProgram)?;
    let error = Command::new(&program)
        .args(outside)
        .arg(PROGRAM)
        .args(leading)
        .arg(mode)
        .arg(CONFINE)
        .args(words)
        .exec();
    Err(ConfinementFailure::Start { program, error })
}

/// Takes the last rights away and becomes the shell.
fn confine(mut words: impl Iterator<Item = OsString>) -> Result<Infallible, ConfinementFailure> {
    let mut sockets = Sockets { network: false, unix: false };
    let (mut reach, mut by_landlock, mut proxy) = (LandlockAccess::default(), false, None);
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
            _ => return Err(ConfinementFailure::UnknownArgument(word)),
        }
    }
    let program = words.next().ok_or(ConfinementFailure::NoShell)?;
    let mut command = Command::new(&program);
    command.args(words);
    stdio::replace_stdout(io::stderr()).map_err(ConfinementFailure::OpenOutput)?;
    if let Some(direct) = proxy {
        command.envs(listen(&direct).map_err(ConfinementFailure::Proxy)?);
    }
    if by_landlock {
        landlock::confine(&reach).map_err(ConfinementFailure::Landlock)?;
    }
    seccomp::confine(sockets).map_err(ConfinementFailure::Seccomp)?;
    let error = command.exec();
    Err(ConfinementFailure::Start { program, error })
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
