//! The start of a session: settings, permissions, and the conversation that it resumes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use aqueduct_mcp::{Mcp, McpFiles};
use aqueduct_model::Scripted;
use aqueduct_rules::{Context, Mode};
use aqueduct_sandbox::{Sandbox, SandboxEnvironment, SandboxPolicy};
use aqueduct_tools::checkpoint::Checkpoints;
use aqueduct_tools::subagent::SubagentTask;
use aqueduct_tools::web::WebContext;
use aqueduct_tools::worktree::WorktreeSettings;
use aqueduct_tools::{
    AnswerForm, CommandContext, DeferredTools, FileContext, Lists, Notice, Skills, Subagents, ToolContext,
    ToolWorkspace,
};
use aqueduct_wire::hook::SessionStartSource;
use aqueduct_wire::json::Raw;
use tokio::sync::mpsc;

use super::briefing::Briefing;
use super::conversation::ConversationState;
use super::effort::unknown_level;
use super::host_options::HostOptions;
use super::model_choice::ModelChoice;
use super::permissions::Permissions;
use super::queue::WaitingPrompts;
use super::run_state::RunState;
use super::start_error::StartError;
use super::tasks::BackgroundTasks;
use super::title::Title;
use super::usage::ConversationUsage;
use super::warnings::Warnings;
use super::worktree::{self, StartWorktree};
use super::{
    AgentSession, AvailableModels, Dialogue, PROTOCOL_VERSION, Totals, UnansweredCalls, UnfinishedTask,
    asks_host, recall,
};
use crate::clock::fresh_uuid;
use crate::configuration::{Configuration, MANAGED_SETTINGS, SettingsSources, StartOptions};
use crate::custom_command::{CatalogSources, CommandCatalog};
use crate::diagnostic::Diagnostic;
use crate::environment::Environment;
use crate::hook::{HookPlace, Hooks, WorktreeHookSet};
use crate::hook_config::of_plugins;
use crate::host::HostChannel;
use crate::key_helper::KEY_HELPER;
use crate::mcp_config::{ConfiguredServers, MANAGED_SERVERS, ServerConfigSources, sign_ins_folder};
use crate::mcp_host::McpSessionHost;
use crate::memory::{MANAGED_MEMORY, Memory, MemorySources};
use crate::options::{AgentOptions, InputFormat, split_list};
use crate::outbox::Outbox;
use crate::output_style::{OutputStyles, StyleSources};
use crate::plugin::Plugins;
use crate::prompt;
use crate::subagent::{DefinitionSource, SubagentRegistry, SubagentSources};
use crate::trace;
use crate::transcript::{Conversation, LineStamp, Mirror, Project, TranscriptWriter, check_dropped};
use crate::trust::{self, TrustPlaces, UntrustedReport};

/// The variable with which SDKs enable checkpoints. They are on unless it disables them.
const CHECKPOINTS: &str = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";

/// A session that is ready for its first prompt.
pub(crate) struct StartedSession {
    /// The session.
    pub(crate) session: AgentSession,
    /// The conversation.
    pub(crate) dialogue: Dialogue,
    /// Warnings for stderr and the host.
    pub(crate) warnings: Vec<Diagnostic>,
    /// What of the folder is not in effect without trust, a line each for stderr.
    pub(crate) withheld: Vec<String>,
    /// How it starts.
    pub(crate) source: SessionStartSource<'static>,
    /// Background tasks of an earlier process whose end the conversation does not know.
    pub(crate) unfinished: Vec<UnfinishedTask>,
}

/// The channels from tools to the session's loop.
pub(crate) struct ToolChannels {
    /// For notices.
    pub(crate) notices: mpsc::Sender<Notice>,
    /// For subagents that are to be started.
    pub(crate) subagent_tasks: mpsc::Sender<SubagentTask>,
}

