//! What a person sees when the bridge starts.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use aqueduct_bridge::message::bridge::Pairing;
use aqueduct_bridge::server::Listen;
use aqueduct_bridge::settings::AgentSettings;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::agents::BUILTIN;
use crate::agents::MODEL_VARIABLES;
use crate::config::{Config, UserEnvironment};
use crate::output::{self, TerminalInfo};
use crate::terminal::{Ink, plain, qr};

/// What is printed when the bridge has started.
pub(super) struct Banner<'a> {
    config: &'a Config,
    environment: &'a UserEnvironment,
    screen: &'a TerminalInfo,
    ink: Ink,
    started: Instant,
}

impl<'a> Banner<'a> {
    pub(super) fn new(
        config: &'a Config,
        environment: &'a UserEnvironment,
        screen: &'a TerminalInfo,
        started: Instant,
    ) -> Self {
        Banner { config, environment, screen, ink: Ink::new(screen.colour), started }
    }

    /// Whether a person sits at it.
    pub(super) fn is_terminal(&self) -> bool {
        self.screen.is_terminal
    }

    /// Where it is, and what it keeps where.
    pub(super) fn address(&self, places: &[Listen]) -> anyhow::Result<()> {
        let mut text = format!(
            "{} {}  {}\n\n",
            self.ink.bold("Aqueduct"),
            env!("CARGO_PKG_VERSION"),
            self.ink.dim(&format!("ready in {}", took(self.started.elapsed())))
        );
        let has_tls = self.config.tls_cert.is_some();
        for place in places {
            self.row(&mut text, "address", &self.ink.bold(&plain(&url(place, has_tls))));
        }
        if self.config.insecure && !has_tls && places.iter().any(Listen::is_wide) {
            self.row(
                &mut text,
                "",
                &self.ink.yellow("without TLS: anyone on the network can read the traffic"),
            );
        }
        self.row(&mut text, "data", &plain(&self.environment.shown(&self.config.data_dir)));
        let roots: Vec<String> = self.config.root.iter().map(|root| self.environment.shown(root)).collect();
        self.row(&mut text, "projects", &format!("in {}", plain(&roots.join(", "))));
        output::text(&text)
    }

    /// The agent of sessions that name none.
    pub(super) fn agent(&self, agent: &AgentSettings) -> anyhow::Result<()> {
        let mut text = String::new();
        let name = agent.label.as_deref().unwrap_or(&agent.name);
        let shown = match agent.name.as_str() {
            BUILTIN => plain(name),
            _ => format!("{}  {}", plain(name), self.ink.dim(&plain(&agent.program.to_string_lossy()))),
        };
        self.row(&mut text, "agent", &shown);
        if let Some(problem) = &agent.problem {
            self.row(&mut text, "", &self.ink.red(&plain(problem)));
        }
        let has_model = MODEL_VARIABLES.iter().any(|name| {
            self.environment.variable(name).is_some() || agent.set.iter().any(|(given, _)| given == name)
        });
        if agent.name == BUILTIN && !has_model {
            self.row(&mut text, "", &self.ink.yellow("the scripted demo model answers: no key is set"));
            self.row(
                &mut text,
                "",
                "set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway or a local server",
            );
        }
        output::text(&text)
    }

    /// The link that lets the first device in.
    pub(super) fn pairing(&self, pairing: &Pairing<'_>) -> anyhow::Result<()> {
        output::text(&format!("\n{}", link(pairing, self.screen)))
    }

    /// How to continue.
    pub(super) fn footer(&self) -> anyhow::Result<()> {
        if !self.screen.is_terminal {
            return Ok(());
        }
        let words = "Ctrl-C stops the bridge; running agents continue. `aqueduct pair` pairs another device.";
        output::text(&format!("\n{}\n", self.ink.dim(words)))
    }

    fn row(&self, text: &mut String, name: &str, value: &str) {
        let _ = writeln!(text, "  {}  {value}", self.ink.dim(&format!("{name:<8}")));
    }
}

/// A pairing link for people: with a QR code on a terminal, and without one elsewhere.
pub(crate) fn link(pairing: &Pairing<'_>, screen: &TerminalInfo) -> String {
    let ink = Ink::new(screen.colour);
    let until = until(pairing.expires_at);
    let mut text = match pairing.link.starts_with('/') {
        // It listens on a socket only, which no link leads to.
        true => {
            format!(
                "Pair a device with this code (valid once, until {until}):\n\n  {}\n",
                ink.bold(&pairing.code)
            )
        }
        false => format!(
            "Open this link to pair a device (valid once, until {until}):\n\n  {}\n",
            ink.bold(&pairing.link)
        ),
    };
    if screen.is_terminal
        && let Some(code) = qr(&pairing.link)
    {
        let _ = write!(text, "\n{code}");
    }
    text
}

/// The line about sessions that continue.
pub(super) fn running_sessions(count: usize) -> Option<String> {
    let next = "start aqueduct serve again to pick";
    match count {
        0 => None,
        1 => Some(format!("1 session continues; {next} it up")),
        count => Some(format!("{count} sessions continue; {next} them up")),
    }
}

fn url(place: &Listen, has_tls: bool) -> String {
    match place {
        Listen::Tcp(address) => format!("{}://{address}/", if has_tls { "https" } else { "http" }),
        Listen::Unix(path) => format!("unix:{}", path.display()),
    }
}

fn took(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// A time of today or tomorrow.
fn until(millis: u64) -> String {
    let time = i64::try_from(millis).ok().and_then(|millis| Timestamp::from_millisecond(millis).ok());
    time.map_or_else(
        || "soon".to_owned(),
        |time| time.to_zoned(TimeZone::system()).strftime("%H:%M").to_string(),
    )
}
