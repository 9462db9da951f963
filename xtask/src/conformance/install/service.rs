use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::process::{Child, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use super::machine::Machine;

/// The service's user.
pub(super) const USER: &str = "aqueduct";

/// Where the unit is.
const UNIT: &str = "/usr/lib/systemd/system/aqueduct.service";

/// Where the service notifies its manager.
const NOTIFY: &str = "/run/notify";

/// How long the service may take to start or to stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// The service, started as its unit defines.
pub(super) struct Service {
    process: Child,
    notified: UnixDatagram,
}

impl Service {
    /// Starts it, and waits until it is ready.
    pub(super) fn start(machine: &Machine) -> Result<Self> {
        let path = machine.path(UNIT);
        let unit = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (user, program) = (setting(&unit, "User")?, setting(&unit, "ExecStart")?);
        ensure!(user == USER, "the service runs as {user}");
        let socket = machine.path(NOTIFY);
        let _ = fs::remove_file(&socket);
        let notified =
            UnixDatagram::bind(&socket).context("cannot make the socket of the service manager")?;
        fs::set_permissions(&socket, fs::Permissions::from_mode(0o666)).context("cannot share the socket")?;
        notified.set_read_timeout(Some(PATIENCE)).context("cannot limit the wait")?;
        let mut variables = settings(&unit, "Environment").map(str::to_owned).collect::<Vec<_>>();
        variables.push(format!("NOTIFY_SOCKET={NOTIFY}"));
        let words: Vec<&str> = program.split_whitespace().collect();
        let mut command = machine.command_of(USER, &variables, &words);
        let process = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the service")?;
        let service = Service { process, notified };
        service.until("READY=1")?;
        Ok(service)
    }

    /// Stops it as systemd does with `KillMode=process`: only the bridge gets a signal.
    pub(super) fn stop(mut self, machine: &Machine) -> Result<()> {
        let bridges = machine.processes("serve")?;
        let [bridge] = *bridges else { bail!("there is one bridge, not {}", bridges.len()) };
        let bridge = Pid::from_raw(bridge).context("a process has a number")?;
        kill_process(bridge, Signal::TERM).context("cannot stop the bridge")?;
        self.until("STOPPING=1")?;
        let status = self.process.wait().context("cannot wait for the bridge")?;
        ensure!(status.success(), "the bridge ended with {status}");
        Ok(())
    }

    /// Waits for a message with a line.
    fn until(&self, line: &str) -> Result<()> {
        let mut bytes = [0; 4096];
        loop {
            let length = self
                .notified
                .recv(&mut bytes)
                .with_context(|| format!("the service does not send {line}"))?;
            if String::from_utf8_lossy(bytes.get(..length).unwrap_or_default()).lines().any(|one| one == line)
            {
                return Ok(());
            }
        }
    }
}

fn settings<'u>(unit: &'u str, name: &str) -> impl Iterator<Item = &'u str> {
    let start = format!("{name}=");
    unit.lines().filter_map(move |line| line.strip_prefix(start.as_str()))
}

fn setting<'u>(unit: &'u str, name: &str) -> Result<&'u str> {
    settings(unit, name).next().with_context(|| format!("the unit has no {name}="))
}
