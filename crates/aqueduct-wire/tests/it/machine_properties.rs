//! Two machines and a bad connection: lines are lost, doubled and overtaken, and every promise holds.

use std::collections::{HashMap, HashSet};

use aqueduct_wire::control::{
    AgentRequest, CanUseToolRequest, HostRequest, InitializeRequest, InterruptRequest, UserDialogRequest,
};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{Agent, ControlError, Host, Incoming, Machine, MachineLimits, RequestId};
use aqueduct_wire::{FromAgent, ToAgent};
use proptest::prelude::*;

const LIMITS: MachineLimits = MachineLimits { open_requests: 6, recent_ids: 1024 };

#[derive(Debug, Clone)]
enum Step {
    HostAsks {
        initialize: bool,
        deadline: Option<u64>,
    },
    AgentAsks {
        dialog: bool,
        deadline: Option<u64>,
    },
    HostCancels(usize),
    AgentCancels(usize),
    HostServes(usize, Service),
    AgentServes(usize, Service),
    /// Takes the line at this place out of the queue, so that others are overtaken.
    Deliver {
        to_agent: bool,
        place: usize,
    },
    Lose {
        to_agent: bool,
        place: usize,
    },
    Double {
        to_agent: bool,
        place: usize,
    },
    Tick(u64),
}

#[derive(Debug, Clone, Copy)]
enum Service {
    Answer,
    Refuse,
    Decline,
}

fn service() -> impl Strategy<Value = Service> {
    prop_oneof![Just(Service::Answer), Just(Service::Refuse), Just(Service::Decline)]
}

fn step() -> impl Strategy<Value = Step> {
    let deadline = || prop::option::of(0..200_u64);
    prop_oneof![
        3 => (any::<bool>(), deadline()).prop_map(|(initialize, deadline)| Step::HostAsks { initialize, deadline }),
        3 => (any::<bool>(), deadline()).prop_map(|(dialog, deadline)| Step::AgentAsks { dialog, deadline }),
        1 => any::<usize>().prop_map(Step::HostCancels),
        1 => any::<usize>().prop_map(Step::AgentCancels),
        3 => (any::<usize>(), service()).prop_map(|(which, how)| Step::HostServes(which, how)),
        3 => (any::<usize>(), service()).prop_map(|(which, how)| Step::AgentServes(which, how)),
        8 => (any::<bool>(), any::<usize>()).prop_map(|(to_agent, place)| Step::Deliver { to_agent, place }),
        1 => (any::<bool>(), any::<usize>()).prop_map(|(to_agent, place)| Step::Lose { to_agent, place }),
        2 => (any::<bool>(), any::<usize>()).prop_map(|(to_agent, place)| Step::Double { to_agent, place }),
        1 => (0..50_u64).prop_map(Step::Tick),
    ]
}

/// Both sides, the lines between them, and what became of each request.
struct World {
    host: Machine<Host>,
    agent: Machine<Agent>,
    to_agent: Vec<String>,
    to_host: Vec<String>,
    now: u64,
    fates: HashMap<RequestId, &'static str>,
    made: HashSet<RequestId>,
    served: HashSet<RequestId>,
    answered: HashSet<RequestId>,
}

impl World {
    fn new() -> Self {
        World {
            host: Machine::with_limits("p", LIMITS),
            agent: Machine::with_limits("p", LIMITS),
            to_agent: Vec::new(),
            to_host: Vec::new(),
            now: 0,
            fates: HashMap::new(),
            made: HashSet::new(),
            served: HashSet::new(),
            answered: HashSet::new(),
        }
    }

    fn settle(&mut self, id: RequestId, fate: &'static str) {
        assert!(self.made.contains(&id), "{id} was never asked");
        let before = self.fates.insert(id.clone(), fate);
        assert_eq!(before, None, "{id} had a fate before it was {fate}");
    }

