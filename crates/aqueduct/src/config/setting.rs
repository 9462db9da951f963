/// Something that can be set. It has one name, in three spellings: `--data-dir`, `AQUEDUCT_DATA_DIR` and `data_dir`.
#[derive(Debug)]
pub(crate) struct ConfigSetting {
    /// The key in the file.
    pub(crate) name: &'static str,
    /// The flag, without its dashes: the name with `-` for `_`.
    pub(crate) flag: &'static str,
    /// What its values are.
    pub(crate) kind: SettingKind,
    /// The placeholder for a value in the help.
    pub(crate) value: &'static str,
    /// What it does.
    pub(crate) help: &'static str,
    /// The default in words; empty for none.
    pub(crate) default: &'static str,
    /// Under which heading the help lists it; empty for the first.
    pub(crate) heading: &'static str,
}

/// What values a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SettingKind {
    /// Yes or no.
    Switch,
    /// A text.
    Text,
    /// Texts. What is stronger replaces all of them.
    Texts,
    /// A path; in the file it is relative to the file's folder.
    Path,
    /// Paths.
    Paths,
    /// A time, such as `90s`, `15m` or `2h`.
    Time,
    /// A size, such as `32MiB`.
    Size,
    /// A whole number.
    Count,
}

impl SettingKind {
    /// Whether there can be several values.
    pub(crate) fn is_list(self) -> bool {
        matches!(self, SettingKind::Texts | SettingKind::Paths)
    }
}

impl ConfigSetting {
    /// Its variable.
    pub(crate) fn variable(&self) -> String {
        format!("AQUEDUCT_{}", self.name.to_ascii_uppercase())
    }

    /// The setting of a name.
    pub(crate) fn named(name: &str) -> Option<&'static ConfigSetting> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }
}

const NETWORK: &str = "Access";
const PUSH: &str = "Notifications";
const STORAGE: &str = "Retention";
const LIMITS: &str = "Limits";
const LOGS: &str = "Logs";
const TELEMETRY: &str = "Telemetry";

