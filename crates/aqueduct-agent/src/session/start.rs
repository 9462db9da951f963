//! How a session begins: settings, permissions, the conversation that is gone on with.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use aqueduct_mcp::Mcp;
use aqueduct_model::Scripted;
use aqueduct_rules::{Context, Mode};
use aqueduct_sandbox::{Machine, Policy, Sandbox};
use aqueduct_tools::checkpoint::Checkpoints;
use aqueduct_tools::subagent::SubagentTask;
use aqueduct_tools::web::Web;
use aqueduct_tools::worktree::WorktreeSettings;
use aqueduct_tools::{
    Commands, DeferredTools, Files, Form, Lists, Notice, Skills, Subagents, ToolContext, Workspace,
};
use aqueduct_wire::hook::SessionStartSource;
use aqueduct_wire::json::Raw;
use tokio::sync::mpsc;

use super::briefing::Briefing;
use super::effort::{EffortChoice, unknown_level};
use super::start_error::StartError;
use super::worktree::{self, Entered};
use super::{
    Dialogue, Models, PROTOCOL_VERSION, Session, State, ThinkingLimit, Totals, Unanswered, Unfinished, recall,
};
use crate::clock::fresh_uuid;
use crate::configuration::{Configuration, MANAGED_SETTINGS, Sources as SettingsSources, StartOptions};
use crate::custom_command::{CatalogSources, CommandCatalog};
use crate::debug_log::DebugLog;
use crate::environment::Environment;
use crate::hook::{HookPlace, Hooks, WorktreeHookSet};
use crate::hook_config::of_plugins;
use crate::host::Host;
use crate::key_helper::KEY_HELPER;
use crate::mcp_config::{MANAGED_SERVERS, Places, Sources};
use crate::mcp_host::SessionHost;
use crate::memory::{MANAGED_MEMORY, Memory, MemorySources};
use crate::options::{InputFormat, Options, split_list};
use crate::outbox::Outbox;
use crate::output_style::{OutputStyles, StyleSources};
use crate::plugin::Plugins;
use crate::prompt;
use crate::prompt_queue::PromptQueue;
use crate::subagent::{Place, SubagentRegistry, SubagentSources};
use crate::transcript::{Conversation, Mirror, Project, Stamp, Transcript, check_dropped};
use crate::trust::{self, TrustPlaces};

/// The variable that SDKs ask for checkpoints with. They are kept unless it says no.
const CHECKPOINTS: &str = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";

/// A session that is ready for its first prompt.
pub(crate) struct Started {
    /// What everything shares.
    pub(crate) session: Session,
    /// The conversation.
    pub(crate) dialogue: Dialogue,
    /// What people should know, for stderr.
    pub(crate) warnings: Vec<String>,
    /// How it begins.
    pub(crate) source: SessionStartSource<'static>,
    /// Background tasks of an earlier process whose end the conversation does not know.
    pub(crate) unfinished: Vec<Unfinished>,
}

/// The channels from tools to the session's loop.
pub(crate) struct ToolChannels {
    /// For what they have to tell.
    pub(crate) notices: mpsc::Sender<Notice>,
    /// For subagents that are to be sent.
    pub(crate) subagent_tasks: mpsc::Sender<SubagentTask>,
}

