//! systemd: whether it runs the bridge, and whether its unit keeps agents alive.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use super::DoctorContext;
use super::check::{CheckStatus, DoctorCheck};

const SUBJECT: &str = "service";

const UNIT: &str = "aqueduct.service";

/// How long systemd may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a unit should have.
struct WantedProperty {
    /// Its name, as systemd shows it.
    shown: &'static str,
    /// The values that are as they should be.
    good: fn(&str) -> bool,
    /// The line of the unit that sets it.
    line: &'static str,
    /// What happens without it.
    otherwise: &'static str,
    status: CheckStatus,
}

const WANTED: &[WantedProperty] = &[
    WantedProperty {
        shown: "KillMode",
        good: |value| value == "process",
        line: "KillMode=process",
        otherwise: "agents end when the bridge is restarted",
        status: CheckStatus::Fail,
    },
    WantedProperty {
        shown: "PrivateTmp",
        good: |value| value != "yes",
        line: "PrivateTmp=no",
        otherwise: "agents lose their temporary files when the bridge is restarted",
        status: CheckStatus::Fail,
    },
    WantedProperty {
        shown: "Type",
        good: |value| value.starts_with("notify"),
        line: "Type=notify",
        otherwise: "systemd does not know when the bridge is ready",
        status: CheckStatus::Warn,
    },
    WantedProperty {
        shown: "WatchdogUSec",
        good: |value| !["0", "infinity", ""].contains(&value),
        line: "WatchdogSec=60",
        otherwise: "a bridge that hangs is not restarted",
        status: CheckStatus::Warn,
    },
    WantedProperty {
        shown: "OOMPolicy",
        good: |value| value == "continue",
        line: "OOMPolicy=continue",
        otherwise: "a command that runs out of memory ends the bridge and all agents",
        status: CheckStatus::Warn,
    },
];

/// Which systemd: that of the machine, or that of this user.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manager {
    System,
    User,
}

impl Manager {
    fn of_whom(self) -> &'static str {
        match self {
            Manager::System => "of the machine",
            Manager::User => "of this user",
        }
    }

    /// A command for people.
    fn systemctl(self, arguments: &str) -> String {
        match self {
            Manager::System => format!("sudo systemctl {arguments}"),
            Manager::User => format!("systemctl --user {arguments}"),
        }
    }

    /// The command that adds lines to the unit.
    fn drop_in(self, lines: &[&str]) -> String {
        let text = format!("[Service]\\n{}\\n", lines.join("\\n"));
        let (folder, write) = match self {
            Manager::System => ("/etc/systemd/system/aqueduct.service.d", "| sudo tee"),
            Manager::User => ("~/.config/systemd/user/aqueduct.service.d", ">"),
        };
        let sudo = if self == Manager::System { "sudo " } else { "" };
        let reload = self.systemctl("daemon-reload");
        let restart = self.systemctl("restart aqueduct");
        format!(
            "{sudo}mkdir -p {folder} && printf '{text}' {write} {folder}/doctor.conf && {reload} && {restart}"
        )
    }
}

/// A unit that is installed, with its properties.
struct InstalledUnit {
    manager: Manager,
    properties: BTreeMap<String, String>,
}

impl InstalledUnit {
    fn get(&self, name: &str) -> &str {
        self.properties.get(name).map_or("", String::as_str)
    }
}

/// Asks systemd about the unit. `is_running` is whether a bridge runs with the default configuration.
pub(super) async fn check(context: &DoctorContext, user: Option<&str>, is_running: bool) -> Vec<DoctorCheck> {
    let Some(systemctl) = context.places.program_named("systemctl") else {
        return vec![DoctorCheck::ok(SUBJECT, "systemd is not on this machine")];
    };
    let (system, own) =
        tokio::join!(installed(&systemctl, Manager::System), installed(&systemctl, Manager::User));
    if let (Err(error), Err(_)) = (&system, &own) {
        return vec![DoctorCheck::ok(SUBJECT, format!("systemd does not answer: {error}"))];
    }
    let units: Vec<InstalledUnit> =
        [system, own].into_iter().filter_map(|unit| unit.ok().flatten()).collect();
    let is_active = units.iter().any(|unit| unit.get("ActiveState") == "active");
    let mut checks = Vec::new();
    for unit in &units {
        checks.extend(examine(unit));
        if unit.manager == Manager::User && unit.get("UnitFileState") == "enabled" {
            checks.extend(lingers(context, user).await);
        }
    }
    if units.is_empty() {
        let next = "aqueduct systemd-unit --help shows how to install one";
        let found = format!("no unit {UNIT} is installed: the bridge does not start by itself");
        checks.push(DoctorCheck { next: Some(next.to_owned()), ..DoctorCheck::ok(SUBJECT, found) });
    } else if is_running && !is_active {
        let start = units.first().map(|unit| unit.manager.systemctl("start aqueduct")).unwrap_or_default();
        checks.push(DoctorCheck::warn(
            SUBJECT,
            "the bridge that runs was not started by systemd",
            format!("aqueduct stop && {start}: agents keep running meanwhile"),
        ));
    }
    checks
}

