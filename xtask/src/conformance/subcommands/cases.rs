//! The command lines that are compared.

/// Command lines that follow one another in one home and one project.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// Files of the project.
    pub(super) files: &'static [(&'static str, &'static str)],
    pub(super) steps: &'static [Step],
}

/// One command line.
pub(super) struct Step {
    pub(super) arguments: &'static [&'static str],
    pub(super) variables: &'static [(&'static str, &'static str)],
    pub(super) holds: Holds,
}

/// What must be the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// The exit code: the words are each program's own.
    Code,
    /// The exit code and stdout.
    Output,
}

const fn prints(arguments: &'static [&'static str]) -> Step {
    Step { arguments, variables: &[], holds: Holds::Output }
}

const fn with(
    variables: &'static [(&'static str, &'static str)],
    arguments: &'static [&'static str],
) -> Step {
    Step { arguments, variables, holds: Holds::Output }
}

const fn ends(arguments: &'static [&'static str]) -> Step {
    Step { arguments, variables: &[], holds: Holds::Code }
}

/// No key: the one that every session has is emptied.
const NO_KEY: (&str, &str) = ("ANTHROPIC_API_KEY", "");

pub(super) const CASES: [Case; 6] = [
    Case {
        name: "auth-status",
        files: &[],
        steps: &[
            prints(&["auth", "status"]),
            prints(&["auth", "status", "--json"]),
            prints(&["auth", "status", "extra"]),
            with(&[NO_KEY], &["auth", "status"]),
            with(&[NO_KEY, ("ANTHROPIC_AUTH_TOKEN", "t")], &["auth", "status"]),
            with(&[NO_KEY, ("CLAUDE_CODE_OAUTH_TOKEN", "t")], &["auth", "status"]),
            with(&[("ANTHROPIC_AUTH_TOKEN", "t")], &["auth", "status"]),
            with(&[("CLAUDE_CODE_OAUTH_TOKEN", "t")], &["auth", "status"]),
            with(&[("CLAUDE_CODE_USE_BEDROCK", "1"), NO_KEY], &["auth", "status"]),
            with(&[("CLAUDE_CODE_USE_VERTEX", "1"), NO_KEY], &["auth", "status"]),
            with(&[("CLAUDE_CODE_USE_FOUNDRY", "1"), NO_KEY], &["auth", "status"]),
            with(&[("CLAUDE_CODE_USE_BEDROCK", "1")], &["auth", "status", "--text"]),
            with(&[("CLAUDE_CODE_USE_VERTEX", "1")], &["auth", "status", "--text"]),
        ],
    },
    Case {
        name: "mcp-servers",
        files: &[],
        steps: &[
            prints(&["mcp", "list"]),
            prints(&["mcp", "add", "one", "-e", "A=b", "C=d=e", "--", "/no/such", "--flag", "a b"]),
            prints(&["mcp", "add", "one", "--", "x"]),
            prints(&["mcp", "add", "-s", "user", "mine", "/no/such"]),
            prints(&[
                "mcp",
                "add",
                "-t",
                "http",
                "web",
                "http://127.0.0.1:1/mcp",
                "-H",
                "X-Key: k",
                "-H",
                "Y: z",
            ]),
            prints(&["mcp", "add", "-t", "http", "secret", "http://ada:pass@127.0.0.1:1/mcp/?key=k#f"]),
            prints(&["mcp", "add", "--transport=sse", "old", "http://127.0.0.1:1/sse"]),
            prints(&["mcp", "add", "--scope", "project", "ours", "--", "/no/such"]),
            prints(&[
                "mcp",
                "add-json",
                "text",
                "{\"type\":\"stdio\",\"command\":\"/no/such\",\"args\":[\"${KEY}\"],\"env\":{\"A\":\"b\"}}",
            ]),
            prints(&["mcp", "list"]),
            prints(&["mcp", "get", "one"]),
            prints(&["mcp", "get", "mine"]),
            prints(&["mcp", "get", "web"]),
            prints(&["mcp", "get", "ours"]),
            prints(&["mcp", "get", "text"]),
            prints(&["mcp", "get", "none"]),
            prints(&["mcp", "add", "-s", "user", "one", "--", "x"]),
            prints(&["mcp", "remove", "one"]),
            prints(&["mcp", "remove", "one", "-s", "user"]),
            prints(&["mcp", "remove", "one"]),
            prints(&["mcp", "remove", "ours", "-s", "local"]),
            prints(&["mcp", "remove", "ours"]),
            ends(&["mcp", "reset-project-choices"]),
        ],
    },
    Case {
        name: "mcp-mistakes",
        files: &[],
        steps: &[
            prints(&["mcp", "add"]),
            prints(&["mcp", "add", "x"]),
            prints(&["mcp", "add", "bad.name", "--", "x"]),
            prints(&["mcp", "add", "workspace", "--", "x"]),
            prints(&["mcp", "add", "x", "-e", "NOEQ", "--", "x"]),
            prints(&["mcp", "add", "-t", "bogus", "x", "y"]),
            prints(&["mcp", "add", "-s", "bogus", "x", "y"]),
            prints(&["mcp", "add", "x", "npx", "-y", "z"]),
            prints(&["mcp", "add", "-t", "http", "x", "http://127.0.0.1:1/", "-H", "nocolon"]),
            prints(&["mcp", "add-json", "x", "{bad"]),
            prints(&["mcp", "add-json", "x", "[]"]),
            prints(&["mcp", "add-json", "x", "{\"type\":\"http\"}"]),
            prints(&["mcp", "add-json", "x", "{\"type\":\"sdk\",\"name\":\"x\"}"]),
            prints(&["mcp", "remove", "none"]),
            prints(&["mcp", "remove", "none", "-s", "user"]),
            prints(&["mcp", "list", "--bogus"]),
            prints(&["mcp", "bogus"]),
            prints(&["mcp"]),
        ],
    },
    Case {
        name: "mcp-unapproved",
        files: &[(
            ".mcp.json",
            "{\"mcpServers\":{\"trap\":{\"command\":\"/bin/sh\",\"args\":[\"-c\",\"touch sprung\"]}}}",
        )],
        steps: &[prints(&["mcp", "list"]), prints(&["mcp", "get", "trap"])],
    },
    Case {
        name: "broken-project-file",
        files: &[(".mcp.json", "{bad")],
        steps: &[
            prints(&["mcp", "add", "-s", "project", "x", "--", "y"]),
            prints(&["mcp", "remove", "-s", "project", "x"]),
        ],
    },
    Case {
        name: "names",
        files: &[],
        steps: &[
            ends(&["mcp", "--help"]),
            ends(&["mcp", "help", "add"]),
            ends(&["mcp", "help", "bogus"]),
            ends(&["auth"]),
            ends(&["auth", "bogus"]),
            ends(&["plugin", "bogus"]),
            ends(&["doctor"]),
            ends(&["--", "doctor"]),
            ends(&["--model", "sonnet", "doctor"]),
            ends(&["doctor", "--bogus"]),
            ends(&["docter"]),
            ends(&["--bogus", "mcp", "list"]),
            ends(&["logs"]),
            ends(&["stop", "x"]),
            prints(&["agents", "--json"]),
            prints(&["plugin", "list", "--json"]),
            prints(&["plugin", "list", "--json", "--available"]),
            prints(&["plugin", "marketplace", "list", "--json"]),
            ends(&["plugin", "install", "x"]),
            ends(&["plugin", "validate", "."]),
        ],
    },
];
