//! The agent's life under a session: started, found again after a restart, ended, gone.

use std::path::{Path, PathBuf};
use std::time::Duration;

use aqueduct_wire::control::{HostRequest, InitializeRequest};
use tokio::time::Instant;

use super::absorb::{NOTHING_TO_RESUME, notice};
use super::actor::{Actor, Sent};
use super::details;
use super::live::{Awaiting, Live};
use super::text::Stored;
use super::translate::Said;
use crate::failure::Failure;
use crate::keeper::{self, Ended, Exit, Found, InputId, Ladder, Line, Remains, Sent as Fate};
use crate::log::{Change, InputState};
use crate::message::ErrorCode;
use crate::message::bridge::{SystemNote, SystemSubtype};

/// How many lines of a dead keeper are taken in with one commit.
const REMAINING_LINES: usize = 1024;

/// How long a keeper may take to go.
const DISMISSAL: Duration = Duration::from_secs(10);

/// How an agent has ended.
#[derive(Clone, Copy)]
struct End<'a> {
    /// What the keeper saw of it; nothing, if it was killed with its keeper.
    exit: Option<&'a Exit>,
    /// Somebody wanted it.
    expected: bool,
    /// It took prompts.
    was_ready: bool,
    /// It said that there is nothing to resume.
    is_resume_fault: bool,
}

/// How an agent is ended that is not to finish anything: it is asked by a signal at once.
const LADDER: Ladder = Ladder { close: Duration::from_millis(500), terminate: Duration::from_secs(3) };

impl Actor {
    /// Finds the agent that a former bridge has left, or what became of it.
    pub(super) async fn recover(&mut self) {
        let Some(folder) = self.row.keeper.clone().map(PathBuf::from) else { return };
        let found = {
            let folder = folder.clone();
            tokio::task::spawn_blocking(move || keeper::find(&folder)).await
        };
        match found {
            Ok(Ok(Found::Alive)) => {
                if let Err(failure) = self.attach(folder).await {
                    self.trouble = Some(failure.message);
                }
            }
            Ok(Ok(Found::Dead(remains))) => self.bury(folder, Some(remains)).await,
            Ok(Ok(Found::Nothing)) => self.bury(folder, None).await,
            Ok(Err(error)) => self.trouble = Some(format!("can't look for the session's agent: {error}")),
            Err(error) => self.trouble = Some(format!("can't look for the session's agent: {error}")),
        }
    }

    /// Comes to a keeper that lives.
    async fn attach(&mut self, folder: PathBuf) -> Result<(), Failure> {
        let cursor = self.row.cursor;
        let anchor = self.details.anchor.min(cursor);
        self.translator.reset();
        let attached = match keeper::attach(&folder, anchor).await {
            Err(keeper::AttachError::Misplaced(_)) => keeper::attach(&folder, cursor).await,
            attached => attached,
        };
        let attached = attached.map_err(|error| Failure::agent(error.to_string()))?;
        let mut live = Live::new(attached, folder, cursor);
        live.was_introduced = self.row.agent_id.is_some() && cursor > 0;
        for agent_id in self.pending.iter().filter_map(|pending| pending.request.agent_request_id.as_deref())
        {
            live.was_asked(agent_id);
        }
        self.live = Some(live);
        // What was given before may have been lost with the bridge that gave it; the keeper knows the names.
        self.sent.iter_mut().for_each(Sent::doubt);
        self.deliver_again().await;
        // Behind the decisions, since the answer tells what is open.
        if let Some(live) = &mut self.live {
            live.ask(HostRequest::Initialize(Box::new(InitializeRequest::new())), Awaiting::Start).await;
        }
        Ok(())
    }

    /// Starts the agent. Where that fails, the session says so, and the queue waits.
    pub(super) async fn start_agent(&mut self) {
        self.is_starting = true;
        self.show_status();
        let started = self.try_start().await;
        self.is_starting = false;
        if let Err(failure) = started {
            self.start_failed(failure).await;
        }
    }

    async fn try_start(&mut self) -> Result<(), Failure> {
        let folder = self.shared.settings.data.join("keepers").join(uuid::Uuid::new_v4().to_string());
        let agent = self.restrict(self.agent()?).await?;
        let job = self.job(agent, folder.clone())?;
        let name = folder.to_string_lossy().into_owned();
        // Written down before it is started, so that no agent is ever forgotten.
        self.details.used.clear();
        self.details.calls.clear();
        self.translator.recall(Default::default());
        self.details.anchor = 0;
        let changes =
            vec![Change::Keeper(Some(name.clone())), Change::Details(details::write(&self.details))];
        self.tell(Vec::new(), changes).await?;
        (self.row.keeper, self.row.cursor) = (Some(name), 0);
        if let Err(error) = keeper::start(&self.shared.settings.keeper, &job).await {
            return Err(Failure::agent(format!("the agent can't be started: {error}")));
        }
        self.shared.metrics.started.add(1);
        if let Err(failure) = self.attach(folder).await {
            // It runs, and is come to later.
            self.trouble = Some(failure.message);
            self.retry_at = Some(Instant::now() + DISMISSAL);
        }
        Ok(())
    }

