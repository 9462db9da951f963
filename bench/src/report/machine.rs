use std::fmt;
use std::process::Command;

use serde_json::json;

/// What the figures were measured on.
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    system: String,
    rustc: String,
}

impl Machine {
    /// This machine.
    pub(crate) fn here() -> Self {
        Machine {
            cpu: cpu().unwrap_or_else(|| "unknown processor".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            rustc: rustc().unwrap_or_else(|| "rustc of unknown version".to_owned()),
        }
    }

    pub(super) fn json(&self) -> serde_json::Value {
        json!({ "cpu": self.cpu, "cores": self.cores, "system": self.system, "rustc": self.rustc })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { cpu, cores, system, rustc } = self;
        write!(f, "{cpu}, {cores} cores, {system}, {rustc}")
    }
}

fn cpu() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}

fn rustc() -> Option<String> {
    let output = Command::new("rustc").arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let words: Vec<_> = version.split_whitespace().take(2).collect();
    (words.len() == 2).then(|| words.join(" "))
}
