use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

use aqueduct_wire::assemble::MessageSoFar;
use aqueduct_wire::hook::CompactTrigger;
use aqueduct_wire::json::Raw;
use aqueduct_wire::system::ApiRetry;

use super::content::called;
use super::{Item, ItemContent, ItemWalk, ShownResult, Task, Thread, Tokens, ToolCall};
use crate::Outcome;

/// How much memory the detail of one run takes, roughly. What is oldest makes room; what is being written or
/// still at work stays.
pub const RUN_BYTES: usize = 16 << 20;

/// How many items a run holds, in all its threads.
pub const RUN_ITEMS: usize = 8 << 10;

/// How many compactions and denials are kept apart from their number.
pub(super) const MAX_NOTED: usize = 256;

/// What happened from when the agent had something to do until it is idle again.
///
/// ```
/// use std::time::Instant;
///
/// use aqueduct_client::view::{Run, View};
///
/// /// All of a run, as a person would read it.
/// fn print(run: &Run) {
///     for nested in run.walk() {
///         println!("{:indent$}{:?}", "", nested.item.content(), indent = nested.depth);
///     }
///     for item in run.main().items().iter().filter(|item| item.is_whole()) {
///         println!("item {} is complete", item.key());
///     }
///     if let Some(retry) = run.retry() {
///         println!("{retry:?}");
///     }
///     for call in run.calls(None).filter(|call| call.is_input_whole() && !call.is_carried()) {
///         println!("{:?} {:?}", call.parent(), run.subagent(call.id()).map(|thread| thread.text()));
///         println!("{} {}: {:?} after {:?}", call.name(), call.input(), call.state(), call.elapsed(Instant::now()));
///         println!("{:?}", call.result().map(|result| &result.text));
///         if let Some(task) = call.task() {
///             println!("{}: {:?}, {} tokens, {:?}", task.description(), task.doing(), task.tokens(), task.end());
///             println!("{:?} called {} tools, {:?} last", task.subagent(), task.tool_uses(), task.last_tool());
///             println!("{:?}, in the background: {}", task.duration(), task.is_background());
///         }
///     }
///     println!("{} tokens read, {:?} US$, {} retries", run.tokens().read(), run.cost_usd(), run.retries());
///     println!("{} denials, {} compactions", run.denials().len(), run.compactions().len());
///     println!("over: {}, interrupted: {}, left out: {}", run.is_over(), run.is_interrupted(), run.left_out());
/// }
/// print(View::new().run());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    pub(super) main: Thread,
    pub(super) subagents: BTreeMap<Box<str>, Thread>,
    pub(super) calls: HashMap<Box<str>, ToolCall>,
    /// Tokens that results have reported.
    pub(super) reported: Tokens,
    /// Tokens of messages since the last result.
    pub(super) unreported: Tokens,
    /// Tokens of the message that is being written.
    pub(super) open: Tokens,
    /// What the session had cost before, and what it has cost by now.
    pub(super) cost_before: Option<f64>,
    pub(super) cost_after: Option<f64>,
    pub(super) retries: u64,
    pub(super) retry: Option<Box<ApiRetry<'static>>>,
    pub(super) compactions: Vec<Compaction>,
    pub(super) denials: Vec<Denial>,
    pub(super) is_interrupted: bool,
    pub(super) is_over: bool,
    pub(super) outcome: Option<Outcome>,
    /// The frames whose text is an error.
    pub(super) errors: Vec<Box<str>>,
    weight: usize,
    left_out: u64,
}

/// The conversation before it was replaced by a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// Whether the user or a full context made it happen.
    pub trigger: Option<CompactTrigger<'static>>,
    /// How many tokens the context had.
    pub tokens_before: Option<u64>,
    /// How many it has now.
    pub tokens_after: Option<u64>,
}

/// A call that was not allowed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Denial {
    /// The tool.
    pub tool: String,
    /// The call.
    pub call: Option<String>,
    /// What it was to be called with.
    pub input: Option<Raw<'static>>,
    /// What the model received.
    pub message: Option<String>,
    /// What decided it, such as `rule` or `mode`; absent where that is not known.
    pub reason: Option<String>,
}

impl Run {
    /// The main conversation.
    pub fn main(&self) -> &Thread {
        &self.main
    }

    /// The conversation of the subagent that a call started.
    pub fn subagent(&self, call: &str) -> Option<&Thread> {
        self.subagents.get(call)
    }

    /// A call by its id, from any thread.
    pub fn call(&self, id: &str) -> Option<&ToolCall> {
        self.calls.get(id)
    }

    /// The calls that were made in a thread, in their order: in the main one, or under a call.
    pub fn calls(&self, parent: Option<&str>) -> impl Iterator<Item = &ToolCall> {
        let thread = match parent {
            None => Some(&self.main),
            Some(parent) => self.subagents.get(parent),
        };
        thread.into_iter().flat_map(Thread::calls).filter_map(|id| self.calls.get(id))
    }