/// Starts a session.
pub(crate) async fn start(
    mut environment: Environment,
    mut options: AgentOptions,
    outbox: Outbox,
    channels: ToolChannels,
) -> Result<StartedSession, StartError> {
    let mut warnings = Vec::new();
    let configured = configure(&mut environment, &mut options, &outbox, &channels, &mut warnings).await?;
    let mut opened = open_conversation(&environment, &options, &configured.entered, &mut warnings)?;
    let models = choose_models(&environment, &options, &configured.configuration, &mut warnings)?;
    let memory = Memory::read(&environment, &memory_sources(&options, &configured.directories));
    warnings.extend(memory.warnings.iter().cloned());
    let environment = Arc::new(environment);
    let host = Arc::new(HostChannel::new(outbox.clone()));
    let mut start = SessionStarter { environment: &environment, options: &options, warnings: &mut warnings };
    let mcp = start.connect_servers(&configured, &host, &channels).await?;
    let Catalogs { commands, subagents, styles } = start.read_catalogs(&configured)?;
    let briefing = Briefing::begin(&environment, memory, styles);
    let id = opened.stamp.session_id.clone();
    let checkpoints = start.open_checkpoints(&id);
    let sandbox = start.open_sandbox(&id, configured.sandbox)?;
    let directories = configured.directories;
    let (command_catalog, subagent_registry) = (Arc::new(commands), Arc::new(subagents));
    let (commands, subagents) = (command_catalog.clone(), subagent_registry.clone());
    let parts = ToolParts { id, checkpoints, sandbox, directories, mcp, commands, subagents };
    let tool_context = start.tool_context(parts, channels);
    let source = start.source(&opened.conversation);
    recall::tools(&opened.conversation, &tool_context);
    let unanswered = UnansweredCalls::of(&opened.conversation.entries);
    let unfinished = UnfinishedTask::of(&opened.conversation.entries);
    let history = recall::history(std::mem::take(&mut opened.conversation.entries));
    let Conversation { title, model, cost, known, .. } = std::mem::take(&mut opened.conversation);
    let resumed = model.and_then(|by| models.resumed(by, &options, &environment));
    let totals = cost.as_ref().map(Totals::from_line).unwrap_or_default();
    let usage = ConversationUsage::new(totals, history.estimated_tokens());
    let mut dialogue = Dialogue::new(history, opened.transcript);
    dialogue.unanswered = unanswered;
    trace::session_started(&opened.stamp.session_id, env!("CARGO_PKG_VERSION"));
    let reported =
        start.warnings(configured.withheld.summary, &tool_context.mcp, &command_catalog, &subagent_registry);
    let session = AgentSession {
        model_choice: ModelChoice::new(options.model.clone(), resumed),
        usage,
        conversation: ConversationState::new(opened.stamp.session_id.clone(), known),
        title: Title::new(opened.name.or(title)),
        prompts: WaitingPrompts::default(),
        run: RunState::default(),
        host_options: HostOptions::new(opened.form),
        background_tasks: BackgroundTasks::default(),
        warnings: reported,
        environment,
        options,
        configuration: Mutex::new(configured.configuration),
        trust: configured.trust_places,
        host,
        hooks: Hooks::default(),
        outbox,
        tool_context,
        command_catalog,
        subagent_registry,
        models,
        briefing,
        plugins: configured.plugins,
        permissions: Permissions::new(configured.rules),
        stamp: opened.stamp,
        mirror: opened.mirror,
    };
    Ok(StartedSession {
        session,
        dialogue,
        warnings,
        withheld: configured.withheld.lines,
        source,
        unfinished,
    })
}

/// The result of settings, plugins, trust and the command line.
struct Configured {
    configuration: Configuration,
    trust_places: TrustPlaces,
    /// What is not in effect without trust.
    withheld: UntrustedReport,
    plugins: Plugins,
    entered: StartWorktree,
    rules: Context,
    sandbox: SandboxPolicy,
    /// The folders beside the project.
    directories: Vec<PathBuf>,
}

