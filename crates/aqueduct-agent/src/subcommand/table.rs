//! The table of subcommands: those that exist, and those that other agents of this kind have.

use super::command::{Subcommand, SubcommandAction};
use super::{
    agents, auth, config, doctor, mcp_add, mcp_add_json, mcp_list, mcp_login, mcp_remove, plugin,
    plugin_validate,
};

use SubcommandAction::{Group, Refuse, Run};

/// The option for where a server is configured.
const SCOPE: (&str, &str) =
    ("-s, --scope <scope>", "Configuration scope (local, user, or project) (default: \"local\")");

/// The option for a secret of OAuth.
const CLIENT_SECRET: (&str, &str) = (
    "--client-secret",
    "Read the OAuth client secret from MCP_CLIENT_SECRET (checked, not stored; `mcp login` reads the variable)",
);

const JSON: (&str, &str) = ("--json", "Output as JSON");

/// The option of `config` for the user's own settings.
const GLOBAL: (&str, &str) = ("-g, --global", "Use the user's settings instead of the project's");

const NO_LOGIN: &str = "this agent does not sign in to accounts. Set ANTHROPIC_API_KEY, or ANTHROPIC_AUTH_TOKEN and \
    ANTHROPIC_BASE_URL for a gateway";
const NO_UPDATE: &str = "this program does not install or update itself. Install another release of Aqueduct the way this one was installed";
const NO_BACKGROUND: &str = "this agent has no background sessions. `aqueduct serve` keeps sessions running";
const NO_CLOUD: &str = "it needs a hosted service that this agent does not use";
const NO_MARKETPLACE: &str = "this agent does not install plugins. Pass a plugin's folder with --plugin-dir";
const NO_EDITOR: &str = "it is for the extension of an editor. Edit the settings file instead";

/// Every name of a subcommand that is known.
pub(super) const COMMANDS: &[Subcommand] = &[
    Subcommand::new(&["agents"], "List the configured subagent types", Run(agents::list)).with(&[
        ("--all", "With --json: also include completed background sessions"),
        ("--cwd <path>", "With --json: only background sessions started under <path>"),
        ("--json", "Print active sessions as a JSON array and exit"),
        (
            "--setting-sources <sources>",
            "Comma-separated list of setting sources to load (user, project, local)",
        ),
    ]),
    Subcommand::new(&["auth"], "Manage authentication", Group(AUTH)),
    Subcommand::new(&["config"], "Read and change settings", Group(CONFIG)),
    Subcommand::new(
        &["doctor"],
        "Check the installation, the settings and the tools that are needed",
        Run(doctor::check),
    ),
    Subcommand::new(&["mcp"], "Configure and manage MCP servers", Group(MCP)),
    Subcommand::new(&["plugin", "plugins"], "List and check plugins", Group(PLUGIN)),
    refused(&["attach"], "Open a background session", NO_BACKGROUND),
    refused(&["auto-mode"], "Inspect or reset auto mode configuration", "this agent has no auto mode"),
    refused(&["daemon"], "Run the supervisor of background sessions", NO_BACKGROUND),
    refused(&["design-login"], "Sign in to a design service", NO_CLOUD),
    refused(&["edit-chrome-settings"], "Edit settings of a browser", NO_EDITOR),
    refused(&["edit-hook"], "Edit a hook", NO_EDITOR),
    refused(&["edit-memory-settings"], "Edit settings of the memory", NO_EDITOR),
    refused(&["edit-permission-rules"], "Edit permission rules", NO_EDITOR),
    refused(&["edit-sandbox-settings"], "Edit settings of the sandbox", NO_EDITOR),
    refused(&["edit-skill-overrides"], "Edit overrides of skills", NO_EDITOR),
    refused(&["gateway"], "Run a gateway for an organization", NO_CLOUD),
    refused(
        &["import"],
        "Import the configuration of another agent",
        "this agent does not read the configuration of other agents",
    ),
    refused(&["import-conversations"], "Import conversations", "this agent does not import conversations"),
    refused(&["install"], "Install another version", NO_UPDATE),
    refused(&["logs"], "Print the output of a background session", NO_BACKGROUND),
    refused(
        &["project"],
        "Manage the data of a project",
        "this agent does not delete transcripts. Remove their directory manually",
    ),
    refused(
        &["purge"],
        "Delete the data of a project",
        "this agent does not delete transcripts. Remove their directory manually",
    ),
    refused(
        &["remote-control", "rc"],
        "Control sessions from elsewhere",
        "it needs a hosted service. Use `aqueduct serve`",
    ),
    refused(&["respawn"], "Restart a background session", NO_BACKGROUND),
    refused(&["rm"], "Remove a background session", NO_BACKGROUND),
    refused(
        &["sandbox"],
        "Install the sandbox of another system",
        "the sandbox needs no installation here. Set `sandbox.enabled` in the settings",
    ),
    refused(&["setup-token"], "Set up a long-lived authentication token", NO_LOGIN),
    refused(&["stop", "kill"], "Stop a background session", NO_BACKGROUND),
    refused(&["ultrareview"], "Run a review in the cloud", NO_CLOUD),
    refused(&["update", "upgrade"], "Check for updates and install them", NO_UPDATE),
    refused(
        &["workspace-trust"],
        "Report whether the folder is trusted",
        "use `aqueduct trust` to see and change it",
    ),
    refused(&["worktree-hook"], "Run the hooks of a worktree", "it is for a desktop application"),
];