    async fn start_failed(&mut self, failure: Failure) {
        self.trouble = Some(failure.message.clone());
        let mut note = SystemNote::new(SystemSubtype::AgentExited);
        note.message = Some(failure.message.clone().into());
        note.expected = Some(false);
        let stored = Stored::new("system", &note);
        let folder = self.row.keeper.take();
        // If even this can't be written, the status tells why.
        let _ = self.note(stored, vec![Change::Keeper(None)]).await;
        if let Some(folder) = folder {
            remove(PathBuf::from(folder)).await;
        }
        self.shared.failed(&self.id, &failure);
    }

    /// Ends the agent. Its exit comes as an event.
    pub(super) async fn end_agent(&mut self) {
        if let Some(live) = &mut self.live {
            live.is_ending = true;
            // A keeper that is gone is heard of by its events.
            let _ = live.handle.end(LADDER).await;
        }
    }

    /// The agent has ended, with all that it started.
    pub(super) async fn agent_exited(&mut self, exit: Option<Exit>) {
        let Some(mut live) = self.live.take() else { return };
        let end = End {
            exit: exit.as_ref(),
            expected: live.is_ending,
            was_ready: live.is_ready,
            is_resume_fault: live.is_resume_fault,
        };
        let forsaken = live.forsaken();
        if self.gone(end).await {
            // A task that ends with the keeper, which goes when it hears that all is remembered.
            tokio::spawn(dismiss(live));
        }
        let mut failure = Failure::agent("the agent has ended");
        failure.stderr = exit.as_ref().map(|exit| String::from_utf8_lossy(&exit.stderr).into_owned());
        for awaiting in forsaken {
            awaiting.fail(failure.clone());
        }
        self.pump().await;
    }

    /// Writes down that the agent is gone. Says whether that worked.
    async fn gone(&mut self, end: End<'_>) -> bool {
        self.translator.reset();
        let End { exit, expected, was_ready, .. } = end;
        let stderr = exit.map(|exit| String::from_utf8_lossy(&exit.stderr).trim().to_owned());
        let is_resume_fault = end.is_resume_fault || self.is_resume_fault(stderr.as_deref());
        if !was_ready && !expected && !self.was_turned && is_resume_fault {
            return self.turn().await;
        }
        let (mut said, mut changes) = self.withdraw_all();
        let mut note = SystemNote::new(SystemSubtype::AgentExited);
        note.expected = Some(expected);
        match exit.map(|exit| exit.ended) {
            Some(Ended::Code(code)) => note.exit_code = Some(code.into()),
            Some(Ended::Signal(signal)) => note.signal = Some(signal_name(signal).into()),
            None => note.message = Some("The agent was killed together with its keeper.".into()),
        }
        note.stderr = stderr.clone().filter(|stderr| !stderr.is_empty()).map(Into::into);
        said.push(Said::Stored(Stored::new("system", &note)));
        if was_ready {
            for sent in std::mem::take(&mut self.sent) {
                match sent.is_given {
                    true => changes.push(Change::Input { id: sent.input.id, to: InputState::Done }),
                    false => self.sent.push(sent),
                }
            }
        } else {
            // It died before it took anything: the next one gets it.
            self.sent.iter_mut().for_each(Sent::doubt);
        }
        changes.push(Change::Keeper(None));
        self.row.keeper = None;
        if !expected {
            let ended = exit.map_or("was killed".to_owned(), |exit| ended(exit.ended));
            let last_words = stderr.as_deref().and_then(|stderr| stderr.lines().last()).unwrap_or_default();
            let message = match last_words.is_empty() {
                true => format!("the agent {ended}"),
                false => format!("the agent {ended}: {last_words}"),
            };
            if !was_ready {
                let failure = Failure { stderr, ..Failure::agent(message.clone()) };
                self.shared.failed(&self.id, &failure);
            }
            // An agent that dies at its start would die again at once; one that died at work is resumed for
            // what waits.
            if !was_ready || self.queue.is_empty() {
                self.trouble = Some(message);
            }
        }
        self.tell(said, changes).await.is_ok()
    }

    /// The next agent is started the other way: it resumes, or begins anew.
    async fn turn(&mut self) -> bool {
        self.was_turned = true;
        let begins_anew = self.details.can_resume;
        self.details.can_resume = !begins_anew;
        let changes = vec![Change::Keeper(None), Change::Details(details::write(&self.details))];
        self.row.keeper = None;
        let message = "The agent has kept nothing of the conversation so far: it begins anew.";
        let said = begins_anew.then(|| Said::Stored(notice(message.to_owned())));
        // An input that it was given is the next one's.
        self.sent.iter_mut().for_each(Sent::doubt);
        self.tell(said.into_iter().collect(), changes).await.is_ok()
    }