/// Reads settings and plugins, enters the worktree, and makes the permission rules.
async fn configure(
    environment: &mut Environment,
    options: &mut AgentOptions,
    outbox: &Outbox,
    channels: &ToolChannels,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Configured, StartError> {
    let sources = options.setting_sources.as_ref().map(|names| names.join(","));
    let mut configuration = Configuration::read(
        environment,
        SettingsSources {
            managed: Path::new(MANAGED_SETTINGS),
            settings: options.settings.as_deref(),
            given_policy: options.managed_settings.as_deref(),
            setting_sources: sources.as_deref(),
        },
    )?;
    warnings.extend_from_slice(configuration.warnings());
    // Before the variables of settings are set.
    let trust_places = TrustPlaces::of(environment);
    let withheld = trust::settle(environment, &mut configuration, options.trust_workspace);
    let plugins = Plugins::read(environment, &options.plugins, &options.plugins_without_mcp);
    warnings.extend(plugins.diagnostics());
    let hooks = of_plugins(&plugins.all);
    warnings.extend(hooks.diagnostics.iter().cloned());
    configuration.add_plugins(hooks);
    environment.extend(configuration.variables());
    read_prompt_files(options, environment)?;
    let entered = enter(environment, options, &configuration, outbox, channels).await?;
    warnings.extend(entered.notice.clone());

    let rules = configuration.rules(environment, &start_options(options)?)?;
    let mut sandbox = configuration.sandbox(environment);
    sandbox.add_rules(&rules, &SandboxEnvironment::from(&*environment));
    let directories = rules.directories().iter().map(|directory| directory.path.clone().into()).collect();
    Ok(Configured { configuration, trust_places, withheld, plugins, entered, rules, sandbox, directories })
}

/// The conversation, resumed or new, and its file.
struct OpenedConversation {
    transcript: TranscriptWriter,
    conversation: Conversation,
    form: Option<Arc<AnswerForm>>,
    mirror: Option<Mirror>,
    name: Option<String>,
    stamp: LineStamp,
}

/// Opens the conversation, and writes to its file what is known of it from the beginning.
fn open_conversation(
    environment: &Environment,
    options: &AgentOptions,
    entered: &StartWorktree,
    warnings: &mut Vec<Diagnostic>,
) -> Result<OpenedConversation, StartError> {
    let project = entered.project.clone();
    let project = project.unwrap_or_else(|| Project::of(&environment.config, &environment.cwd));
    let (mut transcript, conversation) = open(environment, options, &project)?;
    if conversation.bad_lines > 0 {
        let count = conversation.bad_lines;
        let what = Diagnostic::warning(format!("{count} lines of the session's file can't be read"));
        warnings.push(what.clause("they were passed over"));
    }
    let form = options.json_schema.as_deref().map(AnswerForm::new).transpose().map_err(StartError::Form)?;
    let mirror = options.session_mirror.then(Mirror::default);
    if let Some(mirror) = &mirror {
        transcript.mirror_to(mirror.clone(), options.fork).map_err(StartError::Session)?;
    }
    let name = options.name.clone().filter(|name| !name.trim().is_empty());
    if let Some(name) = &name {
        transcript.name(name).map_err(StartError::Session)?;
    }
    let stamp = transcript.stamp().clone();
    if let Some(worktree) = &entered.worktree {
        let state = worktree.state(&entered.from, prompt::branch(&entered.from), &stamp.session_id);
        transcript.other(&Raw::from(&state)).map_err(StartError::Session)?;
    }
    Ok(OpenedConversation { transcript, conversation, form: form.map(Arc::new), mirror, name, stamp })
}

/// The models, and what is wrong with how they are asked for.
fn choose_models(
    environment: &Environment,
    options: &AgentOptions,
    configuration: &Configuration,
    warnings: &mut Vec<Diagnostic>,
) -> Result<AvailableModels, StartError> {
    let (usual, helper) = (configuration.text("model"), configuration.text(KEY_HELPER));
    let models = AvailableModels::new(environment, usual, helper, scripted(environment)?)?;
    let levels = [
        ("--effort", options.effort.as_deref()),
        ("CLAUDE_CODE_EFFORT_LEVEL", environment.variable("CLAUDE_CODE_EFFORT_LEVEL")),
    ];
    warnings.extend(levels.into_iter().filter_map(|(place, level)| unknown_level(place, level)));
    Ok(models)
}

/// Commands, skills, subagents and output styles of user, project and plugins.
struct Catalogs {
    commands: CommandCatalog,
    subagents: SubagentRegistry,
    styles: OutputStyles,
}

/// What differs between the tool contexts of two sessions.
struct ToolParts {
    id: String,
    checkpoints: Checkpoints,
    sandbox: Sandbox,
    directories: Vec<PathBuf>,
    mcp: Mcp,
    commands: Arc<CommandCatalog>,
    subagents: Arc<SubagentRegistry>,
}

/// A start whose environment and options are settled.
struct SessionStarter<'s> {
    environment: &'s Arc<Environment>,
    options: &'s AgentOptions,
    warnings: &'s mut Vec<Diagnostic>,
}

