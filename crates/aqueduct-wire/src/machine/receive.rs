use super::{
    Agent, ControlError, Handshake, Host, INITIALIZE, Ignored, Incoming, MALFORMED_RESPONSE, MAX_ID_BYTES,
    Machine, RequestId, Role, line,
};
use crate::control::{
    AgentRequest, ControlCancelFrame, ControlResponse, HostRequest, PendingRequest, Unhandled,
};
use crate::frame::{FromAgent, ToAgent};
use crate::json::{IntoOwned, Raw};
use crate::table::{Unknown, UnknownReason};

/// What a host receives.
type FromPeer = Incoming<AgentRequest<'static>>;

impl Machine<Host> {
    /// Takes a frame of the agent and returns its meaning. A frame that is not a control frame has no meaning
    /// here; the answer to `initialize` can mean several things, because it lists requests to be served.
    pub fn receive(&mut self, frame: &FromAgent<'_>) -> Vec<FromPeer> {
        match frame {
            FromAgent::ControlRequest(frame) => {
                vec![self.receive_request(&frame.request_id, &frame.request)]
            }
            FromAgent::ControlResponse(frame) => {
                let answer = self.settle(&frame.response);
                let lists_requests =
                    matches!(&answer, Incoming::Answer { subtype, .. } if subtype == INITIALIZE);
                let mut events = vec![answer];
                if lists_requests {
                    for request in listed_requests(&frame.response) {
                        events.push(self.receive_request(&request.request_id, &request.request));
                    }
                }
                events
            }
            FromAgent::ControlCancelRequest(frame) => vec![self.withdraw(frame)],
            FromAgent::Unknown(unknown) => self.refuse_broken(unknown).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    fn receive_request(&mut self, id: &str, request: &AgentRequest<'_>) -> FromPeer {
        let unknown = match request {
            AgentRequest::Unknown(unknown) => Some(unknown),
            _ => None,
        };
        self.accept(id, request.tag(), unknown, || request.clone().into_owned())
    }
}

impl Machine<Agent> {
    /// Takes a frame of the host and returns its meaning. A frame that is not a control frame has no meaning
    /// here.
    pub fn receive(&mut self, frame: &ToAgent<'_>) -> Vec<Incoming<HostRequest<'static>>> {
        match frame {
            ToAgent::ControlRequest(frame) => {
                let request = &frame.request;
                let unknown = match request {
                    HostRequest::Unknown(unknown) => Some(unknown),
                    _ => None,
                };
                vec![self.accept(&frame.request_id, request.tag(), unknown, || request.clone().into_owned())]
            }
            ToAgent::ControlResponse(frame) => vec![self.settle(&frame.response)],
            ToAgent::ControlCancelRequest(frame) => vec![self.withdraw(frame)],
            ToAgent::Unknown(unknown) => self.refuse_broken(unknown).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

impl<R: Role> Machine<R> {
    /// Takes a request of the peer in, unless it is a duplicate, unknown, broken or one too many.
    fn accept<Q>(
        &mut self,
        id: &str,
        subtype: &str,
        unknown: Option<&Unknown<'_>>,
        request: impl FnOnce() -> Q,
    ) -> Incoming<Q> {
        let id = RequestId::from(id);
        if subtype.len() > MAX_ID_BYTES {
            return Incoming::Refused { line: line::error(&id, &ControlError::id_too_long()), id };
        }
        if let Some(event) = self.unserved(&id) {
            return event;
        }
        if let Some(unknown) = unknown {
            match unknown.why {
                UnknownReason::Tag if self.serves_unknown => {}
                UnknownReason::Tag => return self.reject(id, ControlError::unsupported(subtype)),
                UnknownReason::Misfit(_) if R::unhandled(subtype) == Unhandled::StaySilent => {
                    self.serving.settle(id.clone());
                    return Incoming::Ignored { id, why: Ignored::MalformedRequest };
                }
                UnknownReason::Misfit(member) => {
                    return self.reject(id, ControlError::invalid(subtype, member));
                }
            }
        }
        if self.serving.is_full() {
            return self.reject(id, ControlError::too_many(self.serving.limit()));
        }
        if subtype == INITIALIZE && self.handshake == Handshake::Before {
            self.handshake = Handshake::Asked;
        }
        self.serving.insert(id.clone(), subtype.to_owned());
        Incoming::Request { id, request: request() }
    }

    /// What becomes of a request whose id is too long to keep or has been here before.
    fn unserved<Q>(&self, id: &RequestId) -> Option<Incoming<Q>> {
        let id = id.clone();
        if id.as_str().len() > MAX_ID_BYTES {
            return Some(Incoming::Refused { line: line::error(&id, &ControlError::id_too_long()), id });
        }
        if self.serving.is_open(&id) {
            return Some(Incoming::Ignored { id, why: Ignored::DuplicateRequest });
        }
        let settled = self.serving.was_settled(&id);
        settled.then_some(Incoming::Ignored { id, why: Ignored::SettledRequest })
    }

    /// Refuses a control request that has an id and lacks the rest: its sender waits for an answer.
    fn refuse_broken<Q>(&mut self, frame: &Unknown<'_>) -> Option<Incoming<Q>> {
        let UnknownReason::Misfit(member) = frame.why else { return None };
        if frame.tag.as_deref() != Some("control_request") {
            return None;
        }
        let id = RequestId::from(frame.raw.view::<ControlCancelFrame<'_>>()?.request_id.as_str());
        Some(self.unserved(&id).unwrap_or_else(|| {
            let error = ControlError::invalid("control_request", member);
            self.reject(id, error)
        }))
    }

    fn reject<Q>(&mut self, id: RequestId, error: ControlError) -> Incoming<Q> {
        self.serving.settle(id.clone());
        Incoming::Refused { line: line::error(&id, &error), id }
    }

    /// Brings an answer to the request that waits for it.
    fn settle<Q>(&mut self, response: &ControlResponse<'_>) -> Incoming<Q> {
        let (id, outcome) = outcome(response);
        let Some(subtype) = self.outgoing.close(&id) else {
            let settled = self.outgoing.was_settled(&id);
            let why = if settled { Ignored::SettledResponse } else { Ignored::UnknownResponse };
            return Incoming::Ignored { id, why };
        };
        match &outcome {
            Ok(_) if subtype == INITIALIZE => self.handshake = Handshake::Done,
            Ok(_) => {}
            Err(_) => self.undo_handshake(&subtype),
        }
        Incoming::Answer { id, subtype, outcome }
    }

    /// Drops a request that the peer withdraws.
    fn withdraw<Q>(&mut self, frame: &ControlCancelFrame<'_>) -> Incoming<Q> {
        let id = RequestId::from(frame.request_id.as_str());
        match self.serving.close(&id) {
            Some(subtype) => {
                self.undo_handshake(&subtype);
                Incoming::Cancelled { id }
            }
            None => Incoming::Ignored { id, why: Ignored::UnknownCancel },
        }
    }
}

/// Whom a response answers, and with what.
fn outcome(response: &ControlResponse<'_>) -> (RequestId, Result<Raw<'static>, ControlError>) {
    match response {
        ControlResponse::Success(response) => {
            let payload = response.response.clone().map_or(Raw::checked("{}"), IntoOwned::into_owned);
            (response.request_id.as_str().into(), Ok(payload))
        }
        ControlResponse::Error(response) => {
            (response.request_id.as_str().into(), Err(ControlError::from_response(response)))
        }
        ControlResponse::Unknown(unknown) => {
            let id = unknown
                .raw
                .view::<ControlCancelFrame<'_>>()
                .map(|frame| RequestId::from(frame.request_id.as_str()));
            let error = ControlError::new(MALFORMED_RESPONSE, "The answer is neither a success nor an error");
            (id.unwrap_or_else(|| "".into()), Err(error))
        }
    }
}

/// The open requests that an answer to `initialize` lists.
fn listed_requests<'r, 'a>(
    response: &'r ControlResponse<'a>,
) -> impl Iterator<Item = &'r PendingRequest<'a>> {
    let lists = match response {
        ControlResponse::Success(response) => [
            &response.pending_permission_requests,
            &response.pending_user_dialog_requests,
            &response.pending_elicitation_requests,
        ],
        ControlResponse::Error(response) => [
            &response.pending_permission_requests,
            &response.pending_user_dialog_requests,
            &response.pending_elicitation_requests,
        ],
        ControlResponse::Unknown(_) => [&None, &None, &None],
    };
    lists.into_iter().flatten().flatten()
}