/// Begins a session.
pub(crate) async fn start(
    mut environment: Environment,
    mut options: Options,
    outbox: Outbox,
    channels: ToolChannels,
) -> Result<Started, StartError> {
    let mut warnings = Vec::new();
    let configured = configure(&mut environment, &mut options, &outbox, &channels, &mut warnings).await?;
    let mut opened = open_conversation(&environment, &options, &configured.entered, &mut warnings)?;
    let models = choose_models(&environment, &options, &configured.configuration, &mut warnings)?;
    let memory = Memory::read(&environment, &memory_sources(&options, &configured.directories));
    warnings.extend(memory.warnings.iter().cloned());
    let environment = Arc::new(environment);
    let host = Arc::new(Host::new(outbox.clone()));
    let mut start = Start { environment: &environment, options: &options, warnings: &mut warnings };
    let mcp = start.connect_servers(&configured, &host, &channels).await?;
    let briefing = Briefing::begin(&environment, memory);
    let Catalogs { commands, subagents, styles } = start.read_catalogs(&configured)?;
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
    let unanswered = Unanswered::of(&opened.conversation.entries);
    let unfinished = Unfinished::of(&opened.conversation.entries);
    let history = recall::history(std::mem::take(&mut opened.conversation.entries));
    let state = start.state(configured.rules, &mut opened, &models, history.estimated_tokens());
    let mut dialogue = Dialogue::new(history, opened.transcript);
    dialogue.unanswered = unanswered;
    let debug_log = open_debug_log(&options)?;
    debug_log.note(|| format!("session {} in {}", state.id, environment.cwd.display()));
    let mut session = Session {
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
        debug_log,
        briefing,
        styles,
        plugins: configured.plugins,
        noted: Vec::new(),
        untrusted: configured.untrusted,
        state: Mutex::new(state),
        queue: Mutex::new(PromptQueue::default()),
        stamp: opened.stamp,
        mirror: opened.mirror,
        titling: Default::default(),
    };
    note_warnings(&mut session, &mut warnings);
    warnings.extend(configured.withheld);
    Ok(Started { session, dialogue, warnings, source, unfinished })
}

/// What settings, plugins, trust and the command line amount to.
struct Configured {
    configuration: Configuration,
    trust_places: TrustPlaces,
    /// What people should know of what is not trusted.
    untrusted: Vec<String>,
    /// What is not in effect without trust.
    withheld: Vec<String>,
    plugins: Plugins,
    entered: Entered,
    rules: Context,
    sandbox: Policy,
    /// The folders beside the project.
    directories: Vec<PathBuf>,
}

/// Reads settings and plugins, enters the worktree, and makes the permission rules.
async fn configure(
    environment: &mut Environment,
    options: &mut Options,
    outbox: &Outbox,
    channels: &ToolChannels,
    warnings: &mut Vec<String>,
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
    let (untrusted, withheld) = trust::settle(environment, &mut configuration, options.trust_workspace);
    let plugins = Plugins::read(environment, &options.plugins, &options.plugins_without_mcp);
    warnings.extend(plugins.mistakes());
    let hooks = of_plugins(&plugins.all);
    warnings.extend(hooks.mistakes.iter().cloned());
    configuration.add_plugins(hooks);
    environment.extend(configuration.variables());
    read_prompt_files(options, environment)?;
    let entered = enter(environment, options, &configuration, outbox, channels).await?;
    warnings.extend(entered.notice.clone());

    let rules = configuration.rules(environment, &start_options(options)?)?;
    let mut sandbox = configuration.sandbox(environment);
    sandbox.add_rules(&rules, &Machine::from(&*environment));
    let directories = rules.directories().iter().map(|directory| directory.path.clone().into()).collect();
    Ok(Configured {
        configuration,
        trust_places,
        untrusted,
        withheld,
        plugins,
        entered,
        rules,
        sandbox,
        directories,
    })
}

/// The conversation, resumed or new, and its file.
struct Opened {
    transcript: Transcript,
    conversation: Conversation,
    form: Option<Arc<Form>>,
    mirror: Option<Mirror>,
    name: Option<String>,
    stamp: Stamp,
}

/// Opens the conversation, and writes to its file what is known of it from the beginning.
fn open_conversation(
    environment: &Environment,
    options: &Options,
    entered: &Entered,
    warnings: &mut Vec<String>,
) -> Result<Opened, StartError> {
    let project = entered.project.clone();
    let project = project.unwrap_or_else(|| Project::of(&environment.config, &environment.cwd));
    let (mut transcript, conversation) = open(environment, options, &project)?;
    if conversation.bad_lines > 0 {
        let count = conversation.bad_lines;
        warnings.push(format!(
            "Warning: {count} lines of the session's file can't be read; they were passed over"
        ));
    }
    let form = options.json_schema.as_deref().map(Form::new).transpose().map_err(StartError::Form)?;
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
    Ok(Opened { transcript, conversation, form: form.map(Arc::new), mirror, name, stamp })
}

