//! The note for the model when the sandbox refused something.

use super::policy::SandboxPolicy;

/// Messages of systems and programs for what the sandbox refuses.
const FILES: &[&str] =
    &["read-only file system", "permission denied", "operation not permitted", "erofs", "eacces"];
const NETWORK: &[&str] = &[
    "network is unreachable",
    "could not resolve",
    "couldn't resolve",
    "temporary failure in name resolution",
    "name or service not known",
    "nodename nor servname",
    "getaddrinfo",
    "no route to host",
    "socket: operation not permitted",
    "enetunreach",
    "eai_again",
];

/// Programs that are for the network, and may fail without a word.
const CLIENTS: &[&str] = &[
    "curl", "wget", "git", "ssh", "scp", "rsync", "nc", "ping", "npm", "pnpm", "yarn", "pip", "cargo", "go",
];

/// What was refused, as far as it can be seen.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SandboxRefusal {
    /// A file could not be changed, or something else was not permitted.
    pub(super) files: bool,
    /// A host could not be reached.
    pub(super) network: bool,
    /// Hosts that the proxy refused.
    pub(super) hosts: Vec<String>,
}

impl SandboxRefusal {
    /// What can be seen in the output of a command that failed, and by the proxy.
    pub(super) fn find(
        policy: &SandboxPolicy,
        command: &str,
        output: Option<&str>,
        hosts: Vec<String>,
    ) -> Option<SandboxRefusal> {
        let unreported = |text: &str| {
            policy.unreported.iter().any(|(pattern, texts)| {
                (pattern == "*" || command.contains(pattern.as_str()))
                    && texts.iter().any(|unreported| text.contains(unreported.as_str()))
            })
        };
        let lines =
            output.unwrap_or_default().lines().filter(|line| !unreported(line)).map(str::to_lowercase);
        let mut refusal = SandboxRefusal::default();
        for line in lines {
            let contains = |texts: &[&str]| texts.iter().any(|text| line.contains(text));
            refusal.network |= contains(NETWORK);
            refusal.files |= contains(FILES) && !contains(NETWORK);
        }
        let is_silent = output.is_some_and(|output| output.trim().is_empty());
        refusal.network |= is_silent && is_for_the_network(command);
        refusal.hosts = hosts.into_iter().filter(|host| !unreported(host)).collect();
        (refusal != SandboxRefusal::default()).then_some(refusal)
    }
}

/// Whether a command names a program that is for the network.
fn is_for_the_network(command: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    command.split(|letter| !is_part(letter)).any(|word| CLIENTS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::SandboxRefusal;
    use crate::policy::SandboxPolicy;

    #[test]
    fn refusals_are_seen_in_program_output() {
        let found =
            |output: &str| SandboxRefusal::find(&SandboxPolicy::default(), "x", Some(output), Vec::new());
        assert_eq!(found("all went well\n3 tests failed"), None);
        let files = found("touch: cannot touch '/etc/x': Read-only file system").unwrap();
        assert!(files.files && !files.network);
        let network = found("curl: (6) Could not resolve host: example.com").unwrap();
        assert!(network.network && !network.files);
    }

    #[test]
    fn a_client_that_fails_silently_gets_a_note_about_the_network() {
        let find = |command: &str, output: &str| {
            SandboxRefusal::find(&SandboxPolicy::default(), command, Some(output), Vec::new())
        };
        assert!(find("cd x && curl -s http://example.com/", "").unwrap().network);
        assert_eq!(find("test -f curl.txt", ""), None);
        assert_eq!(find("curl -s http://example.com/", "404"), None);
        assert_eq!(SandboxRefusal::find(&SandboxPolicy::default(), "curl x", None, Vec::new()), None);
    }

    #[test]
    fn what_need_not_be_reported_is_not() {
        let policy = SandboxPolicy {
            unreported: vec![("make".to_owned(), vec!["/etc/hosts".to_owned(), "telemetry".to_owned()])],
            ..SandboxPolicy::default()
        };
        let hosts = || vec!["telemetry.example:443 is not among the allowed hosts".to_owned()];
        let output = Some("cp: /etc/hosts: Permission denied");
        assert_eq!(SandboxRefusal::find(&policy, "make all", output, hosts()), None);
        let reported = SandboxRefusal::find(&policy, "cp a b", output, hosts()).unwrap();
        assert!(reported.files && reported.hosts.len() == 1);
    }
}
