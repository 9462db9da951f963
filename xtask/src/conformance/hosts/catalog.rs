//! The hosts: what is installed, which driver plays, and which duties the host offers.

/// What a host is asked to do. A column of the table each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Duty {
    /// A text, streamed where the host streams.
    Stream,
    /// A tool call that is allowed.
    Permission,
    /// A tool call that is denied, and a turn after it.
    Denial,
    /// A turn that is interrupted, and a turn after it.
    Interrupt,
    /// A session that is resumed.
    Resume,
    /// The sessions that the host lists.
    List,
    /// What a reader of transcripts prints.
    Transcripts,
    /// The tests that the host brings with it.
    OwnTests,
}

impl Duty {
    pub(super) const ALL: [Self; 8] = [
        Self::Stream,
        Self::Permission,
        Self::Denial,
        Self::Interrupt,
        Self::Resume,
        Self::List,
        Self::Transcripts,
        Self::OwnTests,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Permission => "permission",
            Self::Denial => "denial",
            Self::Interrupt => "interrupt",
            Self::Resume => "resume",
            Self::List => "list",
            Self::Transcripts => "transcripts",
            Self::OwnTests => "own-tests",
        }
    }
}

/// Where a host comes from.
pub(super) enum Source {
    /// Packages of npm at exact versions. Their dependencies are those of [`AS_OF`].
    Npm(&'static [(&'static str, &'static str)]),
    /// Packages of PyPI: a list of requirements with an exact version for each dependency too.
    PyPi(&'static str),
    /// A crate of crates.io, with features and the integration tests that are built from it.
    Crate { features: &'static [&'static str], tests: &'static [&'static str] },
}

/// Dependencies of npm packages are resolved as of this day, which makes an installation repeatable.
pub(super) const AS_OF: &str = "2026-11-16";

/// What plays: a file name and its text. The extension determines what runs it.
pub(super) type Driver = (&'static str, &'static str);

pub(super) struct Host {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) source: Source,
    pub(super) driver: Driver,
    /// What the driver gets; `{}` is the folder of the installation.
    pub(super) arguments: &'static [&'static str],
    pub(super) duties: &'static [Duty],
    /// Rules for the scripted model, for hosts whose prompts are their own.
    pub(super) script: Option<&'static str>,
    /// A package whose native part is built in the closed network.
    pub(super) native: Option<&'static str>,
}

impl Host {
    /// Whether its runs use fixed places, so that two of them can't run at the same time.
    pub(super) fn runs_alone(&self) -> bool {
        ["claude-codes", "inspect-swe"].contains(&self.name)
    }
}

const READER: Driver = ("reader.mjs", include_str!("reader.mjs"));
const ACP: Driver = ("acp.mjs", include_str!("acp.mjs"));

/// What an interactive host offers at most.
const INTERACTIVE: &[Duty] =
    &[Duty::Stream, Duty::Permission, Duty::Denial, Duty::Interrupt, Duty::Resume, Duty::List];