/// The models, and what is wrong with how they are asked for.
fn choose_models(
    environment: &Environment,
    options: &Options,
    configuration: &Configuration,
    warnings: &mut Vec<String>,
) -> Result<Models, StartError> {
    let (usual, helper) = (configuration.text("model"), configuration.text(KEY_HELPER));
    let models =
        Models::new(environment, usual, helper, scripted(environment)?).map_err(StartError::Script)?;
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
struct Start<'s> {
    environment: &'s Arc<Environment>,
    options: &'s Options,
    warnings: &'s mut Vec<String>,
}

impl Start<'_> {
    /// Reads which MCP servers are configured, and begins to connect to them.
    async fn connect_servers(
        &mut self,
        configured: &Configured,
        host: &Arc<Host>,
        channels: &ToolChannels,
    ) -> Result<Mcp, StartError> {
        let mut servers = Sources::read(Places {
            environment: self.environment,
            settings: configured.configuration.servers(),
            managed: Path::new(MANAGED_SERVERS),
            given: &self.options.mcp_config,
            plugins: &configured.plugins.all,
            is_strict: self.options.strict_mcp_config,
        })?;
        self.warnings.extend(servers.warnings.drain(..).map(|warning| format!("Warning: {warning}")));
        let project = Project::of(&self.environment.config, &self.environment.cwd);
        let approvals = (!self.options.unsaved).then(|| project.folder().join("mcp-approvals.json"));
        let mcp = Mcp::new(
            self.environment.clone(),
            Arc::new(SessionHost::new(host.clone(), channels.notices.clone())),
            self.options.input == InputFormat::StreamJson,
            super::proxy(self.environment),
            approvals,
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
        self.warnings.extend(styles.mistakes.iter().cloned());
        if let Some(agents) = &options.agents {
            self.warnings.extend(subagents.take_in(Place::Flag, agents));
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
            self.warnings.push(format!("files can't be taken back to what they were: {error}"));
            Checkpoints::off()
        })
    }

    /// The sandbox of commands. Settings may let no command run without it.
    fn open_sandbox(&mut self, id: &str, policy: Policy) -> Result<Sandbox, StartError> {
        let sandbox = Sandbox::new(Machine::from(&**self.environment), &self.spool(id), policy);
        if let Some(why) = sandbox.unavailable().filter(|_| sandbox.policy().required) {
            return Err(StartError::Sandbox(why));
        }
        let reports = sandbox.watch().recover().into_iter();
        self.warnings.extend(reports.map(|report| format!("Warning: {report}")));
        self.warnings.extend(sandbox.warnings());
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
            workspace: Workspace::new(environment.cwd.clone(), parts.directories),
            files: Files::new(parts.checkpoints, plan),
            commands: Commands::new(parts.sandbox, self.spool(id), channels.notices),
            lists: Lists::default(),
            subagents: Subagents::new(parts.subagents, channels.subagent_tasks, sidechains),
            skills: Skills::new(parts.commands),
            mcp: Arc::new(parts.mcp),
            deferred: DeferredTools::default(),
            web: Web::default(),
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

    /// The first state of the session. Takes what belongs to it of the conversation.
    fn state(&self, rules: Context, opened: &mut Opened, models: &Models, context_tokens: u64) -> State {
        let conversation = std::mem::take(&mut opened.conversation);
        let resumed = |by| models.resumed(by, self.options, self.environment);
        State {
            id: opened.stamp.session_id.clone(),
            prompt_id: None,
            title: opened.name.take().or(conversation.title),
            asked_model: self.options.model.clone(),
            resumed_model: conversation.model.and_then(resumed),
            before_plan: Mode::Default,
            rules,
            thinking: ThinkingLimit::Unset,
            system_prompt: None,
            append_system_prompt: None,
            plan_instructions: None,
            form: opened.form.take(),
            suggests: false,
            forwards_text: false,
            is_running: false,
            input_ended: false,
            interrupted: Vec::new(),
            is_preempted: false,
            known: conversation.known,
            answered: None,
            totals: conversation.cost.as_ref().map(Totals::from_line).unwrap_or_default(),
            denials: Vec::new(),
            spent: Totals::default(),
            context_tokens,
            missed_role: false,
            unreported: Vec::new(),
            unpriced: HashSet::new(),
            effort: EffortChoice::Unset,
            unwritten: Vec::new(),
            queue_lines: Vec::new(),
            tasks: Vec::new(),
        }
    }
}