    /// Whether an agent has ended because there was nothing to resume, or something that had to be.
    fn is_resume_fault(&self, stderr: Option<&str>) -> bool {
        let said = stderr.unwrap_or_default();
        match self.details.can_resume {
            true => said.contains(NOTHING_TO_RESUME),
            false => said.contains("already in use") || said.contains("already exists"),
        }
    }

    /// The keeper is gone without a word: what it left behind is read.
    pub(super) async fn lost_keeper(&mut self, why: &str) {
        let Some(mut live) = self.live.take() else { return };
        for awaiting in live.forsaken() {
            awaiting.fail(Failure::agent(why));
        }
        drop(live);
        self.recover().await;
        self.pump().await;
    }

    /// Lets go of the keeper, which goes on.
    pub(super) fn detach(&mut self) {
        if let Some(mut live) = self.live.take() {
            for awaiting in live.forsaken() {
                awaiting.fail(Failure::new(ErrorCode::StorageFailed, "the event log can't be written"));
            }
        }
    }

    /// Takes in what a dead keeper left behind, and notes what became of the inputs.
    async fn bury(&mut self, folder: PathBuf, remains: Option<Remains>) {
        let Some(remains) = remains else {
            // No keeper was ever there, and no agent.
            self.sent.iter_mut().for_each(Sent::doubt);
            self.row.keeper = None;
            // If this can't be written, it is found out anew.
            let _ = self.tell(Vec::new(), vec![Change::Keeper(None)]).await;
            return;
        };
        let ids: Vec<InputId> =
            self.sent.iter().filter_map(|sent| InputId::new(&sent.input.id).ok()).collect();
        let (cursor, anchor) = (self.row.cursor, self.details.anchor.min(self.row.cursor));
        let read = tokio::task::spawn_blocking(move || {
            remains.sweep();
            let lines: std::io::Result<Vec<Line>> = remains.lines(anchor).and_then(Iterator::collect);
            (lines, remains.sent(&ids), remains.exit())
        });
        let (lines, fates, exit) = match read.await {
            Ok((Ok(lines), Ok(fates), Ok(exit))) => (lines, fates, exit),
            Ok((lines, fates, exit)) => {
                let error = lines.err().or(fates.err()).or(exit.err());
                self.trouble = error.map(|error| format!("can't read what the agent left behind: {error}"));
                return;
            }
            Err(error) => {
                self.trouble = Some(format!("can't read what the agent left behind: {error}"));
                return;
            }
        };
        let mut cursor = cursor;
        let mut lines = lines.into_iter().peekable();
        while lines.peek().is_some() {
            let some: Vec<Line> = lines.by_ref().take(REMAINING_LINES).collect();
            let batch = self.read(some, cursor);
            match self.commit_remains(batch, cursor).await {
                Ok(next) => cursor = next,
                // It is tried again from the beginning.
                Err(_) => return,
            }
            self.row.cursor = cursor;
        }
        for (sent, fate) in self.sent.iter_mut().zip(fates) {
            sent.is_given |= fate != Fate::Not;
        }
        let was_cut = self.sent.iter().any(|sent| sent.is_given);
        if was_cut {
            let stored =
                notice("The agent ended while it was at work. It is resumed with the next input.".to_owned());
            let _ = self.note(stored, Vec::new()).await;
        }
        let end = End { exit: exit.as_ref(), expected: false, was_ready: true, is_resume_fault: false };
        if self.gone(end).await {
            remove(folder).await;
        }
    }
}

/// Lets a keeper go whose agent has ended, and removes its folder.
async fn dismiss(mut live: Live) {
    // One that is gone has nothing to let go of.
    let _ = live.handle.ack(live.heard);
    let gone = async { while live.events.next().await.is_some() {} };
    let _ = tokio::time::timeout(DISMISSAL, gone).await;
    remove(live.folder).await;
}

/// Removes a folder that nobody uses. One that can't be removed is only in the way of nobody.
async fn remove(folder: PathBuf) {
    let _ = tokio::fs::remove_dir_all(Path::new(&folder)).await;
}

fn ended(ended: Ended) -> String {
    match ended {
        Ended::Code(code) => format!("ended with code {code}"),
        Ended::Signal(signal) => format!("was ended by {}", signal_name(signal)),
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        1 => "SIGHUP".to_owned(),
        2 => "SIGINT".to_owned(),
        3 => "SIGQUIT".to_owned(),
        6 => "SIGABRT".to_owned(),
        9 => "SIGKILL".to_owned(),
        11 => "SIGSEGV".to_owned(),
        13 => "SIGPIPE".to_owned(),
        15 => "SIGTERM".to_owned(),
        other => format!("signal {other}"),
    }
}
