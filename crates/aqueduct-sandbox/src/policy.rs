//! What holds for the sandbox, all settings taken together.

use std::path::{Path, PathBuf};

use aqueduct_rules::{Behavior, Context, Source};

use super::domain::Domain;
use super::settings::SandboxSettings;
use crate::machine::SandboxEnvironment;

/// What holds for the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxPolicy {
    /// Commands run in it.
    pub enabled: bool,
    /// Without it the agent does not start.
    pub required: bool,
    /// A command in it needs no permission.
    pub(super) auto_allows: bool,
    /// The model may ask for a command to run outside.
    pub may_leave: bool,
    /// Commands that run outside.
    pub(super) excluded: Vec<String>,
    /// Hosts that commands may reach.
    pub(super) allowed: Vec<Domain>,
    /// Hosts that they may not.
    pub(super) denied: Vec<Domain>,
    /// Commands may connect to programs outside by Unix sockets.
    pub(super) unix_sockets: bool,
    /// What they may change beside the working directories.
    pub(super) writable: Vec<PathBuf>,
    /// What they may not change, wherever it is.
    pub(super) unwritable: Vec<PathBuf>,
    /// What they may not read.
    pub(super) unreadable: Vec<PathBuf>,
    /// What they may read all the same.
    pub(super) readable: Vec<PathBuf>,
    /// Refusals that are not reported to the model.
    pub(super) unreported: Vec<(String, Vec<String>)>,
}

impl Default for SandboxPolicy {
    fn default() -> Self {
        SandboxPolicy {
            enabled: false,
            required: false,
            auto_allows: false,
            may_leave: true,
            excluded: Vec::new(),
            allowed: Vec::new(),
            denied: Vec::new(),
            unix_sockets: false,
            writable: Vec::new(),
            unwritable: Vec::new(),
            unreadable: Vec::new(),
            readable: Vec::new(),
            unreported: Vec::new(),
        }
    }
}

impl SandboxPolicy {
    /// What follows from all settings, in order of increasing precedence. What comes with a project that
    /// is not trusted may tighten, and nothing else.
    pub fn of<'s>(
        scopes: impl Iterator<Item = (Source, &'s SandboxSettings)> + Clone,
        is_trusted: bool,
        machine: &SandboxEnvironment,
    ) -> SandboxPolicy {
        let managed = |has: fn(&SandboxSettings) -> bool| {
            scopes.clone().any(|(source, scopes_with_settings)| {
                source == Source::PolicySettings && has(scopes_with_settings)
            })
        };
        let managed_domains_only = managed(|scopes_with_settings| scopes_with_settings.managed_domains_only);
        let managed_reads_only = managed(|scopes_with_settings| scopes_with_settings.managed_reads_only);
        let mut policy = SandboxPolicy::default();
        for (source, scopes_with_settings) in scopes.clone() {
            let may_loosen = is_trusted || !source.comes_with_the_project();
            let is_policy = source == Source::PolicySettings;
            let resolved = |paths: &[String]| -> Vec<PathBuf> {
                paths.iter().map(|path| resolved(path, source, machine)).collect()
            };
            let tighter_when =
                |tight: bool, value: Option<bool>| value.filter(|value| may_loosen || *value == tight);
            policy.enabled = tighter_when(true, scopes_with_settings.enabled).unwrap_or(policy.enabled);
            policy.required = tighter_when(true, scopes_with_settings.required).unwrap_or(policy.required);
            policy.auto_allows =
                tighter_when(false, scopes_with_settings.auto_allows).unwrap_or(policy.auto_allows);
            policy.unix_sockets =
                tighter_when(false, scopes_with_settings.unix_sockets).unwrap_or(policy.unix_sockets);
            // A setting that nothing leaves the sandbox is not overridden.
            policy.may_leave &= scopes_with_settings.may_leave != Some(false);
            policy.denied.extend(scopes_with_settings.denied.iter().cloned());
            policy.unwritable.extend(resolved(&scopes_with_settings.unwritable));
            policy.unreadable.extend(resolved(&scopes_with_settings.unreadable));
            if !may_loosen {
                continue;
            }
            policy.excluded.extend(scopes_with_settings.excluded.iter().cloned());
            policy.writable.extend(resolved(&scopes_with_settings.writable));
            policy.unreported.extend(scopes_with_settings.unreported.iter().cloned());
            if is_policy || !managed_domains_only {
                policy.allowed.extend(scopes_with_settings.allowed.iter().cloned());
            }
            if is_policy || !managed_reads_only {
                policy.readable.extend(resolved(&scopes_with_settings.readable));
            }
        }
        policy
    }

    /// Adds what rules forbid to read and to change, where a rule names a file or a folder.
    pub fn add_rules(&mut self, rules: &Context, machine: &SandboxEnvironment) {
        let denied =
            rules.rules().filter(|entry| entry.behavior == Behavior::Deny && entry.withheld.is_none());
        for entry in denied {
            let Some((tool, content)) =
                entry.text.trim().strip_suffix(')').and_then(|text| text.split_once('('))
            else {
                continue;
            };
            let plain = content.strip_suffix("/**").unwrap_or(content);
            if plain.is_empty() || plain.contains(['*', '?', '[', '!']) {
                continue;
            }
            let path = match plain.strip_prefix('/') {
                Some(rest) if !rest.starts_with('/') => base(entry.source, machine).join(rest),
                Some(absolute) => PathBuf::from(absolute),
                None => resolved(plain, Source::ProjectSettings, machine),
            };
            match tool {
                "Read" => {
                    self.unreadable.push(path.clone());
                    self.unwritable.push(path);
                }
                "Edit" => self.unwritable.push(path),
                _ => (),
            }
        }
    }

