use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::Instant;

use aqueduct_wire::FromAgent;
use aqueduct_wire::assemble::Assembler;
use aqueduct_wire::permission::PermissionMode;

use super::{Run, Todo, Tokens};
use crate::{Event, Exit};

/// How many frames are remembered by their `uuid`, to know those that come again.
const REMEMBERED: usize = 4096;

/// How many open requests of the agent are followed.
const MAX_WAITING: usize = 1024;

/// A session as a user sees it, assembled from the agent's output.
///
/// Give it every event, or every frame, in the order in which they come. See the [module](super) for what it
/// holds and for how long.
///
/// ```
/// use aqueduct_client::view::{View, ViewState};
///
/// fn status(view: &View) -> String {
///     match view.state() {
///         ViewState::Ended => format!("ended: {:?}", view.exit()),
///         _ if view.is_compacting() => "compacting".to_owned(),
///         state => format!(
///             "{state:?} in {} with {}, {:?}, {} to do, {:?} US$, {} tokens",
///             view.cwd().unwrap_or("?"),
///             view.model().unwrap_or("?"),
///             view.permission_mode(),
///             view.todos().len(),
///             view.cost_usd(),
///             view.tokens().read(),
///         ),
///     }
/// }
/// println!("{}", status(&View::new()));
/// ```
#[derive(Debug, Default)]
pub struct View {
    pub(super) assembler: Assembler,
    pub(super) run: Run,
    pub(super) keys: u64,
    /// The requests that wait for an answer of this side, and the calls that they are about.
    pub(super) waiting: BTreeMap<Box<str>, Option<Box<str>>>,
    /// Which call a task belongs to.
    pub(super) tasks: HashMap<Box<str>, Box<str>>,
    pub(super) todos: Vec<Todo>,
    pub(super) state: ViewState,
    /// Whether the agent reports when it is idle.
    pub(super) reports_state: bool,
    /// Whether the agent's last report is that it waits for an answer.
    pub(super) requires_action: bool,
    pub(super) session_id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) mode: Option<PermissionMode<'static>>,
    pub(super) version: Option<String>,
    pub(super) title: Option<String>,
    pub(super) is_compacting: bool,
    pub(super) cost: Option<f64>,
    /// What all models had used at the last result.
    pub(super) used: Tokens,
    pub(super) exit: Option<Exit>,
    seen: HashSet<Box<str>>,
    seen_order: VecDeque<Box<str>>,
}

/// What the session does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ViewState {
    /// Nothing.
    #[default]
    Idle,
    /// It works.
    Running,
    /// It waits for an answer: a permission, a question, a dialog.
    Waiting,
    /// The agent is gone.
    Ended,
}

/// What a view is given: an event, or a frame alone.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum ViewInput<'e> {
    /// An event of a session.
    Event(&'e Event),
    /// A frame of the agent, from a session or a recording.
    Frame(&'e FromAgent<'e>),
}

impl<'e> From<&'e Event> for ViewInput<'e> {
    fn from(event: &'e Event) -> Self {
        ViewInput::Event(event)
    }
}

impl<'e, 'a: 'e> From<&'e FromAgent<'a>> for ViewInput<'e> {
    fn from(frame: &'e FromAgent<'a>) -> Self {
        ViewInput::Frame(frame)
    }
}

impl View {
    /// A view that has seen nothing.
    pub fn new() -> Self {
        View::default()
    }

    /// Takes what comes next. When it begins a run, the one before is handed out: keep it or drop it.
    pub fn push<'e>(&mut self, seen: impl Into<ViewInput<'e>>) -> Option<Box<Run>> {
        self.push_at(seen, Instant::now())
    }

    /// Takes a frame that came at a given time, for recordings and tests. Only the durations of calls depend on it.
    ///
    /// ```
    /// use std::time::Instant;
    ///
    /// use aqueduct_client::Event;
    /// use aqueduct_client::view::View;
    ///
    /// fn play(view: &mut View, recorded: &[(Instant, Event)]) {
    ///     for (time, event) in recorded {
    ///         view.push_at(event, *time);
    ///     }
    /// }
    /// ```
    pub fn push_at<'e>(&mut self, seen: impl Into<ViewInput<'e>>, now: Instant) -> Option<Box<Run>> {
        match seen.into() {
            ViewInput::Frame(frame) => self.frame(frame, now),
            ViewInput::Event(Event::Frame(kept)) => self.frame(&kept.frame, now),
            ViewInput::Event(Event::Answered { id }) => {
                self.stop_waiting(id, now);
                None
            }
            ViewInput::Event(Event::RunEnded(outcome)) => {
                self.end_run(now);
                self.run.outcome = Some(outcome.clone());
                None
            }
            ViewInput::Event(Event::Ended(exit)) => {
                self.end_run(now);
                self.state = ViewState::Ended;
                self.exit = Some(exit.clone());
                None
            }
            ViewInput::Event(Event::Noise(_) | Event::Missed { .. }) => None,
        }
    }

    /// The run that continues, or the last one.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// What the session does.
    pub fn state(&self) -> ViewState {
        match self.state {
            ViewState::Running if !self.waiting.is_empty() => ViewState::Waiting,
            state => state,
        }
    }

    /// The session's id.
    pub fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }

    /// The model that answers.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The directory in which the agent works.
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    /// How calls that no rule decides are treated.
    pub fn permission_mode(&self) -> Option<&PermissionMode<'static>> {
        self.mode.as_ref()
    }

    /// The agent's version.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The session's title, once it has one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The list of things to do that the model keeps.
    pub fn todos(&self) -> &[Todo] {
        &self.todos
    }

    /// Whether the conversation is being replaced by a summary right now.
    pub fn is_compacting(&self) -> bool {
        self.is_compacting
    }

    /// What the session has cost so far, in US dollars. Known once there is a result. Agents before 2.1.325
    /// count from the start of their process, also where they resumed a session.
    pub fn cost_usd(&self) -> Option<f64> {
        self.cost
    }

    /// What the session has used so far: all models and subagents up to the last result, and the main
    /// conversation since.
    pub fn tokens(&self) -> Tokens {
        self.used + self.run.unreported + self.run.open
    }

    /// How the agent ended.
    pub fn exit(&self) -> Option<&Exit> {
        self.exit.as_ref()
    }

    /// Whether a frame with this `uuid` came before. Agents may send some again after a compaction.
    pub(super) fn is_known(&mut self, uuid: Option<&str>) -> bool {
        let Some(uuid) = uuid else { return false };
        if !self.seen.insert(uuid.into()) {
            return true;
        }
        self.seen_order.push_back(uuid.into());
        if self.seen_order.len() > REMEMBERED
            && let Some(oldest) = self.seen_order.pop_front()
        {
            self.seen.remove(&oldest);
        }
        false
    }

    /// The agent asks this side something, maybe about a call.
    pub(super) fn wait(&mut self, request: &str, call: Option<&str>) {
        if self.waiting.len() < MAX_WAITING {
            self.waiting.insert(request.into(), call.map(Into::into));
        }
    }

    /// A request is answered or taken back.
    pub(super) fn stop_waiting(&mut self, request: &str, now: Instant) {
        if let Some(Some(call)) = self.waiting.remove(request)
            && let Some(call) = self.run.calls.get_mut(&call)
        {
            call.run(now);
        }
    }
}
