//! Reports of slash commands about the session.

use aqueduct_tools::command::shell;
use aqueduct_wire::context_usage::{ContextCategory, ContextCategoryKind, ContextUsage};
use aqueduct_wire::system::InitMcpServer;
use jiff::Timestamp;

use super::Turn;
use crate::command::COMMANDS;
use crate::session::{AgentSession, PROTOCOL_VERSION};
use crate::transcript::Project;

/// How many conversations are listed.
const LISTED_SESSIONS: usize = 10;

/// The model's window, and how much of it is taken, in tokens.
struct ContextWindow {
    model: String,
    size: u64,
    used: u64,
}

impl Turn<'_> {
    /// What was spent.
    pub(super) fn cost_report(&self) -> String {
        let totals = self.session.usage.totals();
        let counts = totals.counts();
        format!(
            "Cost so far: ${:.4}\nTime in the model: {:.1} s\nTokens: {} in, {} out, {} read from the cache, {} written to it",
            totals.cost(),
            totals.api_time.as_secs_f64(),
            counts.input_tokens,
            counts.output_tokens,
            counts.cache_read,
            counts.cache_write(),
        )
    }

    /// How full the model's window is.
    pub(super) fn context_report(&self) -> String {
        let ContextWindow { model, size, used } = self.window();
        let percent = used.saturating_mul(100) / size.max(1);
        format!("Model: {model}\nContext: about {used} of {size} tokens ({percent} %)")
    }

    /// The same in figures.
    pub(super) fn context_figures(&self) -> ContextUsage<'static> {
        let ContextWindow { model, size, used } = self.window();
        let category = |name: &'static str, tokens: u64, kind: ContextCategoryKind<'static>| {
            let mut category = ContextCategory::new(name, tokens);
            category.kind = Some(kind);
            category
        };
        let mut figures = ContextUsage::new(model, used);
        figures.raw_max_tokens = Some(size.into());
        figures.percentage = Some((used.saturating_mul(100) / size.max(1)).into());
        figures.categories = Some(vec![
            category("Messages", used, ContextCategoryKind::Used),
            category("Free space", size.saturating_sub(used), ContextCategoryKind::Free),
        ]);
        figures.mcp_tools = Some(Vec::new());
        figures.memory_files = Some(Vec::new());
        figures.agents = Some(Vec::new());
        figures
    }

    fn window(&self) -> ContextWindow {
        let model = self.session.model();
        let size = self.session.window_of(&model);
        let used = self.dialogue.window_tokens.max(self.dialogue.history.estimated_tokens());
        ContextWindow { model, size, used }
    }
}

impl AgentSession {
    /// The commands there are.
    pub(super) fn help_report(&self) -> String {
        let line = |name: &str, hint: &str, description: &str| {
            let called = if hint.is_empty() { format!("/{name}") } else { format!("/{name} {hint}") };
            format!("{called}: {description}")
        };
        let mut lines: Vec<String> = COMMANDS
            .iter()
            .map(|command| line(command.name, command.argument_hint, command.description))
            .collect();
        let custom_commands = self.command_catalog.custom_commands();
        let own = custom_commands.iter().filter(|custom_command| custom_command.is_for_users);
        let own: Vec<String> = own
            .map(|custom_command| {
                line(&custom_command.name, &custom_command.argument_hint, &custom_command.description)
            })
            .collect();
        if !own.is_empty() {
            lines.push("\nOf the user and the project:".to_owned());
            lines.extend(own);
        }
        lines.join("\n")
    }

    /// The status of the session.
    pub(super) fn status_report(&self) -> String {
        let title = self.title.get();
        let folders: Vec<String> =
            self.tool_context.workspace.directories().iter().map(|path| path.display().to_string()).collect();
        let mut lines = vec![
            format!("Version: {PROTOCOL_VERSION} (Aqueduct {})", env!("CARGO_PKG_VERSION")),
            format!("Session: {}", self.id()),
            format!("Model: {}", self.model()),
            format!("Key: {}", self.models.key_source()),
            format!("Permission mode: {}", self.permissions.mode().name()),
            format!("Working directory: {}", self.tool_context.workspace.cwd().display()),
        ];
        lines.push(format!("Sandbox: {}", self.tool_context.commands.sandbox.in_short()));
        lines.extend(title.map(|title| format!("Title: {title}")));
        if !folders.is_empty() {
            lines.push(format!("Additional directories: {}", folders.join(", ")));
        }
        lines.push(format!("Memory files: {}", self.briefing.memory_files().len()));
        lines.push(format!("Hooks from settings: {}", self.configuration().hooks().count()));
        lines.push(format!(
            "Commands and skills of user and project: {}",
            self.command_catalog.custom_commands().len()
        ));
        lines.join("\n")
    }

