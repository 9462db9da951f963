//! How a session begins: settings, permissions, the conversation that is gone on with.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use aqueduct_model::Scripted;
use aqueduct_rules::Mode;
use aqueduct_wire::FromAgent;
use aqueduct_wire::frame::{ResultFrame, ResultSubtype, StartupFailureReason};
use aqueduct_wire::hook::SessionStartSource;
use aqueduct_wire::json::{Map, Number, Raw};
use tokio::sync::mpsc;

use super::briefing::Briefing;
use super::effort::{EffortChoice, unknown_level};
use super::worktree::{self, Entered};
use super::{Dialogue, Models, PROTOCOL_VERSION, Session, State, ThinkingLimit, Totals, TurnUsage, recall};
use crate::checkpoint::Checkpoints;
use crate::configuration::{
    Configuration, ConfigurationError, MANAGED_SETTINGS, Sources as SettingsSources, StartOptions,
};
use crate::environment::Environment;
use crate::hook::{HookPlace, Hooks, WorktreeHooks, of_plugins};
use crate::host::Host;
use crate::journal::Journal;
use crate::mcp::{MANAGED_SERVERS, Mcp, Places, SourceError, Sources};
use crate::memory::{MANAGED_MEMORY, Memory, MemorySources};
use crate::moment::fresh_uuid;
use crate::options::{InputFormat, Options, split_list};
use crate::outbox::Outbox;
use crate::output_style::{OutputStyles, StyleSources};
use crate::plugin::Plugins;
use crate::prompt;
use crate::prompt_queue::PromptQueue;
use crate::recipe::{Shelf, ShelfSources};
use crate::sandbox::Sandbox;
use crate::subagent::{Errand, Place, Roster, RosterSources};
use crate::tool::{FileStates, Form, Notice, Workshop};
use crate::transcript::{Conversation, Mirror, Project, Stamp, Transcript, TranscriptError, check_dropped};
use crate::trust::{self, TrustPlaces};
use crate::worktree::{WorktreeError, WorktreeSettings};

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
}