pub(super) const HOSTS: &[Host] = &[
    Host {
        name: "claude-agent-acp",
        version: "0.99.1",
        source: Source::Npm(&[("@agentclientprotocol/claude-agent-acp", "0.99.1")]),
        driver: ACP,
        arguments: &["{}/node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js"],
        duties: INTERACTIVE,
        script: None,
        native: None,
    },
    Host {
        name: "claude-code-acp",
        version: "0.16.2",
        source: Source::Npm(&[("@zed-industries/claude-code-acp", "0.16.2")]),
        driver: ACP,
        arguments: &["{}/node_modules/@zed-industries/claude-code-acp/dist/index.js"],
        duties: INTERACTIVE,
        script: None,
        native: None,
    },
    Host {
        name: "hapi",
        version: "0.30.7",
        source: Source::Npm(&[("@twsxtd/hapi", "0.30.7")]),
        driver: ("hapi.mjs", include_str!("hapi.mjs")),
        arguments: &["{}/node_modules/.bin/hapi"],
        duties: INTERACTIVE,
        script: None,
        native: None,
    },
    Host {
        name: "cloudcli",
        version: "1.37.3",
        source: Source::Npm(&[("@cloudcli-ai/cloudcli", "1.37.3")]),
        driver: ("cloudcli.mjs", include_str!("cloudcli.mjs")),
        arguments: &["{}/node_modules/@cloudcli-ai/cloudcli/dist-server/server/index.js"],
        duties: INTERACTIVE,
        script: None,
        native: Some("better-sqlite3"),
    },
    Host {
        name: "ai-sdk-provider-claude-code",
        version: "4.1.0",
        source: Source::Npm(&[("ai-sdk-provider-claude-code", "4.1.0"), ("ai", "7.0.160")]),
        driver: ("ai_sdk.mjs", include_str!("ai_sdk.mjs")),
        arguments: &[],
        duties: INTERACTIVE,
        script: None,
        native: None,
    },
    Host {
        name: "task-master-ai",
        version: "0.43.1",
        source: Source::Npm(&[("task-master-ai", "0.43.1")]),
        driver: ("task_master.mjs", include_str!("task_master.mjs")),
        arguments: &["{}/node_modules/.bin/task-master"],
        duties: &[Duty::Stream],
        script: None,
        native: None,
    },
    Host {
        name: "claude-codes",
        version: "2.1.316",
        source: Source::Crate { features: &["integration-tests"], tests: &["integration_tests"] },
        driver: ("own_tests.mjs", include_str!("own_tests.mjs")),
        arguments: &["{}/integration_tests"],
        duties: &[Duty::OwnTests],
        script: Some(include_str!("claude_codes.script")),
        native: None,
    },
    Host {
        name: "inspect-swe",
        version: "0.2.72",
        source: Source::PyPi(include_str!("locks/inspect-swe.txt")),
        driver: ("inspect_swe_driver.py", include_str!("inspect_swe_driver.py")),
        arguments: &[],
        duties: &[Duty::Stream, Duty::Permission, Duty::Resume],
        script: None,
        native: None,
    },
    Host {
        name: "ccusage",
        version: "20.0.24",
        source: Source::Npm(&[("ccusage", "20.0.24")]),
        driver: READER,
        arguments: &["ccusage", "{}/node_modules/.bin/ccusage"],
        duties: &[Duty::Transcripts],
        script: None,
        native: None,
    },
    Host {
        name: "claude-code-sdk",
        version: "0.0.25",
        source: Source::PyPi(include_str!("locks/claude-code-sdk.txt")),
        driver: ("claude_code_sdk_driver.py", include_str!("claude_code_sdk_driver.py")),
        arguments: &[],
        duties: &[Duty::Stream, Duty::Permission, Duty::Denial, Duty::Interrupt, Duty::Resume],
        script: None,
        native: None,
    },
    Host {
        name: "claude-code-sdk-ts",
        version: "0.3.3",
        source: Source::Npm(&[("@instantlyeasy/claude-code-sdk-ts", "0.3.3")]),
        driver: ("claude_code_sdk_ts.mjs", include_str!("claude_code_sdk_ts.mjs")),
        arguments: &[],
        duties: &[Duty::Stream, Duty::Permission, Duty::Denial, Duty::Interrupt, Duty::Resume],
        script: None,
        native: None,
    },
    Host {
        name: "claude-code-mcp",
        version: "1.10.12",
        source: Source::Npm(&[("@steipete/claude-code-mcp", "1.10.12")]),
        driver: ("claude_code_mcp.mjs", include_str!("claude_code_mcp.mjs")),
        arguments: &["{}/node_modules/@steipete/claude-code-mcp/dist/server.js"],
        duties: &[Duty::Stream, Duty::Permission],
        script: None,
        native: None,
    },
    Host {
        name: "llm-claude-code",
        version: "0.0.3",
        source: Source::PyPi(include_str!("locks/llm-claude-code.txt")),
        driver: ("llm_claude_code_driver.py", include_str!("llm_claude_code_driver.py")),
        arguments: &[],
        duties: &[Duty::Stream, Duty::Permission],
        script: None,
        native: None,
    },
    Host {
        name: "claude-code-transcripts",
        version: "0.6",
        source: Source::PyPi(include_str!("locks/claude-code-transcripts.txt")),
        driver: READER,
        arguments: &["claude-code-transcripts", "{}/bin/claude-code-transcripts"],
        duties: &[Duty::Transcripts],
        script: None,
        native: None,
    },
    Host {
        name: "claude-conversation-extractor",
        version: "1.1.2",
        source: Source::PyPi(include_str!("locks/claude-conversation-extractor.txt")),
        driver: READER,
        arguments: &["claude-conversation-extractor", "{}/bin/claude-extract"],
        duties: &[Duty::Transcripts],
        script: None,
        native: None,
    },
    Host {
        name: "claude-monitor",
        version: "4.0.0",
        source: Source::PyPi(include_str!("locks/claude-monitor.txt")),
        driver: READER,
        arguments: &["claude-monitor", "{}/bin/claude-monitor"],
        duties: &[Duty::Transcripts],
        script: None,
        native: None,
    },
    Host {
        name: "claude-code-log",
        version: "1.7.0",
        source: Source::PyPi(include_str!("locks/claude-code-log.txt")),
        driver: READER,
        arguments: &["claude-code-log", "{}/bin/claude-code-log"],
        duties: &[Duty::Transcripts],
        script: None,
        native: None,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_host_has_a_name_of_its_own_and_duties() {
        let names: BTreeSet<_> = HOSTS.iter().map(|host| host.name).collect();
        assert_eq!(names.len(), HOSTS.len());
        assert!(HOSTS.iter().all(|host| !host.duties.is_empty()));
    }

    #[test]
    fn every_requirement_is_exact_and_has_the_version_of_the_row() {
        for host in HOSTS {
            let Source::PyPi(lock) = host.source else { continue };
            assert!(lock.lines().all(|line| line.split_once("==").is_some()), "{}", host.name);
            let own = format!("{}=={}", host.name, host.version);
            assert!(lock.lines().any(|line| line.replace('_', "-") == own), "{own}");
        }
    }
}