impl SessionStarter<'_> {
    /// Reads which MCP servers are configured, and begins to connect to them.
    async fn connect_servers(
        &mut self,
        configured: &Configured,
        host: &Arc<HostChannel>,
        channels: &ToolChannels,
    ) -> Result<Mcp, StartError> {
        let mut servers = ConfiguredServers::read(ServerConfigSources {
            environment: self.environment,
            settings: configured.configuration.servers(),
            managed: Path::new(MANAGED_SERVERS),
            given: &self.options.mcp_config,
            plugins: &configured.plugins.all,
            is_strict: self.options.strict_mcp_config,
        })?;
        self.warnings.append(&mut servers.warnings);
        let project = Project::of(&self.environment.config, &self.environment.cwd);
        let approvals = (!self.options.unsaved).then(|| project.folder().join("mcp-approvals.json"));
        let mcp = Mcp::new(
            self.environment.clone(),
            Arc::new(McpSessionHost::new(host.clone(), channels.notices.clone())),
            self.options.input == InputFormat::StreamJson,
            super::proxy(self.environment),
            McpFiles { approvals, sign_ins: Some(sign_ins_folder(self.environment)) },
        );
        mcp.add(servers.servers, &servers.off).await;
        Ok(mcp)
    }

    /// Reads commands, skills, subagents and output styles.
    fn read_catalogs(&mut self, configured: &Configured) -> Result<Catalogs, StartError> {
        let (environment, options) = (self.environment, self.options);
        let (directories, plugins) = (&configured.directories, &configured.plugins.all);
        let commands = match options.no_commands {
            true => CommandCatalog::default(),
            false => CommandCatalog::read(environment, catalog_sources(options), directories, plugins),
        };
        let (user, project) = (counts(options, "user"), counts(options, "project"));
        let subagents =
            SubagentRegistry::read(environment, SubagentSources { user, project }, directories, plugins);
        let styles = OutputStyles::read(environment, StyleSources { user, project });
        self.warnings.extend(styles.diagnostics.iter().cloned());
        if let Some(agents) = &options.agents {
            self.warnings.extend(subagents.take_in(DefinitionSource::Flag, agents));
        }
        let configuration = &configured.configuration;
        self.warnings.extend(unknown_names(environment, configuration, &styles, &subagents, options));
        // Behind a host it may still come, with the first request.
        let listens = options.input == InputFormat::StreamJson;
        if let Some(name) = options.agent.as_ref().filter(|name| !listens && subagents.find(name).is_none()) {
            let all: Vec<String> = subagents.all().iter().map(|agent| agent.name.clone()).collect();
            return Err(StartError::Agent { name: name.clone(), all: all.join(", ") });
        }
        Ok(Catalogs { commands, subagents, styles })
    }

    /// The checkpoints of a session's files, unless they are not wanted or can't be kept.
    fn open_checkpoints(&mut self, id: &str) -> Checkpoints {
        if self.options.unsaved || self.environment.denies(CHECKPOINTS) {
            return Checkpoints::off();
        }
        let folder = self.environment.config.join("file-history").join(id);
        Checkpoints::open(folder).unwrap_or_else(|error| {
            let what = format!("files can't be taken back to what they were: {error}");
            self.warnings.push(Diagnostic::problem(what));
            Checkpoints::off()
        })
    }

    /// The sandbox of commands. Settings may let no command run without it.
    fn open_sandbox(&mut self, id: &str, policy: SandboxPolicy) -> Result<Sandbox, StartError> {
        let sandbox = Sandbox::new(SandboxEnvironment::from(&**self.environment), &self.spool(id), policy);
        if let Some(why) = sandbox.unavailable().filter(|_| sandbox.policy().required) {
            return Err(StartError::Sandbox(why));
        }
        let reports = sandbox.watch().recover().into_iter();
        self.warnings.extend(reports.chain(sandbox.warnings()).map(Diagnostic::warning));
        Ok(sandbox)
    }

    /// The folder of a session for output that is not shown to the model.
    fn spool(&self, id: &str) -> PathBuf {
        self.environment.temporary.join(format!("aqueduct-{id}"))
    }

    fn tool_context(&self, parts: ToolParts, channels: ToolChannels) -> ToolContext {
        let (environment, id) = (self.environment, &parts.id);
        let project = Project::of(&environment.config, &environment.cwd);
        let sidechains = (!self.options.unsaved).then(|| project.sidechains(id));
        let plan = environment.config.join("plans").join(format!("{id}.md"));
        ToolContext {
            environment: environment.clone(),
            workspace: ToolWorkspace::new(environment.cwd.clone(), parts.directories),
            files: FileContext::new(parts.checkpoints, plan),
            commands: CommandContext::new(parts.sandbox, self.spool(id), channels.notices),
            lists: Lists::default(),
            subagents: Subagents::new(parts.subagents, channels.subagent_tasks, sidechains),
            skills: Skills::new(parts.commands),
            mcp: Arc::new(parts.mcp),
            deferred: DeferredTools::default(),
            web: WebContext::default(),
        }
    }

    /// How the session begins, for hooks.
    fn source(&self, conversation: &Conversation) -> SessionStartSource<'static> {
        let continues = self.options.continue_newest && !conversation.entries.is_empty();
        match (&self.options.resume, continues) {
            (None, false) => SessionStartSource::Startup,
            _ if self.options.fork => SessionStartSource::Fork,
            _ => SessionStartSource::Resume,
        }
    }

    /// Completes the warnings with those of MCP servers, commands and subagents, and keeps them for the host.
    fn warnings(
        &mut self,
        untrusted: Vec<Diagnostic>,
        mcp: &Mcp,
        command_catalog: &CommandCatalog,
        subagent_registry: &SubagentRegistry,
    ) -> Warnings {
        if !asks_host(self.options) {
            let unapproved = mcp.unapproved();
            self.warnings.extend(unapproved.into_iter().map(Diagnostic::warning));
        }
        let at_start = [self.warnings.as_slice(), &untrusted].concat();
        self.warnings.extend(command_catalog.diagnostics());
        self.warnings.extend(subagent_registry.diagnostics());
        self.warnings.extend(untrusted.iter().cloned());
        Warnings::new(at_start, untrusted, self.warnings.clone())
    }
}