/// Everything that can be set, in the order of the help.
pub(crate) const SETTINGS: &[ConfigSetting] = &[
    ConfigSetting {
        name: "listen",
        flag: "listen",
        kind: SettingKind::Texts,
        value: "ADDR",
        help: "Where to listen: ADDRESS:PORT, or unix:PATH for a socket",
        default: "127.0.0.1:8765",
        heading: "",
    },
    ConfigSetting {
        name: "agent",
        flag: "agent",
        kind: SettingKind::Text,
        value: "AGENT",
        help: "The agent of sessions that name none: auto is the reference CLI if it is on PATH, else builtin, the one \
               in this program; else a name from [agents.NAME] of the file, or a program",
        default: "auto",
        heading: "",
    },
    ConfigSetting {
        name: "root",
        flag: "root",
        kind: SettingKind::Paths,
        value: "DIR",
        help: "A folder that may contain projects",
        default: "the home folder; the current one if it is not below it",
        heading: "",
    },
    ConfigSetting {
        name: "data_dir",
        flag: "data-dir",
        kind: SettingKind::Path,
        value: "DIR",
        help: "Where sessions, devices and the sockets of running agents are kept",
        default: "$XDG_DATA_HOME/aqueduct, or ~/.local/share/aqueduct",
        heading: "",
    },
    ConfigSetting {
        name: "idle",
        flag: "idle",
        kind: SettingKind::Time,
        value: "TIME",
        help: "How long an idle agent without watching clients is kept; the next input resumes it",
        default: "15m",
        heading: "",
    },
    ConfigSetting {
        name: "decision_wait",
        flag: "decision-wait",
        kind: SettingKind::Time,
        value: "TIME",
        help: "How long an agent that waits for a decision is kept while no bridge runs",
        default: "24h",
        heading: "",
    },
    ConfigSetting {
        name: "name",
        flag: "name",
        kind: SettingKind::Text,
        value: "NAME",
        help: "What clients call this machine",
        default: "the machine's name",
        heading: "",
    },
    ConfigSetting {
        name: "allow_bypass",
        flag: "allow-bypass",
        kind: SettingKind::Switch,
        value: "",
        help: "Let clients choose the mode bypassPermissions, in which agents never ask",
        default: "false",
        heading: "",
    },
    ConfigSetting {
        name: "strict_decisions",
        flag: "strict-decisions",
        kind: SettingKind::Switch,
        value: "",
        help: "Refuse decisions that do not name the request's session and the hash of its input",
        default: "false",
        heading: "",
    },
    ConfigSetting {
        name: "trust_workspace",
        flag: "trust-workspace",
        kind: SettingKind::Switch,
        value: "",
        help: "Trust what every folder provides (hooks, allow rules, variables, MCP servers and the like) without asking: \
               for CI and other places where all folders are your own",
        default: "false",
        heading: "",
    },
    ConfigSetting {
        name: "host",
        flag: "host",
        kind: SettingKind::Texts,
        value: "NAME",
        help: "A name by which clients reach the bridge, besides the addresses that are listened on; for a proxy that \
               has TLS the whole origin, such as https://box.example",
        default: "",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "url",
        flag: "url",
        kind: SettingKind::Text,
        value: "URL",
        help: "Where browsers find the bridge, and pairing links lead; counts as a --host",
        default: "the first address that is listened on",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "tls_cert",
        flag: "tls-cert",
        kind: SettingKind::Path,
        value: "FILE",
        help: "Certificates for TLS, in PEM: the own one first; SIGHUP reads them again",
        default: "",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "tls_key",
        flag: "tls-key",
        kind: SettingKind::Path,
        value: "FILE",
        help: "The key of the certificate, in PEM",
        default: "",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "insecure",
        flag: "insecure",
        kind: SettingKind::Switch,
        value: "",
        help: "Listen on a network without TLS, where others can read the traffic",
        default: "false",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "token_file",
        flag: "token-file",
        kind: SettingKind::Path,
        value: "FILE",
        help: "A file with a token for automation; the variable AQUEDUCT_TOKEN is the token itself, and there is no \
               flag for it, since all users of a machine can read command lines",
        default: "",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "token_scope",
        flag: "token-scope",
        kind: SettingKind::Text,
        value: "SCOPE",
        help: "What the token for automation may do: watch, decide, operate or admin",
        default: "admin",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "no_pair",
        flag: "no-pair",
        kind: SettingKind::Switch,
        value: "",
        help: "Print no pairing link at the start",
        default: "false",
        heading: NETWORK,
    },
    ConfigSetting {
        name: "push",
        flag: "push",
        kind: SettingKind::Text,
        value: "WORDS",
        help: "What notifications may contain at most: content, the text of a session, for devices that request it; events, \
               that one waits, is done or has failed; off, there are none",
        default: "content",
        heading: PUSH,
    },
    ConfigSetting {
        name: "push_contact",
        flag: "push-contact",
        kind: SettingKind::Text,
        value: "URI",
        help: "Where push services can reach you if something is wrong: mailto:ADDRESS or https://PAGE",
        default: "",
        heading: PUSH,
    },
    ConfigSetting {
        name: "push_loopback",
        flag: "push-loopback",
        kind: SettingKind::Switch,
        value: "",
        help: "Let notifications go to push services on this machine, without TLS too: for tests",
        default: "false",
        heading: PUSH,
    },
    ConfigSetting {
        name: "retain_age",
        flag: "retain-age",
        kind: SettingKind::Time,
        value: "TIME",
        help: "How long sessions are kept that have ended, from their newest message: at least 1h",
        default: "never",
        heading: STORAGE,
    },
    ConfigSetting {
        name: "retain_size",
        flag: "retain-size",
        kind: SettingKind::Size,
        value: "SIZE",
        help: "How large the log may become until the oldest sessions are deleted that have ended: at least 16MiB",
        default: "",
        heading: STORAGE,
    },
    ConfigSetting {
        name: "max_clients",
        flag: "max-clients",
        kind: SettingKind::Count,
        value: "N",
        help: "Connections at once",
        default: "4096",
        heading: LIMITS,
    },
    ConfigSetting {
        name: "max_message",
        flag: "max-message",
        kind: SettingKind::Size,
        value: "SIZE",
        help: "The largest message of a client, images included",
        default: "32MiB",
        heading: LIMITS,
    },
    ConfigSetting {
        name: "max_queued",
        flag: "max-queued",
        kind: SettingKind::Count,
        value: "N",
        help: "Inputs that may wait in one session",
        default: "100",
        heading: LIMITS,
    },
    ConfigSetting {
        name: "max_page",
        flag: "max-page",
        kind: SettingKind::Count,
        value: "N",
        help: "Stored messages in one page of history",
        default: "500",
        heading: LIMITS,
    },
    ConfigSetting {
        name: "log",
        flag: "log",
        kind: SettingKind::Text,
        value: "FILTER",
        help: "Which events are logged: off, error, warn, info, debug or trace; or levels for parts, such as \
               warn,bridge=debug",
        default: "info",
        heading: LOGS,
    },
    ConfigSetting {
        name: "log_format",
        flag: "log-format",
        kind: SettingKind::Text,
        value: "FORMAT",
        help: "How events are written: text, or json with one object in each line",
        default: "text",
        heading: LOGS,
    },
    ConfigSetting {
        name: "log_file",
        flag: "log-file",
        kind: SettingKind::Path,
        value: "FILE",
        help: "Write events to a file instead of standard error; SIGHUP opens it again",
        default: "",
        heading: LOGS,
    },
    ConfigSetting {
        name: "log_file_size",
        flag: "log-file-size",
        kind: SettingKind::Size,
        value: "SIZE",
        help: "How long that file becomes; then it is renamed to FILE.1, and a new one is begun",
        default: "10MiB",
        heading: LOGS,
    },
    ConfigSetting {
        name: "log_file_count",
        flag: "log-file-count",
        kind: SettingKind::Count,
        value: "N",
        help: "How many renamed files are kept",
        default: "5",
        heading: LOGS,
    },
    ConfigSetting {
        name: "otlp",
        flag: "otlp",
        kind: SettingKind::Text,
        value: "URL",
        help: "Send traces and metrics to this collector of OpenTelemetry (OTLP/HTTP), such as \
               http://127.0.0.1:4318; env: to that of OTEL_EXPORTER_OTLP_ENDPOINT. The program has to be built with the \
               feature otlp",
        default: "",
        heading: TELEMETRY,
    },
    ConfigSetting {
        name: "otlp_signals",
        flag: "otlp-signals",
        kind: SettingKind::Texts,
        value: "SIGNAL",
        help: "What is sent: traces, metrics",
        default: "traces, metrics",
        heading: TELEMETRY,
    },
    ConfigSetting {
        name: "otlp_headers_file",
        flag: "otlp-headers-file",
        kind: SettingKind::Path,
        value: "FILE",
        help: "A file with headers for the collector, name=value separated by commas; the variable \
               AQUEDUCT_OTLP_HEADERS is the headers themselves",
        default: "",
        heading: TELEMETRY,
    },
];

