use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::handle::Office;
use super::lane::{Letter, Put};
use super::withheld::Withheld;
use super::{News, Occasion, PushWords};
use crate::log::{PushSubscription, Time};

/// How many notifications are remembered that may still be seen somewhere.
const REMEMBERED: usize = 1024;

/// What the desk is told.
#[derive(Debug)]
pub(super) enum Order {
    /// Something happened.
    News(News),
    /// A device has no connection any more.
    Left(String),
}

/// Decides which subscriptions hear of what.
pub(super) struct Desk {
    office: Arc<Office>,
    orders: mpsc::Receiver<Order>,
    withheld: Withheld,
    /// Subscriptions that were told that a session waits, and sessions.
    told: HashSet<(String, Arc<str>)>,
    carriers: JoinSet<()>,
}

impl Desk {
    pub(super) fn new(office: Arc<Office>, orders: mpsc::Receiver<Order>) -> Self {
        Desk { office, orders, withheld: Withheld::default(), told: HashSet::new(), carriers: JoinSet::new() }
    }

    /// Does what it is told until nobody can tell it anything.
    pub(super) async fn run(mut self) {
        loop {
            tokio::select! {
                order = self.orders.recv() => match order {
                    Some(Order::News(news)) => self.spread(Arc::new(news)).await,
                    Some(Order::Left(device)) => self.remind(&device).await,
                    None => return,
                },
                _ = self.carriers.join_next(), if !self.carriers.is_empty() => {}
            }
        }
    }

    /// The subscriptions of those who may see a session in this folder.
    async fn subscriptions(&mut self, folder: &str) -> Vec<PushSubscription> {
        self.office.log.pushes_for(folder, Time::now()).await.unwrap_or_else(|error| {
            self.office.note(format_args!("can't look for subscriptions to notifications: {error}"));
            Vec::new()
        })
    }

    async fn spread(&mut self, news: Arc<News>) {
        let subscriptions = self.subscriptions(&news.folder).await;
        let session = &news.session;
        self.withheld.forget(session);
        let told = self.told.extract_if(|(_, waits)| waits == session);
        let mut told: HashSet<String> = told.map(|(endpoint, _)| endpoint).collect();
        if news.occasion == Occasion::Settled {
            for endpoint in self.office.lanes.take_back(session) {
                told.remove(&endpoint);
            }
        }
        for to in subscriptions {
            let is_looking = news.looking.contains(&to.device_id);
            match news.occasion {
                Occasion::Waits if is_looking => self.withheld.add(&to.device_id, &news),
                Occasion::Settled if !told.contains(&to.endpoint) => {}
                _ if is_looking => {}
                _ => self.send(to, &news),
            }
        }
    }

    /// A device that looked is gone: what still waits is told.
    async fn remind(&mut self, device: &str) {
        for news in self.withheld.take(device) {
            for to in self.subscriptions(&news.folder).await {
                if to.device_id == device {
                    self.send(to, &news);
                }
            }
        }
    }

    fn send(&mut self, to: PushSubscription, news: &Arc<News>) {
        let content = to.content && self.office.settings.words == PushWords::Content;
        let endpoint = to.endpoint.clone();
        if news.occasion == Occasion::Waits {
            // Whoever is forgotten keeps a notification that says too much.
            if self.told.len() >= REMEMBERED {
                self.told.clear();
            }
            self.told.insert((endpoint.clone(), news.session.clone()));
        }
        match self.office.lanes.put(Letter { to, news: news.clone(), content }) {
            Put::First => drop(self.carriers.spawn(self.office.clone().carry(endpoint))),
            Put::Waits => {}
            Put::Crowded => self.office.counts.lost.add(1),
        }
    }
}
