//! The sandbox settings of one file.

use aqueduct_rules::settings::{PathStep, line_of};
use serde_json::{Map, Value};

use super::domain::Domain;

/// The sandbox settings of one file.
#[derive(Debug, Clone, Default)]
pub struct SandboxSettings {
    /// Commands run in it.
    pub(super) enabled: Option<bool>,
    /// Without it the agent does not start.
    pub(super) required: Option<bool>,
    /// A command in it needs no permission.
    pub(super) auto_allows: Option<bool>,
    /// The model may ask for a command to run outside.
    pub(super) may_leave: Option<bool>,
    /// Commands that run outside.
    pub(super) excluded: Vec<String>,
    /// Hosts that commands may reach.
    pub(super) allowed: Vec<Domain>,
    /// Hosts that they may not reach, even if another setting allows them.
    pub(super) denied: Vec<Domain>,
    /// Only the organisation's hosts count.
    pub(super) managed_domains_only: bool,
    /// Commands may connect to programs outside by Unix sockets.
    pub(super) unix_sockets: Option<bool>,
    /// Paths as they are written: to be changed, not to be changed, not to be read, and to be read all the same.
    pub(super) writable: Vec<String>,
    pub(super) unwritable: Vec<String>,
    pub(super) unreadable: Vec<String>,
    pub(super) readable: Vec<String>,
    /// Only the organisation's exceptions from what must not be read count.
    pub(super) managed_reads_only: bool,
    /// Refusals that are not reported to the model: texts of a command, and texts in what was refused.
    pub(super) unreported: Vec<(String, Vec<String>)>,
}

/// Members that other agents, or other systems, know.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (
        &["enableWeakerNestedSandbox"],
        "is not known to this agent: where bubblewrap can't run, Landlock is used",
    ),
    (&["allowNestedUserNamespaces"], "is not known to this agent: no command makes namespaces"),
    (&["enableWeakerNetworkIsolation"], "is for macOS"),
    (&["allowAppleEvents"], "is for macOS"),
    (&["ripgrep"], "is not needed by this agent"),
    (&["credentials"], "is not known to this agent; name files in filesystem.denyRead"),
    (&["network", "allowUnixSockets"], "can't be held on Linux; there is allowAllUnixSockets"),
    (&["network", "allowMachLookup"], "is for macOS"),
    (&["network", "httpProxyPort"], "is not known to this agent, which has a proxy of its own"),
    (&["network", "socksProxyPort"], "is not known to this agent, which has a proxy of its own"),
    (&["network", "tlsTerminate"], "is not known to this agent, which never looks into TLS"),
    (&["filesystem", "disabled"], "is not known to this agent: the sandbox always holds files"),
];

/// Members that hold by themselves: what is not allowed is always refused, and a command has a loopback of its own.
const NEEDLESS: &[&[&str]] = &[&["network", "strictAllowlist"], &["network", "allowLocalBinding"]];

/// Something in a settings file that is wrong or has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsProblem {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, with the name of the setting.
    pub message: String,
}

/// Reads the sandbox settings of a file, and what is wrong with them. `value` is `text`, parsed.
pub fn read(text: &str, value: &Value) -> (SandboxSettings, Vec<SettingsProblem>) {
    let mut reading =
        SandboxSettingsReader { text, read_settings: SandboxSettings::default(), problems: Vec::new() };
    match value.get("sandbox") {
        None | Some(Value::Null) => (),
        Some(Value::Object(members)) => reading.top(members),
        Some(_) => reading.wrong(&[], "must be an object, such as {\"enabled\": true}"),
    }
    reading.problems.sort_by_key(|problem| problem.line);
    (reading.read_settings, reading.problems)
}

struct SandboxSettingsReader<'r> {
    text: &'r str,
    read_settings: SandboxSettings,
    problems: Vec<SettingsProblem>,
}

