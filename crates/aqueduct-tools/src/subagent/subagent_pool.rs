//! The subagents at work, and those that were.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::identity::SubagentIdentity;
use super::report::SubagentReport;

/// How many subagents may be at work at a time.
pub(crate) const MAX_AT_WORK: usize = 16;
/// How many that are done are remembered, for who asks for their reports.
const MAX_DONE: usize = 64;

/// What a subagent at work is sent.
#[derive(Debug)]
pub enum SubagentMail {
    /// A message of the agent that sent it.
    Message(String),
    /// The notification of a task's end.
    Notification(String),
}

/// A subagent, as others see it.
#[derive(Debug)]
pub struct PoolMember {
    /// Who it is.
    pub identity: Arc<SubagentIdentity>,
    /// Where its report is put.
    pub output: PathBuf,
    report: watch::Sender<Option<Arc<SubagentReport>>>,
    stop: CancellationToken,
    /// What it has been sent and has not read.
    mail: Mutex<Vec<SubagentMail>>,
    /// Whether the user has stopped it: then its end is not reported to the model.
    is_unwanted: CancellationToken,
}

impl PoolMember {
    /// Its report; nothing while it is running.
    pub fn report(&self) -> Option<Arc<SubagentReport>> {
        self.report.borrow().clone()
    }

    /// Waits until it is done.
    pub async fn done(&self) -> Option<Arc<SubagentReport>> {
        let mut report = self.report.subscribe();
        // The sender is this member's own, so it can't be gone.
        report.wait_for(Option::is_some).await.ok().and_then(|report| report.clone())
    }

    /// Stops it. It ends soon.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Leaves a message, which it reads before its next step.
    pub fn post(&self, message: &str) {
        self.mail().push(SubagentMail::Message(message.to_owned()));
    }

    /// Leaves the notification of a task's end, which it reads before its next step.
    pub fn notify(&self, notification: String) {
        self.mail().push(SubagentMail::Notification(notification));
    }

    /// What it has been sent and has not read.
    pub fn take_mail(&self) -> Vec<SubagentMail> {
        std::mem::take(&mut self.mail())
    }

    /// The messages that it has not read. Notifications are for a run that has ended.
    pub fn take_messages(&self) -> Vec<String> {
        let message = |mail| match mail {
            SubagentMail::Message(text) => Some(text),
            SubagentMail::Notification(_) => None,
        };
        self.take_mail().into_iter().filter_map(message).collect()
    }

    fn mail(&self) -> MutexGuard<'_, Vec<SubagentMail>> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends it when the user interrupts.
    pub fn cancel(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// Whether the user has stopped everything.
    pub fn is_unwanted(&self) -> bool {
        self.is_unwanted.is_cancelled()
    }

    /// Records its report.
    pub fn bring(&self, report: SubagentReport) {
        self.report.send_replace(Some(Arc::new(report)));
    }
}

/// The subagents of a session.
#[derive(Debug, Default)]
pub struct SubagentPool {
    /// In the order in which they were sent.
    members: Mutex<Vec<Arc<PoolMember>>>,
}

impl SubagentPool {
    /// The subagent of this id, or the newest of this name.
    pub fn find(&self, id: &str) -> Option<Arc<PoolMember>> {
        let members = self.members();
        let by_id = members.iter().find(|member| member.identity.id == id);
        let by_name = || members.iter().rfind(|member| member.identity.name.as_deref() == Some(id));
        by_id.or_else(by_name).cloned()
    }

    /// Those that run in the background.
    pub fn in_background(&self) -> Vec<Arc<PoolMember>> {
        let at_work = |member: &&Arc<PoolMember>| member.identity.is_background && member.report().is_none();
        self.members().iter().filter(at_work).cloned().collect()
    }

    /// Stops all that run in the background, without a notification for the model, because the user stopped them.
    pub fn stop_all(&self) {
        for member in self.in_background() {
            member.is_unwanted.cancel();
            member.stop();
        }
    }

    /// Whether one more may run.
    pub(crate) fn has_room(&self) -> bool {
        self.members().iter().filter(|member| member.report().is_none()).count() < MAX_AT_WORK
    }

    /// Takes one on.
    pub fn join(
        &self,
        identity: Arc<SubagentIdentity>,
        output: PathBuf,
        stop: CancellationToken,
    ) -> Arc<PoolMember> {
        let member = Arc::new(PoolMember {
            identity,
            output,
            report: watch::Sender::new(None),
            stop,
            mail: Mutex::default(),
            is_unwanted: CancellationToken::new(),
        });
        let mut members = self.members();
        // One that continues takes the place of its earlier run.
        members.retain(|known| known.identity.id != member.identity.id);
        members.push(member.clone());
        let done = members.iter().filter(|member| member.report().is_some()).count();
        let mut surplus = done.saturating_sub(MAX_DONE);
        members.retain(|member| {
            let forget = surplus > 0 && member.report().is_some();
            surplus -= usize::from(forget);
            !forget
        });
        member
    }

    fn members(&self) -> MutexGuard<'_, Vec<Arc<PoolMember>>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