    /// The settings, and where they come from.
    pub(super) fn config_report(&self) -> String {
        let scopes = self.configuration().in_short(&self.environment);
        let lines: Vec<String> = scopes
            .into_iter()
            .map(|(place, names)| match names.is_empty() {
                true => format!("{place}: nothing"),
                false => format!("{place}: {}", names.join(", ")),
            })
            .collect();
        match lines.is_empty() {
            true => "There are no settings.".to_owned(),
            false => {
                format!(
                    "Settings, in order of increasing precedence. Change them in their files.\n{}",
                    lines.join("\n")
                )
            }
        }
    }

    /// The permission rules.
    pub(super) fn permissions_report(&self) -> String {
        let rules = self.permissions.rules();
        let mut lines = vec![format!("Mode: {}", rules.mode().name())];
        for entry in rules.rules() {
            let withheld = entry.withheld.map(|why| format!("; ignored: {why}")).unwrap_or_default();
            lines.push(format!(
                "{} {} ({}{withheld})",
                entry.behavior.name(),
                entry.text,
                entry.source.name()
            ));
        }
        for directory in rules.directories() {
            lines.push(format!("folder {} ({})", directory.path, directory.source.name()));
        }
        lines.push(
            "Change them in settings files, or with what the host answers when it is asked.".to_owned(),
        );
        lines.join("\n")
    }

    /// The memory files.
    pub(super) fn memory_report(&self) -> String {
        let files = self.briefing.memory_files();
        if files.is_empty() {
            return "There are no memory files. Write a CLAUDE.md, or create one with /init.".to_owned();
        }
        let line =
            |file: &crate::memory::MemoryFile| format!("{} ({} bytes)", file.path.display(), file.text.len());
        let lines: Vec<String> = files.iter().map(line).collect();
        format!(
            "Memory files, in order of increasing precedence. Edit them with any editor; they are read when \
             a session starts.\n{}",
            lines.join("\n")
        )
    }

    /// Conversations that can be resumed.
    pub(super) fn resume_report(&self) -> String {
        let project = Project::of(&self.environment.config, &self.environment.cwd);
        let here = self.id();
        let others = project.sessions().into_iter().filter(|found| found.session_id != here);
        let lines: Vec<String> = others
            .take(LISTED_SESSIONS)
            .map(|found| {
                let time =
                    Timestamp::try_from(found.modified).map(|time| format!("{time:.0}")).unwrap_or_default();
                format!("{}  {time}", found.session_id)
            })
            .collect();
        match lines.is_empty() {
            true => "There is no other conversation in this directory.".to_owned(),
            false => format!(
                "Resume a conversation at the start with --resume ID, or the most recent one with \
                 --continue.\n{}",
                lines.join("\n")
            ),
        }
    }

    /// Problems with the configuration.
    pub(super) fn doctor_report(&self) -> String {
        let files = self.command_catalog.diagnostics().into_iter();
        let files = files.chain(self.subagent_registry.diagnostics());
        let all = self.warnings.at_start().iter().cloned().chain(files);
        let mut wrong: Vec<String> = all.map(|diagnostic| diagnostic.for_stderr()).collect();
        if !self.models.has_credentials() && self.environment.variable("ANTHROPIC_BASE_URL").is_none() {
            wrong.push(
                "No API key is set: the scripted model answers. Set ANTHROPIC_API_KEY to use another model."
                    .to_owned(),
            );
        }
        let shell = shell::program(&self.environment);
        if !shell.is_file() {
            wrong.push(format!("The shell {} does not exist: commands can't run.", shell.display()));
        }
        if !self.environment.search_path().any(|folder| folder.join("git").is_file()) {
            wrong.push(
                "git is not on the PATH: the model gets no information about the repository.".to_owned(),
            );
        }
        match wrong.is_empty() {
            true => "No problems found.".to_owned(),
            false => wrong.join("\n"),
        }
    }

    /// The MCP servers.
    pub(super) fn mcp_report(&self) -> String {
        let servers = self.tool_context.mcp.in_short();
        let line = |server: &InitMcpServer<'_>| {
            let status = server.status.as_ref().map_or("unknown", |status| status.as_str());
            format!("{}: {status}", server.name)
        };
        let lines: Vec<String> = servers.iter().map(line).collect();
        match lines.is_empty() {
            true => "There are no MCP servers.".to_owned(),
            false => format!(
                "MCP servers. Configuration files define them; the host connects, reconnects and disables \
                 them.\n{}",
                lines.join("\n")
            ),
        }
    }
}
