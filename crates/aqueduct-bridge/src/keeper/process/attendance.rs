//! Whether a bridge is there, and what becomes of the agent while none is.

use std::time::Instant;

use crate::keeper::protocol::{Activity, Unattended};

/// What the keeper knows of bridges and of the agent's work.
#[derive(Debug)]
pub(super) struct Attendance {
    plan: Unattended,
    /// Since when the agent does what it is doing.
    since: Instant,
    /// Since when no bridge is attached; none while one is.
    alone: Option<Instant>,
}

impl Attendance {
    pub(super) fn new(plan: Unattended, now: Instant) -> Attendance {
        Attendance { plan, since: now, alone: Some(now) }
    }

    /// A bridge sets what to do without it. It may be late, so that an idle agent has begun a turn is read
    /// from the agent's lines alone.
    pub(super) fn plan(&mut self, plan: Unattended, now: Instant) {
        if (self.plan.activity, plan.activity) != (Activity::Idle, Activity::Working) {
            self.note(plan.activity, now);
        }
        self.plan = Unattended { activity: self.plan.activity, ..plan };
    }

    /// The agent has been seen doing this.
    pub(super) fn note(&mut self, activity: Activity, now: Instant) {
        if self.plan.activity != activity {
            self.plan.activity = activity;
            self.since = now;
        }
    }

    /// Notes whether a bridge is attached at this time.
    pub(super) fn attended(&mut self, is_attended: bool, now: Instant) {
        match is_attended {
            true => self.alone = None,
            false => drop(self.alone.get_or_insert(now)),
        }
    }

    /// Since when no bridge is attached.
    pub(super) fn alone_since(&self) -> Option<Instant> {
        self.alone
    }

    /// When the agent is ended if no bridge comes. A turn that runs is never cut off.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let time = match self.plan.activity {
            Activity::Idle => self.plan.idle,
            Activity::Deciding => self.plan.decision,
            Activity::Working => return None,
        };
        self.alone?.max(self.since).checked_add(time)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const IDLE: Duration = Duration::from_secs(60);
    const DECISION: Duration = Duration::from_secs(600);

    #[test]
    fn the_time_begins_when_no_bridge_is_attached_and_nothing_runs() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let plan = Unattended { activity: Activity::Idle, idle: IDLE, decision: DECISION };
        let mut attendance = Attendance::new(plan, start);
        assert_eq!(attendance.deadline(), Some(start + IDLE), "no bridge has come yet");
        attendance.attended(true, at(1));
        assert_eq!(attendance.deadline(), None);
        attendance.plan(Unattended { activity: Activity::Working, ..plan }, at(2));
        attendance.note(Activity::Working, at(2));
        attendance.attended(false, at(3));
        assert_eq!(attendance.deadline(), None, "a turn runs");
        attendance.note(Activity::Deciding, at(5));
        attendance.note(Activity::Deciding, at(9));
        assert_eq!(attendance.deadline(), Some(at(5) + DECISION));
        attendance.note(Activity::Idle, at(10));
        assert_eq!(attendance.deadline(), Some(at(10) + IDLE));
        attendance.attended(false, at(20));
        assert_eq!(attendance.deadline(), Some(at(10) + IDLE));
    }

    #[test]
    fn an_agent_whose_question_was_answered_is_at_work() {
        let start = Instant::now();
        let plan = Unattended { activity: Activity::Idle, idle: IDLE, decision: DECISION };
        let mut attendance = Attendance::new(plan, start);
        attendance.note(Activity::Deciding, start);
        attendance.plan(Unattended { activity: Activity::Working, ..plan }, start);
        assert_eq!(attendance.deadline(), None, "the call that was allowed runs");
        attendance.note(Activity::Idle, start);
        attendance.plan(Unattended { activity: Activity::Working, ..plan }, start);
        assert_eq!(attendance.deadline(), Some(start + IDLE), "a plan that comes late");
    }
}