    /// Everything in the order in which a person would read it: each subagent's items follow the call that
    /// started it, one level deeper.
    pub fn walk(&self) -> ItemWalk<'_> {
        ItemWalk::new(self)
    }

    /// The model's text so far in the main conversation.
    pub fn text(&self) -> String {
        self.main.text()
    }

    /// What the model has thought so far in the main conversation.
    pub fn thinking(&self) -> String {
        self.main.thinking()
    }

    /// The tokens that the main conversation has used. Before the run's result they are what the model's
    /// messages reported, which without partial messages is not all.
    pub fn tokens(&self) -> Tokens {
        self.reported + self.unreported + self.open
    }

    /// What the run has cost so far, subagents included, in US dollars. Known once there is a result.
    pub fn cost_usd(&self) -> Option<f64> {
        Some((self.cost_after? - self.cost_before.unwrap_or(0.0)).max(0.0))
    }

    /// How often a call of the model failed and was tried again.
    pub fn retries(&self) -> u64 {
        self.retries
    }

    /// The failed call that is waiting to be tried again.
    pub fn retry(&self) -> Option<&ApiRetry<'static>> {
        self.retry.as_deref()
    }

    /// The compactions of the run: the first ones, if there were very many.
    pub fn compactions(&self) -> &[Compaction] {
        &self.compactions
    }

    /// The calls that were not allowed: the first ones, if there were very many.
    pub fn denials(&self) -> &[Denial] {
        &self.denials
    }

    /// Whether it was interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// How it ended, where the view was given events and not only frames.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// How many items had to make room for newer ones.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// Threads and calls.
impl Run {
    pub(super) fn thread(&mut self, parent: Option<&str>, keys: &mut u64) -> &mut Thread {
        let Some(parent) = parent else { return &mut self.main };
        if !self.subagents.contains_key(parent) {
            self.calling(parent, None, keys);
            self.subagents.insert(parent.into(), Thread::default());
        }
        self.subagents.entry(parent.into()).or_default()
    }

    fn threads(&self) -> impl Iterator<Item = &Thread> {
        std::iter::once(&self.main).chain(self.subagents.values())
    }

    pub(super) fn known_thread(&mut self, parent: Option<&str>) -> Option<&mut Thread> {
        match parent {
            None => Some(&mut self.main),
            Some(parent) => self.subagents.get_mut(parent),
        }
    }

    /// A call by its id. One that was not seen gets a place in the thread that mentions it.
    pub(super) fn calling(&mut self, id: &str, parent: Option<&str>, keys: &mut u64) -> &mut ToolCall {
        if !self.calls.contains_key(id) {
            let parent = parent.filter(|parent| self.subagents.contains_key(*parent));
            let thread = match parent {
                Some(parent) => self.subagents.entry(parent.into()).or_default(),
                None => &mut self.main,
            };
            thread.add(ItemContent::Call(id.into()), None, keys);
        }
        self.calls.entry(id.into()).or_insert_with(|| ToolCall::unknown(id, parent))
    }

    /// Shows the message that a thread is writing as it is now.
    pub(super) fn sync(
        &mut self,
        parent: Option<&str>,
        message: &MessageSoFar,
        keys: &mut u64,
        now: Instant,
    ) {
        let mut answers: Vec<(Box<str>, ShownResult)> = Vec::new();
        for block in message.blocks() {
            if let Some((id, name)) = called(block.base())
                && !id.is_empty()
            {
                let is_placeholder = self.calls.get(id).is_some_and(|call| call.name().is_empty());
                if is_placeholder && !name.is_empty() {
                    self.main.remove_call(id);
                }
                let call = self.calls.entry(id.into()).or_insert_with(|| {
                    let mut call = ToolCall::unknown(id, parent);
                    call.begin();
                    call
                });
                if is_placeholder {
                    call.place(parent);
                }
                call.take(block, now);
            }
            if let Some((id, result)) = ShownResult::in_message(block.base())
                && block.is_whole()
            {
                answers.push((id.into(), result));
            }
        }
        let errors = std::mem::take(&mut self.errors);
        self.thread(parent, keys).sync(message, &errors, keys);
        self.errors = errors;
        for (id, result) in answers {
            if self.calls.get(&id).is_some_and(|call| call.result().is_none()) {
                self.answered(&id, parent, result, keys, now);
            }
        }
    }

    /// A tool has given something back.
    pub(super) fn answered(
        &mut self,
        id: &str,
        parent: Option<&str>,
        result: ShownResult,
        keys: &mut u64,
        now: Instant,
    ) {
        self.calling(id, parent, keys).answer(result, now);
    }

    /// A message of a thread has come to its end.
    pub(super) fn close(&mut self, parent: Option<&str>, now: Instant) {
        let Some(thread) = self.known_thread(parent) else { return };
        // A call that the model did not write to its end is never made.
        for id in thread.close() {
            if let Some(call) = self.calls.get_mut(&id) {
                call.abandon(now);
            }
        }
    }

