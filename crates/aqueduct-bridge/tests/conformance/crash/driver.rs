//! Drives one session with two clients: while faults are applied, and then until it is at rest.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::client::{Client, word};
use crate::input::Input;
use crate::machine::Machine;

/// How long a client waits for an acknowledgement before it sends the input again.
pub(crate) const AGAIN: Duration = Duration::from_millis(700);

/// What a round wants of its sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Send inputs, interrupt, cancel, stop.
    Load,
    /// Send nothing new, and wait until everything has its end.
    Rest,
}

/// A decision that a client sent.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    /// The request that it decides.
    pub(crate) id: String,
    /// `allowed` or `denied`.
    pub(crate) decision: &'static str,
    pub(crate) is_acknowledged: bool,
}

/// What the clients of a session did and received.
pub(crate) struct Driver {
    pub(crate) machine: Arc<Machine>,
    /// The session's number in the round.
    pub(crate) number: usize,
    pub(crate) session: String,
    pub(crate) clients: [Client; 2],
    pub(crate) random: Rng,
    pub(crate) inputs: Vec<Input>,
    /// When inputs were sent last, by their marks.
    pub(crate) tried: HashMap<String, Instant>,
    /// By their request ids.
    pub(crate) decisions: HashMap<String, Sent>,
    /// When a request was decided last by this client.
    pub(crate) decided: HashMap<String, Instant>,
    /// Inputs that a client asked to cancel, by request ids.
    pub(crate) cancels: HashMap<String, String>,
    /// What the bridge reported last with `session`.
    pub(crate) snapshot: Value,
    /// When something of this session changed last.
    pub(crate) progress: Instant,
    /// The longest time until an input was acknowledged.
    pub(crate) slowest: Duration,
    /// What must not happen.
    pub(crate) faults: Vec<String>,
    /// Replies that refuse something, counted by their text.
    pub(crate) refusals: HashMap<String, usize>,
}

impl Driver {
    pub(crate) fn new(machine: Arc<Machine>, number: usize, seed: u64) -> Driver {
        let mut random = Rng::with_seed(seed.wrapping_mul(1000).wrapping_add(number as u64));
        let session = uuid::Builder::from_random_bytes(random.u128(..).to_be_bytes()).into_uuid().to_string();
        Driver {
            machine,
            number,
            clients: [Client::new("a", &session), Client::new("b", &session)],
            session,
            random,
            inputs: Vec::new(),
            tried: HashMap::new(),
            decisions: HashMap::new(),
            decided: HashMap::new(),
            cancels: HashMap::new(),
            snapshot: Value::Null,
            progress: Instant::now(),
            slowest: Duration::ZERO,
            faults: Vec::new(),
            refusals: HashMap::new(),
        }
    }

    /// Starts the session, while nothing is killed.
    pub(crate) async fn start(&mut self) -> Result<(), String> {
        let start = json!({"type": "start", "projectPath": self.machine.project(), "agent": "under-test"});
        let client = &mut self.clients[0];
        if !client.connect(&self.machine).await {
            return Err("the bridge accepts no connection".to_owned());
        }
        let Some(id) = client.request(start).await else { return Err("the bridge is gone".to_owned()) };
        while let Some(message) = client.next().await {
            if message["requestId"] == id.as_str() {
                client.hang_up();
                return match message["type"] == "ok" {
                    true => Ok(()),
                    false => Err(format!("the session does not start: {message}")),
                };
            }
        }
        Err("the bridge is gone".to_owned())
    }

    /// Drives the session until it is at rest, or stuck.
    pub(crate) async fn drive(mut self, mut phase: watch::Receiver<Phase>) -> Driver {
        let mut before = Phase::Load;
        loop {
            for client in &mut self.clients {
                if !client.is_connected() && !client.connect(&self.machine).await {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                }
            }
            let now = *phase.borrow_and_update();
            if now != std::mem::replace(&mut before, now) {
                self.progress = Instant::now();
            }
            match now {
                Phase::Load => self.act().await,
                Phase::Rest => {
                    if self.is_at_rest() || self.is_stuck() {
                        return self;
                    }
                    self.settle().await;
                }
            }
            self.decide().await;
            self.listen(&mut phase).await;
        }
    }

    /// Receives messages for a while.
    async fn listen(&mut self, phase: &mut watch::Receiver<Phase>) {
        let pause = Duration::from_millis(self.random.u64(5..60));
        let end = tokio::time::sleep(pause);
        tokio::pin!(end);
        loop {
            let [first, second] = &mut self.clients;
            if !first.is_connected() && !second.is_connected() {
                return;
            }
            let (message, from) = tokio::select! {
                () = &mut end => return,
                _ = phase.changed() => return,
                message = first.next(), if first.is_connected() => (message, 0),
                message = second.next(), if second.is_connected() => (message, 1),
            };
            let Some(message) = message else { return };
            if message["sessionId"] == self.session.as_str() || !message["requestId"].is_null() {
                self.take(&message);
            }
            if message["type"] == "permission_request" && from == 0 {
                return;
            }
        }
    }

    fn take(&mut self, message: &Value) {
        let request = word(message, "requestId");
        match message["type"].as_str() {
            Some("input_ack") => self.acknowledged(message),
            Some("input_rejected") => self.refused(message),
            Some("ok") => {
                self.progress = Instant::now();
                if let Some(sent) = self.decisions.get_mut(&request) {
                    sent.is_acknowledged = true;
                }
                if let Some(mark) = self.cancels.remove(&request)
                    && let Some(input) = self.inputs.iter_mut().find(|input| input.mark == mark)
                {
                    input.was_cancelled = true;
                }
            }
            Some("error") => self.refused(message),
            Some("session") => self.snapshot = message["snapshot"].clone(),
            _ if message["seq"].is_u64() => self.progress = Instant::now(),
            _ => {}
        }
    }

    /// An input is acknowledged, or its state is sent again.
    fn acknowledged(&mut self, ack: &Value) {
        let (mark, id, state) = (word(ack, "clientMessageId"), word(ack, "inputId"), word(ack, "state"));
        let Some(input) = self.inputs.iter_mut().find(|input| input.mark == mark) else {
            self.faults.push(format!("an input was acknowledged that was never sent: {ack}"));
            return;
        };
        if let Some(before) = &input.id
            && *before != id
        {
            self.faults
                .push(format!("{mark} was acknowledged as {before} and later as {id}: it was lost between"));
        }
        if input.state != state {
            self.progress = Instant::now();
        }
        if input.id.is_none() {
            self.slowest = self.slowest.max(input.since.elapsed());
        }
        (input.id, input.state) = (Some(id), state);
    }

    fn refused(&mut self, message: &Value) {
        let why = format!("{}: {}", word(message, "code"), word(message, "message"));
        // Only questions that were received are decided about.
        if message["code"] == "permission_not_found" {
            self.faults.push(format!("a question that was asked is unknown: {message}"));
        }
        *self.refusals.entry(why).or_default() += 1;
    }
}
