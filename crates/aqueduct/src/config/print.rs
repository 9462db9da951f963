//! `aqueduct serve --print-config`: the effective configuration as a file, with the source of each setting.

use std::fmt::Write as _;
use std::path::Path;

use super::{Config, NamedAgent, SETTINGS, SettingOrigin, value};
use crate::redact;

/// The placeholder for a secret.
const HIDDEN: &str = "(hidden)";

/// Where comments begin, if a line is not longer than that.
const COMMENTS: usize = 48;

impl Config {
    /// What is in force. Secrets are not shown.
    pub(crate) fn print(&self) -> String {
        let mut text = match &self.file {
            Some(file) => format!("# with {}\n", file.display()),
            None => "# without a configuration file\n".to_owned(),
        };
        for setting in SETTINGS {
            let origin = self.origin(setting.name);
            match self.shown(setting.name) {
                Some(value) => line(&mut text, &format!("{} = {value}", setting.name), origin),
                None => line(&mut text, &format!("# {} is not set", setting.name), origin),
            }
        }
        if let Some(secret) = &self.token {
            line(&mut text, &format!("# a token for automation is set {HIDDEN}"), &secret.origin);
        }
        for agent in &self.agents {
            table(&mut text, agent);
        }
        text
    }

    /// A setting's value in TOML; none where there is none.
    pub(super) fn shown(&self, name: &str) -> Option<String> {
        let texts = |texts: Vec<String>| {
            format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
        };
        let path = |path: &Path| quoted(&path.to_string_lossy());
        Some(match name {
            "listen" => texts(self.listen.iter().map(ToString::to_string).collect()),
            "agent" => quoted(&self.agent),
            "root" => texts(self.root.iter().map(|root| root.to_string_lossy().into_owned()).collect()),
            "data_dir" => path(&self.data_dir),
            "idle" => quoted(&value::show_time(self.idle)),
            "decision_wait" => quoted(&value::show_time(self.decision_wait)),
            "name" => quoted(self.name.as_deref()?),
            "allow_bypass" => self.allow_bypass.to_string(),
            "strict_decisions" => self.strict_decisions.to_string(),
            "trust_workspace" => self.trust_workspace.to_string(),
            "host" => texts(self.host.iter().map(ToString::to_string).collect()),
            "url" => quoted(&format!("{}/", self.url.as_ref()?)),
            "tls_cert" => path(self.tls_cert.as_deref()?),
            "tls_key" => path(self.tls_key.as_deref()?),
            "insecure" => self.insecure.to_string(),
            "token_file" => path(self.token_file.as_deref()?),
            "token_scope" => quoted(self.token_scope.as_str()),
            "no_pair" => self.no_pair.to_string(),
            "push" => quoted(value::show_words(self.push)),
            "push_contact" => quoted(self.push_contact.as_deref()?),
            "push_loopback" => self.push_loopback.to_string(),
            "retain_age" => quoted(&value::show_time(self.retention.age.unwrap_or(value::NEVER))),
            "retain_size" => {
                quoted(&value::show_size(usize::try_from(self.retention.bytes?).unwrap_or(usize::MAX)))
            }
            "max_clients" => self.limits.clients.to_string(),
            "max_message" => quoted(&value::show_size(self.limits.message_bytes)),
            "max_queued" => self.limits.queued_inputs.to_string(),
            "max_page" => self.limits.history_page.to_string(),
            "log" => quoted(&self.log.filter.to_string()),
            "log_format" => quoted(self.log.format.as_str()),
            "log_file" => path(self.log.file.as_deref()?),
            "log_file_size" => quoted(&value::show_size(self.log.file_size)),
            "log_file_count" => self.log.file_count.to_string(),
            "otlp" => quoted(self.otlp.collector.as_deref()?),
            "otlp_signals" => texts(self.otlp.signals()),
            "otlp_headers_file" => path(self.otlp.headers_file.as_deref()?),
            _ => return None,
        })
    }
}

fn table(text: &mut String, agent: &NamedAgent) {
    text.push('\n');
    line(text, &format!("[agents.{}]", quoted(&agent.name)), &agent.origin);
    let list = |items: &[String]| items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", ");
    if let Some(program) = &agent.program {
        let _ = writeln!(text, "program = {}", quoted(program));
    }
    if !agent.arguments.is_empty() {
        let _ = writeln!(
            text,
            "arguments = [{}]",
            list(&redact::argv(agent.arguments.iter().map(String::as_str)))
        );
    }
    if !agent.environment.is_empty() {
        let hidden: Vec<String> = agent
            .environment
            .iter()
            .map(|(name, _)| format!("{} = {}", quoted(name), quoted(HIDDEN)))
            .collect();
        let _ = writeln!(text, "environment = {{ {} }}", hidden.join(", "));
    }
    if !agent.unset.is_empty() {
        let _ = writeln!(text, "unset = [{}]", list(&agent.unset));
    }
    if let Some(label) = &agent.label {
        let _ = writeln!(text, "label = {}", quoted(label));
    }
    if !agent.prompt_tool {
        text.push_str("prompt_tool = false\n");
    }
}

fn line(text: &mut String, line: &str, origin: &SettingOrigin) {
    let _ = writeln!(text, "{line:<COMMENTS$} # {origin}");
}

/// A text in quotes, as TOML has them.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
