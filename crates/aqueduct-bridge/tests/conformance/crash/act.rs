//! What the clients of a session do while faults are applied.

use std::time::Instant;

use serde_json::json;

use crate::client::word;
use crate::driver::{AGAIN, Driver, Sent};
use crate::input::{Input, Work};

/// How many inputs of a session may be without an end.
const OPEN_INPUTS: usize = 4;

impl Driver {
    /// Something that a user might do now.
    pub(crate) async fn act(&mut self) {
        self.send_again().await;
        let open =
            self.inputs.iter().filter(|input| !self.has_result(&input.mark) && !input.was_cancelled).count();
        let one = self.random.usize(..2);
        let choice = self.random.u8(..100);
        // What ends turns is rarer where turns take longer.
        if choice >= 70 && self.random.u32(..self.machine.agent().pace()) > 0 {
            return;
        }
        match choice {
            0..=69 if open < OPEN_INPUTS => {
                let work = Work::random(&mut self.random);
                self.new_input(work).await;
            }
            70..=73 => {
                let hard = self.random.u8(..4) == 0;
                self.clients[one].request(json!({"type": "interrupt", "hard": hard})).await;
            }
            74..=75 => drop(self.clients[one].request(json!({"type": "stop_session"})).await),
            76..=79 => self.cancel(one).await,
            80..=82 => self.clients[one].hang_up(),
            _ => {}
        }
    }

    /// Sends a new input, sometimes by both clients at once under the same name.
    pub(crate) async fn new_input(&mut self, work: Work) {
        let input = Input::new(self.machine.agent(), self.number, self.inputs.len(), work);
        self.inputs.push(input);
        self.send_input(self.inputs.len() - 1, 0).await;
        if self.random.u8(..10) == 0 {
            self.send_input(self.inputs.len() - 1, 1).await;
        }
    }

    /// Sends every input again that was not acknowledged in time.
    pub(crate) async fn send_again(&mut self) {
        for place in 0..self.inputs.len() {
            let input = &self.inputs[place];
            let is_due = self.tried.get(&input.mark).is_none_or(|tried| tried.elapsed() > AGAIN);
            if !input.is_acknowledged() && is_due {
                let one = self.random.usize(..2);
                self.send_input(place, one).await;
            }
        }
    }

    pub(crate) async fn send_input(&mut self, place: usize, client: usize) {
        let input = &self.inputs[place];
        let message = json!({"type": "input", "text": input.text, "clientMessageId": input.mark});
        if self.clients[client].send(message).await {
            self.tried.insert(input.mark.clone(), Instant::now());
        }
    }

    /// Takes an input out of the queue, if one waits.
    async fn cancel(&mut self, client: usize) {
        let waiting = self.inputs.iter().rfind(|input| input.is_acknowledged() && input.state == "queued");
        let Some(mark) = waiting.map(|input| input.mark.clone()) else { return };
        let request = json!({"type": "cancel_queued_input", "inputId": mark});
        if let Some(id) = self.clients[client].request(request).await {
            self.cancels.insert(id, mark);
        }
    }

    /// Decides what is to be decided, sometimes by both clients at once and differently.
    pub(crate) async fn decide(&mut self) {
        for client in 0..2 {
            let open: Vec<_> = self.clients[client].pending().cloned().collect();
            for request in open {
                let id = word(&request, "id");
                let is_due = self.decided.get(&id).is_none_or(|decided| decided.elapsed() > AGAIN);
                // The second client decides only now and then: the first one is quick.
                if !is_due || (client == 1 && self.random.u8(..3) > 0) {
                    continue;
                }
                self.decided.insert(id.clone(), Instant::now());
                self.send_decision(client, &request).await;
                if self.random.u8(..4) == 0 {
                    self.send_decision(1 - client, &request).await;
                }
            }
        }
    }

    async fn send_decision(&mut self, client: usize, request: &serde_json::Value) {
        let id = word(request, "id");
        let is_question = request["kind"] == "question";
        // Whether to send an input again that may have been run is as likely as not.
        let denies = match request["kind"] == "resend" {
            true => self.random.bool(),
            false => self.random.u8(..5) == 0,
        };
        let (decision, message) = match denies {
            true => ("denied", json!({"type": "reject", "id": id, "message": "no"})),
            false if is_question => {
                ("answered", json!({"type": "answer", "toolUseId": id, "answers": {"Which colour?": "Red"}}))
            }
            false => ("allowed", json!({"type": "approve", "id": id, "inputHash": request["inputHash"]})),
        };
        if let Some(sent) = self.clients[client].request(message).await {
            self.decisions.insert(sent, Sent { id, decision, is_acknowledged: false });
        }
    }

    /// Whether the turn of an input has ended, as far as the first client has received.
    fn has_result(&self, mark: &str) -> bool {
        let stored = self.clients[0].stored();
        let Some(given) = stored.iter().rposition(|message| message["clientMessageId"] == mark) else {
            return false;
        };
        stored[given..]
            .iter()
            .any(|message| message["type"] == "result" || message["subtype"] == "agent_exited")
    }
}