fn open_debug_log(options: &Options) -> Result<DebugLog, StartError> {
    let file = options.debug_file.as_deref();
    DebugLog::open(file, options.debug).map_err(|error| StartError::File {
        path: file.unwrap_or(Path::new("stderr")).display().to_string(),
        error,
    })
}

/// Completes the warnings with what the session knows, and keeps them for the host.
fn note_warnings(session: &mut Session, warnings: &mut Vec<String>) {
    if !session.asks_host() {
        warnings.extend(session.tool_context.mcp.unapproved());
    }
    session.noted = [warnings.as_slice(), &session.untrusted].concat();
    warnings.extend(session.command_catalog.mistakes());
    warnings.extend(session.subagent_registry.mistakes());
    warnings.extend(session.untrusted.iter().cloned());
    let bare = |warning: &String| warning.strip_prefix("Warning: ").unwrap_or(warning).to_owned();
    session.state().unreported = warnings.iter().map(bare).collect();
}

/// Names on the command line and in settings that nothing has.
fn unknown_names(
    environment: &Environment,
    configuration: &Configuration,
    styles: &OutputStyles,
    subagent_registry: &SubagentRegistry,
    options: &Options,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut set = |key: &str, is_known: &dyn Fn(&str) -> bool| {
        let unknown = configuration.text(key).filter(|name| !is_known(name));
        if let (Some(name), Some(place)) = (unknown, configuration.place(key)) {
            wrong.push(format!("{place}: {key}: there is no {name:?}; it is ignored"));
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
                wrong.push(format!("Warning: {flag}: {error}"));
            }
        }
    }
    for folder in options.directories.iter().filter(|folder| !environment.cwd.join(folder).is_dir()) {
        wrong.push(format!("Warning: --add-dir: {} is no folder", folder.display()));
    }
    wrong
}

fn start_options(options: &Options) -> Result<StartOptions, StartError> {
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
    options: &mut Options,
    configuration: &Configuration,
    outbox: &Outbox,
    channels: &ToolChannels,
) -> Result<Entered, StartError> {
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

/// The conversation to go on with, or a new one.
fn open(
    environment: &Environment,
    options: &Options,
    project: &Project,
) -> Result<(Transcript, Conversation), StartError> {
    let from = match (&options.resume, options.continue_newest) {
        (Some(id), _) if id.is_empty() => return Err(StartError::ResumeWhat),
        (Some(id), _) => Some(id.clone()),
        // Where there is nothing to go on with, a conversation begins.
        (None, true) => project.newest().map(|found| found.session_id),
        (None, false) => None,
    };
    let stamp = |id: String| Stamp {
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
            Transcript::resume_unsaved(project, &from, stamp(id), at).map_err(StartError::Resume)
        }
        Some(from) if options.fork => {
            Transcript::fork(project, &from, stamp(own()), at).map_err(StartError::Resume)
        }
        Some(from) => Transcript::resume(project, stamp(from), at).map_err(StartError::Resume),
        None if options.unsaved => Ok((Transcript::unsaved(stamp(own())), Conversation::default())),
        None => {
            let transcript = Transcript::create(project, stamp(own())).map_err(StartError::Session)?;
            Ok((transcript, Conversation::default()))
        }
    }
}

/// Whether a source of settings counts: all, where the command line names none.
fn counts(options: &Options, name: &str) -> bool {
    options.setting_sources.as_ref().is_none_or(|named| named.iter().any(|known| known == name))
}

fn catalog_sources(options: &Options) -> CatalogSources {
    CatalogSources { user: counts(options, "user"), project: counts(options, "project") }
}

fn memory_sources<'a>(options: &Options, directories: &'a [PathBuf]) -> MemorySources<'a> {
    let counts = |name: &str| counts(options, name);
    MemorySources {
        managed: Path::new(MANAGED_MEMORY),
        user: counts("user"),
        project: counts("project"),
        local: counts("local"),
        directories,
    }
}

fn read_prompt_files(options: &mut Options, environment: &Environment) -> Result<(), StartError> {
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
    Scripted::from_script(&text).map_err(|error| StartError::Script(format!("{path}: {error}")))
}