    /// Takes frames back, in all threads.
    pub(super) fn retract(&mut self, uuids: &[&str]) {
        let threads = std::iter::once(&mut self.main).chain(self.subagents.values_mut());
        let gone: Vec<Box<str>> = threads.flat_map(|thread| thread.retract(uuids)).collect();
        self.forget(gone);
    }

    /// Forgets calls, and all that subagents did under them.
    pub(super) fn forget(&mut self, mut ids: Vec<Box<str>>) {
        while let Some(id) = ids.pop() {
            self.calls.remove(&id);
            if let Some(thread) = self.subagents.remove(&id) {
                ids.extend(thread.calls().map(Into::into));
            }
        }
    }

    /// The run is over: what has not come will not come, except from the background.
    pub(super) fn end(&mut self, now: Instant) {
        self.is_over = true;
        self.retry = None;
        let live: Vec<Box<str>> = self.live().map(|call| call.id().into()).collect();
        let spared = self.below(&live);
        for (id, call) in &mut self.calls {
            if !spared.contains(id) {
                call.abandon(now);
            }
        }
    }

    /// The calls whose work continues in the background.
    pub(super) fn live(&self) -> impl Iterator<Item = &ToolCall> {
        let runs_on = |task: &Task| task.is_background() && !task.is_over();
        self.calls.values().filter(move |call| call.task().is_some_and(runs_on))
    }

    /// These calls, and all that were made below them.
    fn below(&self, roots: &[Box<str>]) -> HashSet<Box<str>> {
        let mut found = HashSet::new();
        let mut open = roots.to_vec();
        while let Some(id) = open.pop() {
            if let Some(thread) = self.subagents.get(&id)
                && !found.contains(&id)
            {
                open.extend(thread.calls().map(Into::into));
            }
            found.insert(id);
        }
        found
    }

    /// The run that follows. It continues with what works in the background; here a copy of it stays.
    pub(super) fn next(&mut self, keys: &mut u64) -> Run {
        let mut next = Run { cost_before: self.cost_after.or(self.cost_before), ..Run::default() };
        let mut roots: Vec<Box<str>> = self.live().map(|call| call.id().into()).collect();
        // A call that was made under another that continues stays there.
        let all = self.below(&roots);
        roots.retain(|id| {
            let parent = self.calls.get(id).and_then(ToolCall::parent);
            parent.is_none_or(|parent| !all.contains(parent))
        });
        roots.sort_unstable();
        for id in &roots {
            next.main.add(ItemContent::Call(id.clone()), None, keys);
        }
        for id in all {
            if let Some(call) = self.calls.get(&id) {
                let mut call = call.clone();
                if roots.contains(&id) {
                    call.carry();
                }
                next.calls.insert(id.clone(), call);
            }
            if let Some(thread) = self.subagents.remove(&id) {
                next.subagents.insert(id, thread);
            }
        }
        next.weigh();
        next
    }

    /// Keeps the run within its bounds. `added` is by how much it grew.
    pub(super) fn trim(&mut self, added: usize) {
        self.weight += added;
        if self.weight <= RUN_BYTES && self.calls.len() <= RUN_ITEMS && self.main.items().len() <= RUN_ITEMS {
            return;
        }
        self.weigh();
        let excess = |have: usize, most: usize| if have > most { have - most / 4 * 3 } else { 0 };
        let count = self.threads().map(|thread| thread.items().len()).sum();
        let (mut items, mut bytes) = (excess(count, RUN_ITEMS), excess(self.weight, RUN_BYTES));
        let threads = std::iter::once(&mut self.main).chain(self.subagents.values_mut());
        let calls = &self.calls;
        // An agent that never answers its calls must not fill the memory either.
        let is_flooded = calls.len() > 2 * RUN_ITEMS;
        let mut left_out = 0;
        let mut gone = Vec::new();
        for thread in threads {
            gone.extend(thread.let_go(|item: &Item| {
                let call = match &item.content {
                    ItemContent::Call(id) => calls.get(id),
                    _ => None,
                };
                let may_go = is_flooded || call.is_none_or(|call| call.state().is_over());
                let goes = may_go && (items > 0 || bytes > 0);
                if goes {
                    left_out += 1;
                    items = items.saturating_sub(1);
                    let weight = item.content.weight() + call.map_or(0, ToolCall::weight);
                    bytes = bytes.saturating_sub(weight);
                }
                goes
            }));
        }
        self.left_out += left_out;
        self.forget(gone);
        self.weigh();
    }

    fn weigh(&mut self) {
        let items = self.threads().flat_map(Thread::items).map(|item| item.content.weight());
        self.weight = items.sum::<usize>() + self.calls.values().map(ToolCall::weight).sum::<usize>();
    }
}