const fn refused(names: &'static [&'static str], about: &'static str, why: &'static str) -> Subcommand {
    Subcommand::new(names, about, Refuse(why))
}

const AUTH: &[Subcommand] = &[
    refused(&["login"], "Sign in to an account", NO_LOGIN),
    refused(
        &["logout"],
        "Log out from an account",
        "this agent stores no login. Unset ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN",
    ),
    Subcommand::new(&["status"], "Show authentication status", Run(auth::status))
        .with(&[("--json", "Output as JSON (default)"), ("--text", "Output as human-readable text")]),
];

const CONFIG: &[Subcommand] = &[
    Subcommand::new(&["add"], "Add values to a list in the settings", Run(config::add))
        .taking("<key> <values...>")
        .with(&[GLOBAL]),
    Subcommand::new(&["get"], "Print a setting as JSON", Run(config::get)).taking("<key>").with(&[GLOBAL]),
    Subcommand::new(&["list", "ls"], "Print all settings as JSON", Run(config::list)).with(&[GLOBAL]),
    Subcommand::new(&["remove", "rm"], "Remove a setting, or values from a list", Run(config::remove))
        .taking("<key> [values...]")
        .with(&[GLOBAL]),
    Subcommand::new(&["set"], "Change a setting; the value is JSON or a string", Run(config::set))
        .taking("<key> <value>")
        .with(&[GLOBAL]),
];