/// Names on the command line and in settings that nothing has.
fn unknown_names(
    environment: &Environment,
    configuration: &Configuration,
    styles: &OutputStyles,
    subagent_registry: &SubagentRegistry,
    options: &AgentOptions,
) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    let mut set = |key: &str, is_known: &dyn Fn(&str) -> bool| {
        let unknown = configuration.text(key).filter(|name| !is_known(name));
        if let (Some(name), Some(place)) = (unknown, configuration.place(key)) {
            let what = Diagnostic::problem(format!("{key}: there is no {name:?}")).ignored();
            wrong.push(Diagnostic { place, ..what });
        }
    };
    set("outputStyle", &|name| styles.names().iter().any(|known| known == name));
    // A host may define it later, and receives the error then.
    if options.input == InputFormat::Text {
        set("agent", &|name| subagent_registry.find(name).is_some());
    }
    let rules =
        [("--allowed-tools", &options.allowed_tools), ("--disallowed-tools", &options.disallowed_tools)];
    for (flag, lists) in rules {
        for rule in lists.iter().flat_map(|list| split_list(list)) {
            if let Err(error) = aqueduct_rules::Rule::parse(&rule) {
                wrong.push(Diagnostic::of_error(&error).as_warning().of(flag));
            }
        }
    }
    for folder in options.directories.iter().filter(|folder| !environment.cwd.join(folder).is_dir()) {
        wrong.push(Diagnostic::warning(format!("{} is not a folder", folder.display())).of("--add-dir"));
    }
    wrong
}

fn start_options(options: &AgentOptions) -> Result<StartOptions, StartError> {
    let named = options
        .permission_mode
        .as_deref()
        .map(str::parse::<Mode>)
        .transpose()
        .map_err(aqueduct_rules::Error::from)?;
    let mode = if options.skip_permissions { Some(Mode::BypassPermissions) } else { named };
    Ok(StartOptions {
        allowed_tools: options.allowed_tools.clone(),
        disallowed_tools: options.disallowed_tools.clone(),
        directories: options.directories.clone(),
        allows_bypass: options.may_skip_permissions
            || options.skip_permissions
            || mode == Some(Mode::BypassPermissions),
        mode,
        avoids_prompts: false,
    })
}