/// The unit, if it is installed. The error is what systemd reports.
async fn installed(systemctl: &Path, manager: Manager) -> Result<Option<InstalledUnit>, String> {
    let mut names = vec!["LoadState", "ActiveState", "UnitFileState", "MainPID"];
    names.extend(WANTED.iter().map(|property| property.shown));
    let mut command = Command::new(systemctl);
    if manager == Manager::User {
        command.arg("--user");
    }
    command.args(["show", UNIT, "--property", &names.join(",")]);
    let text = output(&mut command).await?;
    let line = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let unit = InstalledUnit { manager, properties: text.lines().filter_map(line).collect() };
    Ok(Some(unit).filter(|unit| unit.get("LoadState") == "loaded"))
}

/// What a program prints. The error is what it reports.
async fn output(command: &mut Command) -> Result<String, String> {
    command.stdin(Stdio::null()).kill_on_drop(true);
    let ended = tokio::time::timeout(PATIENCE, command.output()).await;
    let output = ended
        .map_err(|_| format!("no answer within {} s", PATIENCE.as_secs()))?
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let reported = String::from_utf8_lossy(&output.stderr);
            Err(reported.lines().next().unwrap_or("it reports nothing").to_owned())
        }
    }
}

/// A unit's properties and its state.
fn examine(unit: &InstalledUnit) -> Vec<DoctorCheck> {
    let manager = unit.manager;
    let name = format!("{UNIT} {}", manager.of_whom());
    let missing: Vec<&WantedProperty> =
        WANTED.iter().filter(|wanted| !(wanted.good)(unit.get(wanted.shown))).collect();
    let mut checks = Vec::new();
    if !missing.is_empty() {
        let lines: Vec<&str> = missing.iter().map(|wanted| wanted.line).collect();
        let otherwise: Vec<&str> = missing.iter().map(|wanted| wanted.otherwise).collect();
        let found = format!("{name} lacks {}: {}", lines.join(", "), otherwise.join("; "));
        let next = manager.drop_in(&lines);
        checks.push(match missing.iter().any(|wanted| wanted.status == CheckStatus::Fail) {
            true => DoctorCheck::fail(SUBJECT, found, next),
            false => DoctorCheck::warn(SUBJECT, found, next),
        });
    }
    let (active, enabled) = (unit.get("ActiveState"), unit.get("UnitFileState"));
    checks.push(match (active, enabled) {
        ("failed", _) => {
            let journal = match manager {
                Manager::System => "sudo journalctl -u aqueduct -e",
                Manager::User => "journalctl --user -u aqueduct -e",
            };
            DoctorCheck::fail(SUBJECT, format!("{name} has failed"), format!("see why: {journal}"))
        }
        (_, "disabled") => DoctorCheck::warn(
            SUBJECT,
            format!("{name} is {active}, and is not started with the machine"),
            manager.systemctl("enable --now aqueduct"),
        ),
        ("active", _) => {
            let watchdog = match unit.get("WatchdogUSec") {
                "" | "0" | "infinity" => "no watchdog".to_owned(),
                time => format!("watchdog {time}"),
            };
            DoctorCheck::ok(SUBJECT, format!("{name} runs as process {}, {watchdog}", unit.get("MainPID")))
        }
        _ => DoctorCheck::ok(SUBJECT, format!("{name} is {active}")),
    });
    checks
}

/// Whether services of this user run while the user is not logged in.
async fn lingers(context: &DoctorContext, user: Option<&str>) -> Option<DoctorCheck> {
    let loginctl = context.places.program_named("loginctl")?;
    let text =
        output(Command::new(loginctl).args(["show-user", user?, "--property", "Linger"])).await.ok()?;
    (text.trim() == "Linger=no").then(|| {
        DoctorCheck::warn(
            SUBJECT,
            "services of this user end when the user logs out, and start with a login",
            "loginctl enable-linger",
        )
    })
}