impl SandboxSettingsReader<'_> {
    fn top(&mut self, members: &Map<String, Value>) {
        for (name, value) in members {
            let path = [name.as_str()];
            match name.as_str() {
                "enabled" => self.read_settings.enabled = self.flag(&path, value),
                "failIfUnavailable" => self.read_settings.required = self.flag(&path, value),
                "autoAllowBashIfSandboxed" => self.read_settings.auto_allows = self.flag(&path, value),
                "allowUnsandboxedCommands" => self.read_settings.may_leave = self.flag(&path, value),
                "excludedCommands" => self.read_settings.excluded = self.texts(&path, value),
                "ignoreViolations" => self.unreported(value),
                "network" => self.inside(name, value, Self::network),
                "filesystem" => self.inside(name, value, Self::filesystem),
                _ => self.unknown(&path),
            }
        }
    }

    fn inside(&mut self, name: &str, value: &Value, read: fn(&mut Self, &[&str; 2], &Value)) {
        match value {
            Value::Null => (),
            Value::Object(members) => {
                for (member, value) in members {
                    read(self, &[name, member.as_str()], value);
                }
            }
            _ => self.wrong(&[name], "must be an object"),
        }
    }

    fn network(&mut self, path: &[&str; 2], value: &Value) {
        match path[1] {
            "allowedDomains" => self.read_settings.allowed = self.domains(path, value),
            "deniedDomains" => self.read_settings.denied = self.domains(path, value),
            "allowManagedDomainsOnly" => {
                self.read_settings.managed_domains_only = self.flag(path, value) == Some(true)
            }
            "allowAllUnixSockets" => self.read_settings.unix_sockets = self.flag(path, value),
            _ => self.unknown(path),
        }
    }

    fn filesystem(&mut self, path: &[&str; 2], value: &Value) {
        match path[1] {
            "allowWrite" => self.read_settings.writable = self.paths(path, value),
            "denyWrite" => self.read_settings.unwritable = self.paths(path, value),
            "denyRead" => self.read_settings.unreadable = self.paths(path, value),
            "allowRead" => self.read_settings.readable = self.paths(path, value),
            "allowManagedReadPathsOnly" => {
                self.read_settings.managed_reads_only = self.flag(path, value) == Some(true)
            }
            _ => self.unknown(path),
        }
    }

    fn unreported(&mut self, value: &Value) {
        let path = "ignoreViolations";
        let Some(commands) = value.as_object() else {
            return self.wrong(&[path], "must be an object of commands, each with a list of texts");
        };
        for (command, texts) in commands {
            let texts = self.texts(&[path, command], texts);
            self.read_settings.unreported.push((command.clone(), texts));
        }
    }

    fn flag(&mut self, path: &[&str], value: &Value) -> Option<bool> {
        if value.as_bool().is_none() && !value.is_null() {
            self.wrong(path, "must be true or false");
        }
        value.as_bool()
    }

    fn texts(&mut self, path: &[&str], value: &Value) -> Vec<String> {
        self.items(path, value).into_iter().map(|(_, text)| text).collect()
    }

    /// The texts of a list, with their places in it.
    fn items(&mut self, path: &[&str], value: &Value) -> Vec<(usize, String)> {
        let Some(list) = value.as_array() else {
            self.wrong(path, "must be a list of texts");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for (index, entry) in list.iter().enumerate() {
            match entry.as_str().filter(|text| !text.trim().is_empty()) {
                Some(text) => texts.push((index, text.to_owned())),
                None => self.wrong_item(path, index, "must be a text"),
            }
        }
        texts
    }

    fn domains(&mut self, path: &[&str; 2], value: &Value) -> Vec<Domain> {
        let mut domains = Vec::new();
        for (index, text) in self.items(path, value) {
            match Domain::parse(&text) {
                Ok(domain) => domains.push(domain),
                Err(why) => self.wrong_item(path, index, &format!("{why}: {text:?}")),
            }
        }
        domains
    }

    fn paths(&mut self, path: &[&str; 2], value: &Value) -> Vec<String> {
        let mut paths = Vec::new();
        for (index, text) in self.items(path, value) {
            let plain = text.strip_suffix("/**").unwrap_or(&text);
            if plain.contains(['*', '?', '[']) {
                self.wrong_item(
                    path,
                    index,
                    "is a pattern, which can't be held here; name a file or a folder",
                );
                continue;
            }
            paths.push(plain.to_owned());
        }
        paths
    }

    fn unknown(&mut self, path: &[&str]) {
        if NEEDLESS.contains(&path) {
            return;
        }
        let known = ELSEWHERE.iter().find(|(known, _)| *known == path);
        self.wrong(path, known.map_or("is not known here and is ignored", |(_, why)| why));
    }

    fn wrong(&mut self, path: &[&str], what: &str) {
        let toward: Vec<PathStep<'_>> =
            std::iter::once("sandbox").chain(path.iter().copied()).map(PathStep::Member).collect();
        let line = line_of(self.text, &toward);
        let name = std::iter::once("sandbox").chain(path.iter().copied()).collect::<Vec<_>>().join(".");
        self.problems.push(SettingsProblem { line, message: format!("{name} {what}") });
    }

    fn wrong_item(&mut self, path: &[&str], index: usize, what: &str) {
        let mut toward: Vec<PathStep<'_>> =
            std::iter::once("sandbox").chain(path.iter().copied()).map(PathStep::Member).collect();
        toward.push(PathStep::Item(index));
        let line = line_of(self.text, &toward);
        let message = format!("sandbox.{}[{index}] {what}", path.join("."));
        self.problems.push(SettingsProblem { line, message });
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn every_error_is_named_with_its_line_and_the_rest_counts() {
        let text = r#"{ "sandbox": {
  "enabled": true,
  "failIfUnavailable": "yes",
  "excludedCommands": ["docker *", 7],
  "credentials": {},
  "bogus": 1,
  "network": {
    "allowedDomains": ["example.com", "", "https://example.org", "a b"],
    "allowUnixSockets": ["/run/x"],
    "strictAllowlist": true
  },
  "filesystem": {
    "allowWrite": ["~/.cache", "src/*.rs", "out/**"],
    "denyRead": "~/.ssh"
  },
  "ignoreViolations": { "*": ["/etc/hosts"] }
} }"#;
        let (read_settings, problems) = read(text, &serde_json::from_str(text).unwrap());
        let shown: Vec<String> = problems
            .iter()
            .map(|problem| format!("settings.json:{}: {}", problem.line, problem.message))
            .collect();
        assert_eq!(
            (read_settings.enabled, read_settings.required, read_settings.excluded.len()),
            (Some(true), None, 1)
        );
        assert_eq!(
            (read_settings.allowed.len(), read_settings.writable),
            (1, vec!["~/.cache".to_owned(), "out".to_owned()])
        );
        assert_eq!(read_settings.unreported, [("*".to_owned(), vec!["/etc/hosts".to_owned()])]);
        insta::assert_snapshot!(shown.join("\n"), @r#"
        settings.json:3: sandbox.failIfUnavailable must be true or false
        settings.json:4: sandbox.excludedCommands[1] must be a text
        settings.json:5: sandbox.credentials is not known to this agent; name files in filesystem.denyRead
        settings.json:6: sandbox.bogus is not known here and is ignored
        settings.json:8: sandbox.network.allowedDomains[1] must be a text
        settings.json:8: sandbox.network.allowedDomains[2] is an address; name the host alone, such as example.com: "https://example.org"
        settings.json:8: sandbox.network.allowedDomains[3] is not a host; write example.com, or *.example.com for the hosts below it: "a b"
        settings.json:9: sandbox.network.allowUnixSockets can't be held on Linux; there is allowAllUnixSockets
        settings.json:13: sandbox.filesystem.allowWrite[1] is a pattern, which can't be held here; name a file or a folder
        settings.json:14: sandbox.filesystem.denyRead must be a list of texts
        "#);
        let (_, problems) = read("{\"sandbox\":1}", &serde_json::json!({ "sandbox": 1 }));
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        assert_eq!(problem.line, 1);
        assert_eq!(problem.message, "sandbox must be an object, such as {\"enabled\": true}");
    }
}