const MCP: &[Subcommand] = &[
    Subcommand::new(&["add"], "Add an MCP server", Run(mcp_add::add))
        .taking("<name> <commandOrUrl> [args...]")
        .with(&[
            ("--callback-port <port>", "Port for the OAuth callback of HTTP/SSE servers"),
            ("--client-id <clientId>", "OAuth client ID for HTTP/SSE servers"),
            CLIENT_SECRET,
            ("-e, --env <env...>", "Set environment variables (e.g. -e KEY=value)"),
            ("-H, --header <header...>", "Set headers for HTTP/SSE servers (e.g. -H \"X-Api-Key: abc123\")"),
            SCOPE,
            (
                "-t, --transport <transport>",
                "Transport type (stdio, sse, http). Defaults to stdio if not specified",
            ),
        ])
        .for_example(
            "Examples:\n  {program} mcp add --transport http docs https://mcp.example.com/mcp\n  \
             {program} mcp add my-server -e API_KEY=xxx -- node ./my-server.js --some-flag",
        ),
    refused(
        &["add-from-claude-desktop"],
        "Import MCP servers from another application",
        "Unsupported platform. Add the servers with `{program} mcp add-json`",
    ),
    Subcommand::new(&["add-json"], "Add an MCP server with a JSON string", Run(mcp_add_json::add_json))
        .taking("<name> <json>")
        .with(&[CLIENT_SECRET, SCOPE]),
    Subcommand::new(
        &["get"],
        "Show an MCP server and check its health, unless it waits for approval",
        Run(mcp_list::get),
    )
    .taking("<name>"),
    Subcommand::new(
        &["list"],
        "List MCP servers and check their health, unless they wait for approval",
        Run(mcp_list::list),
    )
    .with(&[JSON]),
    Subcommand::new(&["login"], "Sign in to an MCP server on the network", Run(mcp_login::login))
        .taking("<name>")
        .with(&[("--no-browser", "Only print the link")]),
    Subcommand::new(&["logout"], "Revoke and delete the sign-in to an MCP server", Run(mcp_login::logout))
        .taking("<name>"),
    Subcommand::new(&["remove"], "Remove an MCP server", Run(mcp_remove::remove)).taking("<name>").with(&[(
        "-s, --scope <scope>",
        "Configuration scope (local, user, or project); if not specified, whichever scope it exists in",
    )]),
    Subcommand::new(
        &["reset-project-choices"],
        "Reset all approved and rejected project-scoped (.mcp.json) servers within this project",
        Run(mcp_remove::reset),
    ),
    refused(
        &["serve"],
        "Start an MCP server with the agent's tools",
        "this agent does not act as an MCP \
        server",
    ),
];

const PLUGIN: &[Subcommand] = &[
    Subcommand::new(&["list"], "List installed plugins", Run(plugin::list))
        .with(&[("--available", "Include available plugins (requires --json)"), JSON]),
    Subcommand::new(&["marketplace"], "Manage marketplaces", Group(MARKETPLACE)),
    Subcommand::new(&["validate"], "Check a plugin's folder", Run(plugin_validate::validate))
        .taking("<path>")
        .with(&[JSON, ("--strict", "Count warnings as errors")]),
    refused(&["configure"], "Configure a plugin", NO_MARKETPLACE),
    refused(&["details"], "Show what a plugin contains", NO_MARKETPLACE),
    refused(&["disable"], "Disable a plugin", NO_MARKETPLACE),
    refused(&["enable"], "Enable a plugin", NO_MARKETPLACE),
    refused(&["eval"], "Evaluate a plugin", NO_MARKETPLACE),
    refused(&["init", "new"], "Create a plugin", NO_MARKETPLACE),
    refused(&["install", "i"], "Install a plugin", NO_MARKETPLACE),
    refused(&["prune", "autoremove"], "Remove dependencies that are not needed", NO_MARKETPLACE),
    refused(&["restore-set-aside"], "Restore options of a plugin", NO_MARKETPLACE),
    refused(&["tag"], "Tag a release of a plugin", NO_MARKETPLACE),
    refused(&["test"], "Run the tests of a plugin", NO_MARKETPLACE),
    refused(&["uninstall", "remove"], "Uninstall a plugin", NO_MARKETPLACE),
    refused(&["update"], "Update a plugin", NO_MARKETPLACE),
];

const MARKETPLACE: &[Subcommand] = &[
    Subcommand::new(&["list"], "List all configured marketplaces", Run(plugin::marketplaces)).with(&[JSON]),
    refused(&["add"], "Add a marketplace", NO_MARKETPLACE),
    refused(&["remove", "rm"], "Remove a marketplace", NO_MARKETPLACE),
    refused(&["update"], "Update marketplaces", NO_MARKETPLACE),
];