/// Why a session can't begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// The settings can't be used.
    #[error("Error: {0}")]
    Configuration(#[from] ConfigurationError),
    /// The permission mode can't be entered.
    #[error("Error: {0}")]
    Rules(#[from] aqueduct_rules::Error),
    /// `--mcp-config` can't be used.
    #[error("Error: {0}")]
    Mcp(#[from] SourceError),
    /// The session's id can't be had.
    #[error("Error: {0}")]
    Session(TranscriptError),
    /// There is nothing to go on with.
    #[error("{0}")]
    Resume(TranscriptError),
    /// `--resume` without an id.
    #[error("Error: --resume requires a valid session ID when used with --print: --resume <session-id>")]
    ResumeWhat,
    /// A file that the command line names can't be read, or written.
    #[error("Error: {path} can't be used: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// `--await-initialize`, and another frame came first.
    #[error("The first frame must be an initialize request, because of --await-initialize")]
    NotInitialized,
    /// `--agent` names nobody.
    #[error("Error: there is no agent {name:?}. There are: {all}")]
    Agent {
        /// Who was named.
        name: String,
        /// Who is there.
        all: String,
    },
    /// `--json-schema` can't be used.
    #[error("Error: --json-schema {0}")]
    Form(String),
    /// Settings want no command without a sandbox, and there is none.
    #[error(
        "Error: {0}, and settings let no command run without it (sandbox.failIfUnavailable). Install bubblewrap, or \
         change the settings"
    )]
    Sandbox(String),
    /// `--worktree` can't be done.
    #[error("Error creating worktree: {0}")]
    Worktree(#[from] WorktreeError),
    /// A script can't be read.
    #[error("Error: {0}")]
    Script(String),
}

impl StartError {
    /// The result that hosts get where a session can't begin.
    pub(crate) fn result(&self, session_id: Option<&str>) -> Option<String> {
        let reason = match self {
            StartError::Resume(_) => None,
            StartError::Sandbox(_) => Some(StartupFailureReason::SandboxRequiredUnavailable),
            StartError::NotInitialized => Some(StartupFailureReason::InitializeNotFirst),
            _ => return None,
        };
        let mut frame = ResultFrame::new(ResultSubtype::ErrorDuringExecution);
        frame.is_error = Some(true);
        frame.duration_ms = Some(0u64.into());
        frame.duration_api_ms = Some(0u64.into());
        frame.num_turns = Some(0u64.into());
        frame.session_id = Some(session_id.map_or_else(fresh_uuid, str::to_owned).into());
        frame.total_cost_usd = Number::from_f64(0.0);
        frame.usage = Some(Box::new(TurnUsage::default().to_usage()));
        frame.model_usage = Some(Map::default());
        frame.permission_denials = Some(Vec::new());
        frame.uuid = Some(fresh_uuid().into());
        frame.errors = Some(vec![self.to_string().into()]);
        frame.startup_failure_reason = reason;
        frame.result_index = Some(0u64.into());
        Some(FromAgent::Result(Box::new(frame)).to_line())
    }
}

/// The ways from tools to the session's loop.
pub(crate) struct Ways {
    /// For what they have to tell.
    pub(crate) notices: mpsc::Sender<Notice>,
    /// For subagents that are to be sent.
    pub(crate) errands: mpsc::Sender<Errand>,
}

/// Begins a session.
pub(crate) async fn start(
    mut environment: Environment,
    mut options: Options,
    outbox: Outbox,
    ways: Ways,
) -> Result<Started, StartError> {
    let sources = options.setting_sources.as_ref().map(|names| names.join(","));
    let mut configuration = Configuration::read(
        &environment,
        SettingsSources {
            managed: Path::new(MANAGED_SETTINGS),
            settings: options.settings.as_deref(),
            given_policy: options.managed_settings.as_deref(),
            setting_sources: sources.as_deref(),
        },
    )?;
    let mut warnings = configuration.warnings().to_vec();
    // Before the variables of settings are set.
    let trust_places = TrustPlaces::of(&environment);
    let (untrusted, withheld) = trust::settle(&environment, &mut configuration, options.trust_workspace);
    let plugins = Plugins::read(&environment, &options.plugins, &options.plugins_without_mcp);
    warnings.extend(plugins.mistakes());
    let hooks = of_plugins(&plugins.all);
    warnings.extend(hooks.mistakes.iter().cloned());
    configuration.add_plugins(hooks);
    environment.extend(configuration.variables());
    read_prompt_files(&mut options, &environment)?;
    let entered = enter(&mut environment, &mut options, &configuration, &outbox, &ways).await?;
    warnings.extend(entered.notice.clone());

    let rules = configuration.rules(&environment, &start_options(&options)?)?;
    let mut sandbox = configuration.sandbox(&environment);
    sandbox.add_rules(&rules, &environment);
    let directories: Vec<PathBuf> =
        rules.directories().iter().map(|directory| directory.path.clone().into()).collect();
    let project = entered.project.clone();
    let project = project.unwrap_or_else(|| Project::of(&environment.config, &environment.cwd));
    let (mut transcript, conversation) = open(&environment, &options, &project)?;
    if conversation.bad_lines > 0 {
        let count = conversation.bad_lines;
        warnings.push(format!(
            "Warning: {count} lines of the session's file can't be read; they were passed over"
        ));
    }
    let form =
        options.json_schema.as_deref().map(Form::new).transpose().map_err(StartError::Form)?.map(Arc::new);
    let mirror = options.session_mirror.then(Mirror::default);
    if let Some(mirror) = &mirror {
        transcript.mirror_to(mirror.clone(), options.fork).map_err(StartError::Session)?;
    }
    let name = options.name.clone().filter(|name| !name.trim().is_empty());
    if let Some(name) = &name {
        transcript.name(name).map_err(StartError::Session)?;
    }
    let stamp = transcript.stamp().clone();
    let id = stamp.session_id.clone();
    if let Some(worktree) = &entered.worktree {
        let state = worktree.state(&entered.from, prompt::branch(&entered.from), &id);
        transcript.other(&Raw::from(&state)).map_err(StartError::Session)?;
    }
    let usual = configuration.text("model").map(str::to_owned);
    let models =
        Models::new(&environment, usual.as_deref(), scripted(&environment)?).map_err(StartError::Script)?;

    let levels = [
        ("--effort", options.effort.as_deref()),
        ("CLAUDE_CODE_EFFORT_LEVEL", environment.variable("CLAUDE_CODE_EFFORT_LEVEL")),
    ];
    warnings.extend(levels.into_iter().filter_map(|(place, level)| unknown_level(place, level)));

    let memory = Memory::read(&environment, &memory_sources(&options, &directories));
    warnings.extend(memory.warnings.iter().cloned());
    let environment = Arc::new(environment);
    let host = Arc::new(Host::new(outbox.clone()));
    let listens = options.input == InputFormat::StreamJson;
    let mut servers = Sources::read(Places {
        environment: &environment,
        settings: configuration.servers(),
        managed: Path::new(MANAGED_SERVERS),
        given: &options.mcp_config,
        plugins: &plugins.all,
        is_strict: options.strict_mcp_config,
    })?;
    warnings.extend(servers.warnings.drain(..).map(|warning| format!("Warning: {warning}")));
    let folder = Project::of(&environment.config, &environment.cwd).folder().join("mcp-approvals.json");
    let approvals = (!options.unsaved).then_some(folder);
    let mcp = Mcp::new(environment.clone(), host.clone(), listens, ways.notices.clone(), approvals);
    mcp.add(servers).await;
    let briefing = Briefing::begin(&environment, memory);
    let shelf = match options.no_commands {
        true => Shelf::default(),
        false => Shelf::read(&environment, shelf_sources(&options), &directories, &plugins.all),
    };
    let roster = Roster::read(
        &environment,
        RosterSources { user: counts(&options, "user"), project: counts(&options, "project") },
        &directories,
        &plugins.all,
    );
    let styles = OutputStyles::read(
        &environment,
        StyleSources { user: counts(&options, "user"), project: counts(&options, "project") },
    );
    warnings.extend(styles.mistakes.iter().cloned());
    if let Some(agents) = &options.agents {
        warnings.extend(roster.take_in(Place::Flag, agents));
    }
    warnings.extend(unknown_names(&environment, &configuration, &styles, &roster, &options));
    // Behind a host it may still come, with the first request.
    if let Some(name) = options.agent.as_ref().filter(|name| !listens && roster.find(name).is_none()) {
        let all: Vec<String> = roster.all().iter().map(|agent| agent.name.clone()).collect();
        return Err(StartError::Agent { name: name.clone(), all: all.join(", ") });
    }
    let unwanted = options.unsaved || environment.denies(CHECKPOINTS);
    let checkpoints = if unwanted {
        Checkpoints::off()
    } else {
        let folder = environment.config.join("file-history").join(&id);
        Checkpoints::open(folder).unwrap_or_else(|error| {
            warnings.push(format!("files can't be taken back to what they were: {error}"));
            Checkpoints::off()
        })
    };
    let spool = environment.temporary.join(format!("aqueduct-{id}"));
    let sandbox = Sandbox::new(environment.clone(), &spool, sandbox);
    if let Some(why) = sandbox.unavailable().filter(|_| sandbox.policy().required) {
        return Err(StartError::Sandbox(why));
    }
    warnings.extend(sandbox.watch().recover().into_iter().map(|report| format!("Warning: {report}")));
    warnings.extend(sandbox.warnings());
    let workshop = Workshop {
        sandbox: Arc::new(sandbox),
        cwd: Mutex::new(environment.cwd.clone()),
        directories: Mutex::new(directories),
        files: FileStates::default(),
        checkpoints,
        spool,
        background: Default::default(),
        todos: Default::default(),
        tasks: Default::default(),
        hidden: Default::default(),
        sights: Default::default(),
        mcp: Arc::new(mcp),
        shelf: Arc::new(shelf),
        launched: Mutex::default(),
        roster: Arc::new(roster),
        crew: Arc::default(),
        deferred: Mutex::default(),
        sidechains: (!options.unsaved)
            .then(|| Project::of(&environment.config, &environment.cwd).sidechains(&id)),
        errands: ways.errands,
        web: Default::default(),
        owner: None,
        plan: environment.config.join("plans").join(format!("{id}.md")),
        notices: ways.notices,
        environment: environment.clone(),
    };
    let source = match (&options.resume, options.continue_newest && !conversation.entries.is_empty()) {
        (None, false) => SessionStartSource::Startup,
        _ if options.fork => SessionStartSource::Fork,
        _ => SessionStartSource::Resume,
    };
    recall::tools(&conversation, &workshop);
    let history = recall::history(conversation.entries);
    let totals = conversation.cost.as_ref().map(Totals::from_line).unwrap_or_default();
    let state = State {
        id,
        prompt_id: None,
        title: name.or(conversation.title.clone()),
        asked_model: options.model.clone(),
        resumed_model: conversation.model.and_then(|by| models.resumed(by, &options, &environment)),
        before_plan: Mode::Default,
        rules,
        thinking: ThinkingLimit::Unset,
        system_prompt: None,
        append_system_prompt: None,
        plan_instructions: None,
        form,
        suggests: false,
        forwards_text: false,
        is_running: false,
        input_ended: false,
        interrupted: Vec::new(),
        known: conversation.known,
        answered: None,
        totals,
        denials: Vec::new(),
        spent: Totals::default(),
        context_tokens: history.estimated_tokens(),
        missed_role: false,
        untold: Vec::new(),
        unpriced: HashSet::new(),
        effort: EffortChoice::Unset,
        unwritten: Vec::new(),
    };
    let dialogue = Dialogue::new(history, transcript);
    let journal =
        Journal::open(options.debug_file.as_deref(), options.debug).map_err(|error| StartError::File {
            path: options.debug_file.as_deref().unwrap_or(Path::new("stderr")).display().to_string(),
            error,
        })?;
    journal.note(|| format!("session {} in {}", state.id, environment.cwd.display()));
    let mut session = Session {
        environment,
        options,
        configuration: Mutex::new(configuration),
        trust: trust_places,
        host,
        hooks: Hooks::default(),
        outbox,
        workshop,
        models,
        journal,
        briefing,
        styles,
        plugins,
        noted: Vec::new(),
        untrusted: untrusted.clone(),
        state: Mutex::new(state),
        queue: Mutex::new(PromptQueue::default()),
        stamp,
        mirror,
        titling: Default::default(),
    };
    if !session.asks_host() {
        warnings.extend(session.workshop.mcp.unapproved());
    }
    session.noted = [warnings.clone(), untrusted.clone()].concat();
    warnings.extend(session.workshop.shelf.mistakes());
    warnings.extend(session.workshop.roster.mistakes());
    warnings.extend(untrusted);
    let bare = |warning: &String| warning.strip_prefix("Warning: ").unwrap_or(warning).to_owned();
    session.state().untold = warnings.iter().map(bare).collect();
    warnings.extend(withheld);
    Ok(Started { session, dialogue, warnings, source })
}

/// Names on the command line and in settings that nothing has.
fn unknown_names(
    environment: &Environment,
    configuration: &Configuration,
    styles: &OutputStyles,
    roster: &Roster,
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
    // A host may bring it later, and is told then.
    if options.input == InputFormat::Text {
        set("agent", &|name| roster.find(name).is_some());
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
    let named = options.permission_mode.as_deref().map(str::parse::<Mode>).transpose()?;
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
    ways: &Ways,
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
            notices: ways.notices.clone(),
            session_id: id,
        };
        hooks = WorktreeHooks::at_start(configuration, place);
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

fn shelf_sources(options: &Options) -> ShelfSources {
    ShelfSources { user: counts(options, "user"), project: counts(options, "project") }
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