    /// Whether a command may reach a host; why not, for people and the model.
    pub(super) fn refuses(&self, host: &str) -> Option<&'static str> {
        if self.denied.iter().any(|domain| domain.covers(host)) {
            return Some("is a denied host");
        }
        let is_allowed = self.allowed.iter().any(|domain| domain.covers(host));
        (!is_allowed).then_some("is not among the allowed hosts")
    }

    /// Whether a host is named as such, so that it may be one of a network around here.
    pub(super) fn names(&self, host: &str) -> bool {
        self.allowed.iter().any(|domain| domain.names(host))
    }
}

/// A path of a settings file: absolute, in the home, or relative to where its source belongs.
fn resolved(path: &str, source: Source, machine: &SandboxEnvironment) -> PathBuf {
    if path == "~" {
        return machine.home.clone();
    }
    match path.strip_prefix("~/") {
        Some(rest) => machine.home.join(rest),
        None => base(source, machine).join(path.strip_prefix("./").unwrap_or(path)),
    }
}

/// What relative paths of a source are relative to.
fn base(source: Source, machine: &SandboxEnvironment) -> &Path {
    match source {
        Source::UserSettings => &machine.config,
        _ => &machine.cwd,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use aqueduct_rules::{Behavior, Context, Source};
    use serde_json::{Value, json};

    use super::SandboxPolicy;
    use crate::machine::SandboxEnvironment;
    use crate::settings::read;

    fn machine() -> SandboxEnvironment {
        SandboxEnvironment {
            cwd: "/proj".into(),
            home: "/home/ada".into(),
            config: "/home/ada/.claude".into(),
            ..SandboxEnvironment::default()
        }
    }

    fn policy(scopes: &[(Source, Value)], is_trusted: bool) -> SandboxPolicy {
        let scopes_with_settings: Vec<_> = scopes
            .iter()
            .map(|(source, value)| (*source, read("{}", &json!({ "sandbox": value })).0))
            .collect();
        SandboxPolicy::of(
            scopes_with_settings.iter().map(|(source, scopes_with_settings)| (*source, scopes_with_settings)),
            is_trusted,
            &machine(),
        )
    }

    #[test]
    fn one_setting_turns_it_on() {
        let on = policy(&[(Source::UserSettings, json!({ "enabled": true }))], false);
        assert_eq!(on, SandboxPolicy { enabled: true, ..SandboxPolicy::default() });
    }

    #[test]
    fn a_project_that_is_not_trusted_only_tightens() {
        let user = json!({ "enabled": true, "network": { "allowedDomains": ["example.com"] } });
        let project = json!({
            "enabled": false, "autoAllowBashIfSandboxed": true, "allowUnsandboxedCommands": false,
            "excludedCommands": ["rm *"], "ignoreViolations": { "*": ["x"] },
            "network": { "allowedDomains": ["*"], "deniedDomains": ["evil.com"], "allowAllUnixSockets": true },
            "filesystem": { "allowWrite": ["/"], "allowRead": ["/"], "denyRead": ["secret"], "denyWrite": ["~/x"] },
        });
        let scopes = [(Source::UserSettings, user), (Source::ProjectSettings, project)];
        let strict = policy(&scopes, false);
        assert!(strict.enabled && !strict.auto_allows && !strict.may_leave && !strict.unix_sockets);
        assert_eq!((strict.excluded.len(), strict.allowed.len(), strict.unreported.len()), (0, 1, 0));
        assert_eq!((strict.writable.len(), strict.readable.len()), (0, 0));
        assert_eq!(strict.unreadable, [PathBuf::from("/proj/secret")]);
        assert_eq!(strict.unwritable, [PathBuf::from("/home/ada/x")]);
        assert_eq!(strict.refuses("example.com"), None);
        assert!(strict.refuses("evil.com").is_some());
        let trusted = policy(&scopes, true);
        assert!(!trusted.enabled && trusted.auto_allows && !trusted.may_leave && trusted.unix_sockets);
        assert_eq!(trusted.writable, [PathBuf::from("/")]);
    }

    #[test]
    fn an_organisation_may_keep_hosts_to_itself() {
        let user = json!({ "network": { "allowedDomains": ["example.com"], "deniedDomains": ["a.org"] } });
        let managed = json!({ "network": { "allowedDomains": ["*.org"], "allowManagedDomainsOnly": true } });
        let policy = policy(&[(Source::UserSettings, user), (Source::PolicySettings, managed)], true);
        assert!(policy.refuses("example.com").is_some() && policy.refuses("a.org").is_some());
        assert_eq!(policy.refuses("b.org"), None);
    }

    #[test]
    fn rules_that_forbid_files_count() {
        let mut rules = Context::new("/proj");
        let texts =
            ["Read(./.env)", "Read(//etc/keys/**)", "Edit(/docs)", "Read(**/*.pem)", "Bash(rm:*)", "Read"];
        rules.add_rules(Source::UserSettings, Behavior::Deny, texts).unwrap();
        let mut policy = SandboxPolicy::default();
        policy.add_rules(&rules, &machine());
        assert_eq!(policy.unreadable, [PathBuf::from("/proj/.env"), PathBuf::from("/etc/keys")]);
        assert_eq!(
            policy.unwritable,
            [
                PathBuf::from("/proj/.env"),
                PathBuf::from("/etc/keys"),
                PathBuf::from("/home/ada/.claude/docs")
            ]
        );
    }
}