/// Enters the worktree of the session, if it has one. Its hooks are those of the folder that it is started in.
async fn enter(
    environment: &mut Environment,
    options: &mut AgentOptions,
    configuration: &Configuration,
    outbox: &Outbox,
    channels: &ToolChannels,
) -> Result<StartWorktree, StartError> {
    let settings = WorktreeSettings::of(configuration.get("worktree"));
    let mut hooks = None;
    if options.worktree.is_some() {
        let is_new = options.resume.is_none() && !options.continue_newest;
        let id = options.session_id.clone().or(options.resume.clone()).unwrap_or_else(fresh_uuid);
        // Hooks and transcript name the same session.
        options.session_id = options.session_id.take().or(is_new.then(|| id.clone()));
        let place = HookPlace {
            environment: Arc::new(environment.clone()),
            outbox: outbox.clone(),
            notices: channels.notices.clone(),
            session_id: id,
        };
        hooks = WorktreeHookSet::at_start(configuration, place).map(|hooks| Box::new(hooks) as _);
    }
    Ok(worktree::enter(environment, options, settings, hooks).await?)
}

/// The conversation to resume, or a new one.
fn open(
    environment: &Environment,
    options: &AgentOptions,
    project: &Project,
) -> Result<(TranscriptWriter, Conversation), StartError> {
    let from = match (&options.resume, options.continue_newest) {
        (Some(id), _) if id.is_empty() => return Err(StartError::ResumeWhat),
        (Some(id), _) => Some(id.clone()),
        // If there is nothing to resume, a conversation begins.
        (None, true) => project.newest().map(|found| found.session_id),
        (None, false) => None,
    };
    let stamp = |id: String| LineStamp {
        session_id: id,
        cwd: environment.cwd.to_string_lossy().into_owned(),
        version: PROTOCOL_VERSION.to_owned(),
        git_branch: prompt::branch(&environment.cwd),
        entrypoint: environment.variable("CLAUDE_CODE_ENTRYPOINT").unwrap_or("sdk-cli").to_owned(),
        user_type: "external".to_owned(),
        agent_id: None,
    };
    let own = || options.session_id.clone().unwrap_or_else(fresh_uuid);
    let at = options.resume_at.as_deref();
    if let (Some(from), Some(at), Some(turn)) = (&from, at, &options.resume_drops) {
        check_dropped(project, from, at, turn).map_err(StartError::Resume)?;
    }
    match from {
        Some(from) if options.unsaved => {
            let id = if options.fork { own() } else { from.clone() };
            TranscriptWriter::resume_unsaved(project, &from, stamp(id), at).map_err(StartError::Resume)
        }
        Some(from) if options.fork => {
            TranscriptWriter::fork(project, &from, stamp(own()), at).map_err(StartError::Resume)
        }
        Some(from) => TranscriptWriter::resume(project, stamp(from), at).map_err(StartError::Resume),
        None if options.unsaved => Ok((TranscriptWriter::unsaved(stamp(own())), Conversation::default())),
        None => {
            let transcript = TranscriptWriter::create(project, stamp(own())).map_err(StartError::Session)?;
            Ok((transcript, Conversation::default()))
        }
    }
}

/// Whether a source of settings counts: all, where the command line names none.
fn counts(options: &AgentOptions, name: &str) -> bool {
    options.setting_sources.as_ref().is_none_or(|named| named.iter().any(|known| known == name))
}

fn catalog_sources(options: &AgentOptions) -> CatalogSources {
    CatalogSources { user: counts(options, "user"), project: counts(options, "project") }
}

fn memory_sources<'a>(options: &AgentOptions, directories: &'a [PathBuf]) -> MemorySources<'a> {
    let counts = |name: &str| counts(options, name);
    MemorySources {
        managed: Path::new(MANAGED_MEMORY),
        user: counts("user"),
        project: counts("project"),
        local: counts("local"),
        directories,
    }
}

fn read_prompt_files(options: &mut AgentOptions, environment: &Environment) -> Result<(), StartError> {
    let read = |path: &Path| {
        std::fs::read_to_string(environment.cwd.join(path))
            .map_err(|error| StartError::File { path: path.display().to_string(), error })
    };
    if let Some(path) = &options.system_prompt_file {
        options.system_prompt = Some(read(path)?);
    }
    if let Some(path) = &options.append_system_prompt_file {
        options.append_system_prompt = Some(read(path)?);
    }
    Ok(())
}

/// The scripted model, with the script that a variable names.
fn scripted(environment: &Environment) -> Result<Scripted, StartError> {
    let Some(path) = environment.variable("AQUEDUCT_SCRIPT") else { return Ok(Scripted::default()) };
    let text = std::fs::read_to_string(environment.cwd.join(path))
        .map_err(|error| StartError::File { path: path.to_owned(), error })?;
    Scripted::from_script(&text).map_err(|error| StartError::Script { path: path.to_owned(), error })
}