    fn serve(&mut self, id: RequestId) {
        assert!(self.made.contains(&id), "{id} was never asked");
        assert!(self.served.insert(id.clone()), "{id} was served twice");
    }

    fn answer(&mut self, id: &RequestId) {
        assert!(self.answered.insert(id.clone()), "{id} was answered twice");
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::HostAsks { initialize, deadline } => {
                let request = match initialize {
                    true => HostRequest::Initialize(Box::new(InitializeRequest::new())),
                    false => HostRequest::Interrupt(InterruptRequest::new()),
                };
                let sent = self.host.request(request, deadline.map(|delay| self.now + delay));
                assert!(self.made.insert(sent.id));
                self.to_agent.push(sent.line);
            }
            Step::AgentAsks { dialog, deadline } => {
                let request = match dialog {
                    true => AgentRequest::UserDialog(UserDialogRequest::new("k")),
                    false => AgentRequest::CanUseTool(Box::new(CanUseToolRequest::new("Bash", Raw::NULL))),
                };
                let sent = self.agent.request(request, deadline.map(|delay| self.now + delay));
                assert!(self.made.insert(sent.id));
                self.to_host.push(sent.line);
            }
            Step::HostCancels(which) => {
                if let Some(id) = pick(self.host.pending(), *which) {
                    let line = self.host.cancel(&id).unwrap();
                    self.settle(id, "cancelled");
                    self.to_agent.push(line);
                }
            }
            Step::AgentCancels(which) => {
                if let Some(id) = pick(self.agent.pending(), *which) {
                    let line = self.agent.cancel(&id).unwrap();
                    self.settle(id, "cancelled");
                    self.to_host.push(line);
                }
            }
            Step::HostServes(which, how) => {
                if let Some(id) = pick(self.host.serving(), *which) {
                    let line = serve(&mut self.host, &id, *how);
                    self.answer(&id);
                    self.to_agent.extend(line);
                }
            }
            Step::AgentServes(which, how) => {
                if let Some(id) = pick(self.agent.serving(), *which) {
                    let line = serve(&mut self.agent, &id, *how);
                    self.answer(&id);
                    self.to_host.extend(line);
                }
            }
            Step::Deliver { to_agent, place } => self.deliver(*to_agent, *place),
            Step::Lose { to_agent, place } => {
                take(self.queue(*to_agent), *place);
            }
            Step::Double { to_agent, place } => {
                let queue = self.queue(*to_agent);
                if !queue.is_empty() {
                    let line = queue[place % queue.len()].clone();
                    queue.push(line);
                }
            }
            Step::Tick(delay) => {
                self.now += delay;
                self.expire(self.now);
            }
        }
        assert!(self.host.serving().len() <= LIMITS.open_requests);
        assert!(self.agent.serving().len() <= LIMITS.open_requests);
    }

    fn queue(&mut self, to_agent: bool) -> &mut Vec<String> {
        if to_agent { &mut self.to_agent } else { &mut self.to_host }
    }

    fn deliver(&mut self, to_agent: bool, place: usize) {
        let Some(line) = take(self.queue(to_agent), place) else { return };
        if to_agent {
            for event in self.agent.receive(&ToAgent::parse(&line).unwrap()) {
                self.take_event(event, false);
            }
        } else {
            for event in self.host.receive(&FromAgent::parse(&line).unwrap()) {
                self.take_event(event, true);
            }
        }
    }

    fn take_event<Q>(&mut self, event: Incoming<Q>, answer_to_agent: bool) {
        match event {
            Incoming::Request { id, .. } => self.serve(id),
            Incoming::Refused { id, line } => {
                self.serve(id.clone());
                self.answer(&id);
                self.queue(answer_to_agent).push(line);
            }
            Incoming::Answer { id, .. } => self.settle(id, "answered"),
            Incoming::Cancelled { id } => self.answer(&id),
            _ => {}
        }
    }

    fn expire(&mut self, now: u64) {
        for expired in self.host.expire(now) {
            self.settle(expired.id, "expired");
            self.to_agent.push(expired.line);
        }
        for expired in self.agent.expire(now) {
            self.settle(expired.id, "expired");
            self.to_host.push(expired.line);
        }
    }

    /// Delivers everything, serves everything, and gives up what is left.
    fn finish(&mut self) {
        loop {
            let serves = self.host.serving().len() + self.agent.serving().len();
            if self.to_agent.is_empty() && self.to_host.is_empty() && serves == 0 {
                break;
            }
            self.deliver(true, 0);
            self.deliver(false, 0);
            self.step(&Step::HostServes(0, Service::Answer));
            self.step(&Step::AgentServes(0, Service::Refuse));
        }
        self.expire(u64::MAX);
        assert_eq!((self.host.next_deadline(), self.agent.next_deadline()), (None, None));
    }
}

