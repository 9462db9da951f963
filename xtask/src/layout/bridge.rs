//! What of the bridge runs whenever it starts: until it has answered a request, and ends.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use super::Step;
use super::callgrind::Run;

pub(super) const STEPS: &[Step] = &[Step {
    name: "start",
    about: "from the start of the bridge to the answered `GET /healthz`, and its end",
    run: serve,
}];

/// How long the bridge may take to answer under callgrind.
const START: Duration = Duration::from_secs(120);

fn serve(program: &Path) -> Result<HashSet<String>> {
    let run = Run::new()?;
    let free = TcpListener::bind("127.0.0.1:0").context("cannot bind to loopback")?;
    let address = free.local_addr().context("a port is needed")?;
    drop(free);
    let log = run.place().join("log");
    let output = File::create(&log).context("cannot make the log")?;
    let mut command = run.command(program);
    command
        .args(["serve", "--agent", "builtin", "--listen", &address.to_string(), "--data-dir", "data"])
        .stdin(Stdio::null())
        .stdout(output.try_clone().context("cannot share the log")?)
        .stderr(output);
    let mut bridge = command.spawn().context("cannot run the bridge under valgrind")?;
    let answered = request(&mut bridge, || TcpStream::connect(address));
    end(&mut bridge)?;
    let printed = || fs::read_to_string(&log).unwrap_or_default();
    answered.with_context(|| format!("the bridge failed under valgrind:\n{}", printed()))?;
    run.functions()
}

fn request(bridge: &mut Child, connect: impl Fn() -> std::io::Result<TcpStream>) -> Result<()> {
    let deadline = Instant::now() + START;
    let mut connection = loop {
        if let Ok(connection) = connect() {
            break connection;
        }
        if bridge.try_wait().context("cannot wait for the bridge")?.is_some() || Instant::now() > deadline {
            bail!("it does not answer");
        }
        thread::sleep(Duration::from_millis(20));
    };
    let address = connection.peer_addr().context("the connection is gone")?;
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).context("cannot send a request")?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).context("cannot read the answer")?;
    ensure!(answer.starts_with("HTTP/1.1 200"), "it answered {}", answer.lines().next().unwrap_or_default());
    Ok(())
}

/// Ends the bridge as a service manager does: callgrind writes its counts when the program exits.
fn end(bridge: &mut Child) -> Result<()> {
    kill_process(Pid::from_child(bridge), Signal::TERM).context("cannot end the bridge")?;
    bridge.wait().context("cannot wait for the bridge")?;
    Ok(())
}