#[cfg(test)]
mod tests {
    use super::super::agent::AGENT_KEYS;
    use super::*;

    fn kind(kind: SettingKind) -> &'static str {
        match kind {
            SettingKind::Switch => "`true` or `false`",
            SettingKind::Text => "text",
            SettingKind::Texts => "list of texts",
            SettingKind::Path => "path",
            SettingKind::Paths => "list of paths",
            SettingKind::Time => "time: `90s`, `15m`, `2h`, `never`",
            SettingKind::Size => "size: `512KiB`, `32MiB`",
            SettingKind::Count => "whole number",
        }
    }

    #[test]
    fn one_name_has_three_spellings() {
        for setting in SETTINGS {
            assert_eq!(setting.flag, setting.name.replace('_', "-"));
            assert_eq!(ConfigSetting::named(setting.name).map(|found| found.name), Some(setting.name));
        }
        assert_eq!(ConfigSetting::named("data_dir").unwrap().variable(), "AQUEDUCT_DATA_DIR");
    }

    /// The reference of docs/operations.md is this table. When this fails, it prints what the page should have.
    #[test]
    fn the_page_has_the_table() {
        let mut table = String::from(
            "| flag | variable | in the file | what it does | default |\n|---|---|---|---|---|\n",
        );
        for setting in SETTINGS {
            let default =
                if setting.default.is_empty() { String::new() } else { format!("`{}`", setting.default) };
            let default = if setting.default.contains(' ') { setting.default.to_owned() } else { default };
            table.push_str(&format!(
                "| `--{}` | `{}` | `{}`: {} | {} | {default} |\n",
                setting.flag,
                setting.variable(),
                setting.name,
                kind(setting.kind),
                setting.help.replace('|', "\\|"),
            ));
        }
        let mut keys = String::from("| key of `[agents.NAME]` | |\n|---|---|\n");
        AGENT_KEYS.iter().for_each(|(key, help)| keys.push_str(&format!("| `{key}` | {help} |\n")));
        let page = include_str!("../../../../docs/operations.md");
        for table in [table, keys] {
            assert!(page.contains(&table), "docs/operations.md should have:\n{table}");
        }
    }
}