fn serve<R: aqueduct_wire::machine::Role>(
    machine: &mut Machine<R>,
    id: &RequestId,
    how: Service,
) -> Option<String> {
    match how {
        Service::Answer => Some(machine.answer(id, &Raw::NULL).unwrap()),
        Service::Refuse => Some(machine.refuse(id, &ControlError::new("no", "no")).unwrap()),
        Service::Decline => machine.decline(id),
    }
}

fn pick(ids: Vec<(&RequestId, &str)>, which: usize) -> Option<RequestId> {
    (!ids.is_empty()).then(|| ids[which % ids.len()].0.clone())
}

fn take(queue: &mut Vec<String>, place: usize) -> Option<String> {
    (!queue.is_empty()).then(|| queue.remove(place % queue.len()))
}

proptest! {
    #[test]
    fn every_request_has_at_most_one_fate(steps in prop::collection::vec(step(), 0..200)) {
        let mut world = World::new();
        for step in &steps {
            world.step(step);
        }
        world.finish();
        let waiting = world.host.pending().len() + world.agent.pending().len();
        prop_assert_eq!(world.fates.len() + waiting, world.made.len());
    }

    #[test]
    fn with_nothing_lost_every_request_is_settled(steps in prop::collection::vec(step(), 0..200)) {
        let mut world = World::new();
        for step in &steps {
            let silent = matches!(step, Step::HostServes(_, Service::Decline));
            if !silent && !matches!(step, Step::Lose { .. }) {
                world.step(step);
            }
        }
        world.finish();
        prop_assert!(world.host.pending().is_empty(), "{:?}", world.host.pending());
        prop_assert!(world.agent.pending().is_empty(), "{:?}", world.agent.pending());
        prop_assert_eq!(world.fates.len(), world.made.len());
    }

    #[test]
    fn any_line_is_taken_in_without_a_panic(
        id in "[a-z0-9-]{0,4}",
        subtype in "(can_use_tool|initialize|elicitation|success|error|x)",
        body in "(null|\\{\\}|\\[\\]|1|\"s\"|\\{\"request_id\":\"p-h1\"\\})",
    ) {
        let mut host = Machine::<Host>::new("p");
        let mut agent = Machine::<Agent>::new("p");
        host.request(HostRequest::Interrupt(InterruptRequest::new()), None);
        for line in [
            format!(r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"{subtype}","input":{body}}}}}"#),
            format!(r#"{{"type":"control_request","request_id":"{id}","request":{body}}}"#),
            format!(r#"{{"type":"control_response","response":{{"subtype":"{subtype}","request_id":"{id}","response":{body}}}}}"#),
            format!(r#"{{"type":"control_response","response":{{"subtype":"{subtype}","error":{body}}}}}"#),
            format!(r#"{{"type":"control_response","response":{body}}}"#),
            format!(r#"{{"type":"control_cancel_request","request_id":{body}}}"#),
        ] {
            host.receive(&FromAgent::parse(&line).unwrap());
            agent.receive(&ToAgent::parse(&line).unwrap());
        }
    }
}
