use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::handle::Office;
use super::post::Outcome;
use super::{News, Occasion};
use crate::log::{LogError, PushSubscription, Time};

/// How many notifications wait for one subscription. There is one for each session at most.
const WAITING: usize = 32;

/// News for one device.
#[derive(Debug, Clone)]
pub(super) struct Letter {
    pub(super) to: PushSubscription,
    pub(super) news: Arc<News>,
    /// Whether it may hold words of the session.
    pub(super) content: bool,
}

/// What waits to be brought, by the address of the subscription. One that is here has a task that carries it.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    waiting: Mutex<HashMap<String, VecDeque<Letter>>>,
}

/// What became of a letter that was put into a lane.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Put {
    /// Somebody has to carry the lane from now on.
    First,
    /// It waits.
    Waits,
    /// It waits in the place of the oldest, which is lost.
    Crowded,
}

impl Lanes {
    fn waiting(&self) -> MutexGuard<'_, HashMap<String, VecDeque<Letter>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a letter into its lane. What else waits there of the same session is out of date.
    pub(super) fn put(&self, letter: Letter) -> Put {
        let mut waiting = self.waiting();
        let Some(lane) = waiting.get_mut(&letter.to.endpoint) else {
            waiting.insert(letter.to.endpoint.clone(), VecDeque::from([letter]));
            return Put::First;
        };
        lane.retain(|older| older.news.session != letter.news.session);
        let is_crowded = lane.len() >= WAITING;
        if is_crowded {
            lane.pop_front();
        }
        lane.push_back(letter);
        if is_crowded { Put::Crowded } else { Put::Waits }
    }

    /// The next letter of a lane, which ends with the last.
    fn next(&self, endpoint: &str) -> Option<Letter> {
        let mut waiting = self.waiting();
        let letter = waiting.get_mut(endpoint).and_then(VecDeque::pop_front);
        if letter.is_none() {
            waiting.remove(endpoint);
        }
        letter
    }

    /// Whether newer news of a letter's session waits.
    fn has_newer(&self, letter: &Letter) -> bool {
        self.waiting()
            .get(&letter.to.endpoint)
            .is_some_and(|lane| lane.iter().any(|newer| newer.news.session == letter.news.session))
    }

    /// Takes back that a session waits, wherever that was not brought yet. Says for which subscriptions it was.
    pub(super) fn take_back(&self, session: &str) -> Vec<String> {
        let mut taken = Vec::new();
        for (endpoint, lane) in self.waiting().iter_mut() {
            let before = lane.len();
            lane.retain(|letter| letter.news.occasion != Occasion::Waits || &*letter.news.session != session);
            taken.extend((lane.len() < before).then(|| endpoint.clone()));
        }
        taken
    }

    /// Nothing more is brought to a subscription.
    fn empty(&self, endpoint: &str) {
        if let Some(lane) = self.waiting().get_mut(endpoint) {
            lane.clear();
        }
    }
}

impl Office {
    /// Carries what waits in a lane, one letter after the other, until nothing does.
    pub(super) async fn carry(self: Arc<Self>, endpoint: String) {
        while let Some(letter) = self.lanes.next(&endpoint) {
            self.deliver(&letter).await;
        }
    }

    /// Brings a letter, in several tries if that has to be.
    async fn deliver(&self, letter: &Letter) {
        let pace = self.settings.pace;
        let mut pause = pace.pause;
        for attempt in 1.. {
            if !self.is_subscribed(letter).await {
                return;
            }
            let (why, wait) = match self.post.bring(&letter.to, &letter.news, letter.content).await {
                Outcome::Taken => return self.counts.sent.add(1),
                Outcome::Gone => return self.gone(&letter.to.endpoint).await,
                Outcome::Refused(why) => return self.lost(letter, &why),
                Outcome::Later(why, wait) => (why, wait.unwrap_or(pause)),
            };
            if attempt >= pace.tries || wait > pace.longest {
                return self.lost(letter, &why);
            }
            tokio::time::sleep(wait).await;
            if self.lanes.has_newer(letter) {
                return;
            }
            pause = pause.saturating_mul(4);
        }
    }

    /// Whether a device still gets what is on its way: it may have been revoked or have expired meanwhile.
    async fn is_subscribed(&self, letter: &Letter) -> bool {
        let found = self.log.pushes_for(&letter.news.folder, Time::now()).await;
        found.is_ok_and(|found| {
            found
                .iter()
                .any(|one| (&one.device_id, &one.endpoint) == (&letter.to.device_id, &letter.to.endpoint))
        })
    }

    /// A subscription is over: its service says so.
    pub(super) async fn gone(&self, endpoint: &str) {
        if let Err(error) = self.remove(endpoint).await {
            self.note(format_args!("could not remove a subscription to notifications: {error}"));
        }
    }

    /// Brings nothing more to a subscription.
    pub(super) async fn remove(&self, endpoint: &str) -> Result<(), LogError> {
        self.lanes.empty(endpoint);
        self.log.remove_push(endpoint).await
    }

    fn lost(&self, letter: &Letter, why: &str) {
        self.counts.lost.add(1);
        self.note(format_args!(
            "a notification is lost: {} does not take it: {why}",
            self.service(&letter.to)
        ));
    }
}
