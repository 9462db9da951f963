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

/// Settings with a command that gives the key.
const HELPER: &str = "{\"apiKeyHelper\":\"echo key\"}";

/// An address without a listener.
const URL: &str = "http://127.0.0.1:1/mcp";

/// No key: the one that every session has is emptied.
const NO_KEY: (&str, &str) = ("ANTHROPIC_API_KEY", "");

pub(super) const CASES: [Case; 11] = [
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
        name: "mcp-invalid",
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
    Case {
        name: "auth-status-helper",
        files: &[],
        steps: &[
            prints(&["--settings", HELPER, "auth", "status"]),
            ends(&["--settings", HELPER, "auth", "status", "--text"]),
            with(&[NO_KEY], &["--settings", HELPER, "auth", "status"]),
            with(&[NO_KEY, ("ANTHROPIC_AUTH_TOKEN", "t")], &["--settings", HELPER, "auth", "status"]),
            with(&[NO_KEY, ("CLAUDE_CODE_OAUTH_TOKEN", "t")], &["--settings", HELPER, "auth", "status"]),
            with(&[("CLAUDE_CODE_USE_BEDROCK", "1"), NO_KEY], &["--settings", HELPER, "auth", "status"]),
            with(&[NO_KEY], &["--settings", "{\"apiKeyHelper\":\"\"}", "auth", "status"]),
            with(
                &[("CLAUDE_CODE_USE_BEDROCK", "1"), ("CLAUDE_CODE_SKIP_BEDROCK_AUTH", "1")],
                &["auth", "status", "--text"],
            ),
            with(
                &[("CLAUDE_CODE_USE_FOUNDRY", "1"), ("ANTHROPIC_FOUNDRY_RESOURCE", "r")],
                &["auth", "status", "--text"],
            ),
            ends(&["auth", "status", "--bogus"]),
        ],
    },
    Case {
        name: "mcp-oauth-options",
        files: &[],
        steps: &[
            prints(&["mcp", "add", "--client-id", "abc", "x", "--", "cmd"]),
            prints(&["mcp", "add", "--client-id", "abc", "-t", "http", "web", URL]),
            prints(&["mcp", "get", "web"]),
            prints(&["mcp", "add", "--client-id", "abc", "--client-secret", "-t", "http", "no", URL]),
            prints(&["mcp", "add", "--client-secret", "-t", "http", "id-less", URL]),
            prints(&["mcp", "add", "--callback-port", "8080", "-t", "http", "port", URL]),
            prints(&["mcp", "get", "port"]),
            prints(&["mcp", "add", "--callback-port", "abc", "-t", "http", "no", URL]),
            prints(&["mcp", "add", "--callback-port", "0", "-t", "http", "no", URL]),
            prints(&["mcp", "add", "--callback-port", "99999", "-t", "http", "no", URL]),
            prints(&["mcp", "add", "--client-id"]),
            prints(&["mcp", "add", "--client-id", "a", "-t", "sse", "old", URL, "--callback-port", "99"]),
            prints(&[
                "mcp",
                "add-json",
                "j",
                "{\"type\":\"http\",\"url\":\"http://127.0.0.1:1/\",\"oauth\":{\"clientId\":\"a\"}}",
            ]),
            prints(&["mcp", "get", "j"]),
            prints(&[
                "mcp",
                "add-json",
                "k",
                "--client-secret",
                "{\"type\":\"http\",\"url\":\"http://127.0.0.1:1/\",\"oauth\":{\"clientId\":\"a\"}}",
            ]),
        ],
    },
    Case {
        name: "mcp-shapes",
        files: &[],
        steps: &[
            prints(&["mcp", "add-json"]),
            prints(&["mcp", "add-json", "x"]),
            prints(&["mcp", "add-json", "x", "null"]),
            prints(&["mcp", "add-json", "x", "{}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":5}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":\"\"}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":\"a\",\"args\":\"b\"}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":\"a\",\"args\":[1]}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":\"a\",\"env\":[]}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":\"a\",\"env\":{\"A\":1}}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":\"a\",\"timeout\":\"x\"}"]),
            prints(&["mcp", "add-json", "x", "{\"type\":\"bogus\",\"command\":\"a\"}"]),
            prints(&["mcp", "add-json", "x", "{\"type\":null,\"command\":\"a\"}"]),
            prints(&["mcp", "add-json", "x", "{\"type\":\"http\",\"url\":5}"]),
            prints(&[
                "mcp",
                "add-json",
                "x",
                "{\"type\":\"http\",\"url\":\"http://a/\",\"headers\":{\"A\":1}}",
            ]),
            prints(&["mcp", "add-json", "x", "{\"type\":\"http\",\"url\":\"http://a/\",\"oauth\":5}"]),
            prints(&[
                "mcp",
                "add-json",
                "x",
                "{\"type\":\"sse-ide\",\"url\":\"http://a/\",\"ideName\":\"i\"}",
            ]),
            prints(&["mcp", "add-json", "bad.name", "{\"command\":\"a\"}"]),
            prints(&["mcp", "add-json", "x", "{\"command\":\"a\"}", "-s", "managed"]),
            prints(&[
                "mcp",
                "add-json",
                "plain",
                "{\"type\":\"streamable-http\",\"url\":\"http://127.0.0.1:1/\"}",
            ]),
            prints(&["mcp", "get", "plain"]),
            prints(&["mcp", "get"]),
            prints(&["mcp", "get", "none"]),
            prints(&["mcp", "get", "plain", "extra"]),
            prints(&["mcp", "remove"]),
            prints(&["mcp", "remove", "none", "-s", "bogus"]),
            prints(&["mcp", "remove", "plain", "-s", "dynamic"]),
            prints(&["mcp", "add", "-t", "ws", "x", "ws://127.0.0.1:1/"]),
            prints(&["mcp", "add", "-s", "LOCAL", "x", "cmd"]),
            prints(&["mcp", "add", "-t", "http", "x", URL, "-H", ": v"]),
            prints(&["mcp", "add", "w", "http://127.0.0.1:1/"]),
        ],
    },
    Case {
        name: "agents-arguments",
        files: &[],
        steps: &[
            prints(&["agents", "extra"]),
            prints(&["agents", "--json", "extra"]),
            prints(&["agents", "--all"]),
            prints(&["agents", "--cwd", "/tmp"]),
            prints(&["agents", "--json", "--cwd"]),
            prints(&["agents", "--json", "--cwd", "/none"]),
            prints(&["agents", "--setting-sources", "bogus"]),
            prints(&["agents", "--bogus"]),
        ],
    },
    Case {
        name: "plugin-arguments",
        files: &[
            ("none/x", ""),
            ("list/.claude-plugin/plugin.json", "[]"),
            ("number/.claude-plugin/plugin.json", "{\"name\":5}"),
            ("bare/.claude-plugin/plugin.json", "{\"name\":\"a\"}"),
            ("blank/.claude-plugin/plugin.json", "{\"name\":\"a b\"}"),
            ("path/.claude-plugin/plugin.json", "{\"name\":\"a\",\"commands\":\"../x\"}"),
        ],
        steps: &[
            ends(&["plugin", "list", "--bogus"]),
            ends(&["plugin", "list", "extra"]),
            ends(&["plugin", "validate"]),
            ends(&["plugin", "validate", "/none"]),
            prints(&["plugin", "validate", "none", "--json"]),
            prints(&["plugin", "validate", "list", "--json"]),
            ends(&["plugin", "validate", "number"]),
            ends(&["plugin", "validate", "bare"]),
            ends(&["plugin", "validate", "bare", "--strict"]),
            ends(&["plugin", "validate", "blank"]),
            ends(&["plugin", "validate", "path"]),
            ends(&["plugin", "marketplace"]),
            ends(&["plugin", "marketplace", "bogus"]),
            ends(&["plugin", "install"]),
            ends(&["plugin", "enable", "none"]),
        ],
    },
];
