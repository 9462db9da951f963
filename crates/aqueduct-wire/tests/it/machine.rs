//! The protocol machine, scenario by scenario: given frames, when, then frames.

use aqueduct_wire::control::{
    AgentRequest, CanUseToolRequest, ElicitationRequest, HostRequest, InitializeReply, InitializeRequest,
    InterruptReply, InterruptRequest, McpStatusRequest, PermissionAllow, PermissionReply,
    UNHANDLED_AGENT_REQUESTS, UserDialogRequest,
};
use aqueduct_wire::json::Raw;
use aqueduct_wire::machine::{
    Agent, ControlError, Handshake, Host, INVALID_REQUEST, Ignored, Incoming, MALFORMED_RESPONSE,
    MAX_ID_BYTES, Machine, MachineLimits, RequestId, TOO_MANY_REQUESTS, UNSUPPORTED_REQUEST,
};
use aqueduct_wire::table::Definition;
use aqueduct_wire::{FromAgent, ToAgent};

type FromPeer = Incoming<AgentRequest<'static>>;

fn host() -> Machine<Host> {
    Machine::new("t")
}

fn receive_line(machine: &mut Machine<Host>, line: &str) -> Vec<FromPeer> {
    machine.receive(&FromAgent::parse(line).unwrap())
}

/// For lines that mean one thing.
fn receives_one(machine: &mut Machine<Host>, line: &str) -> FromPeer {
    let mut events = receive_line(machine, line);
    assert_eq!(events.len(), 1, "{events:?}");
    events.remove(0)
}

fn serves(machine: &mut Machine<Agent>, line: &str) -> Incoming<HostRequest<'static>> {
    let mut events = machine.receive(&ToAgent::parse(line).unwrap());
    assert_eq!(events.len(), 1, "{events:?}");
    events.remove(0)
}

fn interrupt() -> HostRequest<'static> {
    HostRequest::Interrupt(InterruptRequest::new())
}

fn initialize() -> HostRequest<'static> {
    HostRequest::Initialize(Box::new(InitializeRequest::new()))
}

fn permission(id: &str) -> String {
    format!(
        r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"can_use_tool","tool_name":"Bash","input":{{"command":"ls"}},"tool_use_id":"toolu_1"}}}}"#
    )
}

fn success(id: &str, rest: &str) -> String {
    format!(r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"{id}"{rest}}}}}"#)
}

fn cancel(id: &str) -> String {
    format!(r#"{{"type":"control_cancel_request","request_id":"{id}"}}"#)
}

fn ignored(id: &str, why: Ignored) -> FromPeer {
    Incoming::Ignored { id: id.into(), why }
}

/// The member of an error response that programs look at.
fn code(line: &str) -> String {
    let frame: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(frame["type"], "control_response");
    assert_eq!(frame["response"]["subtype"], "error");
    frame["response"]["error_code"].as_str().unwrap().to_owned()
}

#[test]
fn a_request_is_answered() {
    let mut machine = host();
    let sent = machine.request(interrupt(), None);
    assert_eq!(
        sent.line,
        r#"{"type":"control_request","request_id":"t-h1","request":{"subtype":"interrupt"}}"#
    );
    assert_eq!(machine.pending(), [(&sent.id, "interrupt")]);

    let Incoming::Answer { id, subtype, outcome } =
        receives_one(&mut machine, &success("t-h1", r#","response":{"still_queued":["u1"]}"#))
    else {
        panic!("no answer");
    };
    assert_eq!((id, subtype.as_str()), (sent.id, "interrupt"));
    let payload = outcome.unwrap();
    let reply: InterruptReply<'_> = payload.view().unwrap();
    assert_eq!(reply.still_queued.unwrap(), ["u1"]);
    assert!(machine.pending().is_empty());
}

#[test]
fn a_bare_acknowledgement_reads_as_an_empty_object() {
    for rest in ["", r#","response":null"#, r#","response":{}"#] {
        let mut machine = host();
        machine.request(interrupt(), None);
        let Incoming::Answer { outcome: Ok(payload), .. } =
            receives_one(&mut machine, &success("t-h1", rest))
        else {
            panic!("no answer");
        };
        assert_eq!(payload.as_str(), "{}");
    }
}

#[test]
fn errors_come_as_text_or_object_with_or_without_a_code() {
    for (error, message, code) in [
        (r#""error":"nope""#, "nope", None),
        (r#""error":"nope","error_code":"invalid_mode""#, "nope", Some("invalid_mode")),
        (r#""error":{"type":"timeout","message":"late"}"#, "late", Some("timeout")),
    ] {
        let mut machine = host();
        machine.request(interrupt(), None);
        let line = format!(
            r#"{{"type":"control_response","response":{{"subtype":"error",{error},"request_id":"t-h1"}}}}"#
        );
        let Incoming::Answer { outcome: Err(error), .. } = receives_one(&mut machine, &line) else {
            panic!("no error");
        };
        assert_eq!((error.message.as_str(), error.code.as_deref()), (message, code));
    }
}

#[test]
fn an_answer_that_is_neither_success_nor_error_still_settles_its_request() {
    let mut machine = host();
    machine.request(interrupt(), None);
    let line = r#"{"type":"control_response","response":{"subtype":"maybe","request_id":"t-h1"}}"#;
    let Incoming::Answer { outcome: Err(error), .. } = receives_one(&mut machine, line) else {
        panic!("no answer");
    };
    assert_eq!(error.code.as_deref(), Some(MALFORMED_RESPONSE));
    assert!(machine.pending().is_empty());
}

#[test]
fn the_second_answer_of_two_is_ignored() {
    let mut machine = host();
    machine.request(interrupt(), None);
    receive_line(&mut machine, &success("t-h1", ""));
    assert_eq!(receives_one(&mut machine, &success("t-h1", "")), ignored("t-h1", Ignored::SettledResponse));
}

#[test]
fn an_answer_to_nothing_is_ignored() {
    let mut machine = host();
    assert_eq!(receives_one(&mut machine, &success("zzz", "")), ignored("zzz", Ignored::UnknownResponse));
}

#[test]
fn an_agent_that_repeats_the_hosts_answers_has_no_effect() {
    let (mut host, mut agent) = (host(), Machine::<Agent>::new("t"));
    let asked = host.request(interrupt(), None);
    let asks = agent.request(
        AgentRequest::CanUseTool(Box::new(CanUseToolRequest::new("Bash", Raw::parse("{}").unwrap()))),
        None,
    );
    assert_ne!(asked.id, asks.id);
    receive_line(&mut host, &asks.line);
    let answer = host.answer(&asks.id, &PermissionReply::Allow(PermissionAllow::new())).unwrap();
    assert_eq!(receives_one(&mut host, &answer), ignored(asks.id.as_str(), Ignored::UnknownResponse));
    assert_eq!(host.pending(), [(&asked.id, "interrupt")]);
}

#[test]
fn frames_that_are_not_control_frames_have_no_meaning() {
    let mut machine = host();
    assert!(receive_line(&mut machine, r#"{"type":"assistant","message":{"content":[]}}"#).is_empty());
    assert!(
        receive_line(&mut machine, r#"{"type":"control_request","request":{"subtype":"can_use_tool"}}"#)
            .is_empty()
    );
}

#[test]
fn a_request_of_the_agent_is_served_once() {
    let mut machine = host();
    let Incoming::Request { id, request: AgentRequest::CanUseTool(request) } =
        receives_one(&mut machine, &permission("p1"))
    else {
        panic!("no request");
    };
    assert_eq!(request.tool_name, "Bash");
    assert_eq!(machine.serving(), [(&id, "can_use_tool")]);
    assert_eq!(receives_one(&mut machine, &permission("p1")), ignored("p1", Ignored::DuplicateRequest));

    let mut allow = PermissionAllow::new();
    allow.updated_input = Some(request.input.clone());
    assert_eq!(
        machine.answer(&id, &PermissionReply::Allow(allow)).unwrap(),
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"p1","response":{"behavior":"allow","updatedInput":{"command":"ls"}}}}"#
    );
    assert_eq!(machine.answer(&id, &Raw::NULL), None);
    assert_eq!(machine.refuse(&id, &ControlError::new("late", "late")), None);
    assert_eq!(receives_one(&mut machine, &permission("p1")), ignored("p1", Ignored::SettledRequest));
    assert!(machine.serving().is_empty());
}

#[test]
fn a_withdrawn_request_is_not_answered() {
    let mut machine = host();
    receive_line(&mut machine, &permission("p1"));
    assert_eq!(receives_one(&mut machine, &cancel("p1")), Incoming::Cancelled { id: "p1".into() });
    assert_eq!(machine.answer(&"p1".into(), &Raw::NULL), None);
    assert_eq!(receives_one(&mut machine, &cancel("p1")), ignored("p1", Ignored::UnknownCancel));
    assert_eq!(receives_one(&mut machine, &permission("p1")), ignored("p1", Ignored::SettledRequest));
}

#[test]
fn a_cancel_notifies_the_peer_and_drops_the_request() {
    let mut machine = host();
    let sent = machine.request(interrupt(), Some(5));
    assert_eq!(machine.cancel(&sent.id).unwrap(), cancel("t-h1"));
    assert_eq!(machine.cancel(&sent.id), None);
    assert_eq!(machine.next_deadline(), None);
    assert_eq!(receives_one(&mut machine, &success("t-h1", "")), ignored("t-h1", Ignored::SettledResponse));
}

#[test]
fn deadlines_pass_in_their_order() {
    let mut machine = host();
    let late = machine.request(interrupt(), Some(300));
    let never = machine.request(interrupt(), None);
    let early = machine.request(interrupt(), Some(100));
    let same = machine.request(interrupt(), Some(100));
    assert_eq!(machine.next_deadline(), Some(100));
    assert!(machine.expire(99).is_empty());

    let expired: Vec<_> = machine.expire(100).into_iter().map(|expired| (expired.id, expired.line)).collect();
    assert_eq!(expired, [(early.id, cancel("t-h3")), (same.id, cancel("t-h4"))]);
    assert_eq!(machine.next_deadline(), Some(300));
    assert_eq!(machine.expire(u64::MAX).len(), 1);
    assert_eq!(machine.pending(), [(&never.id, "interrupt")]);
    assert_ne!(late.id, never.id);
}

#[test]
fn an_unknown_request_is_refused_with_a_code() {
    let line = r#"{"type":"control_request","request_id":"n1","request":{"subtype":"nonsense","x":1}}"#;
    let mut agent = Machine::<Agent>::new("t");
    let Incoming::Refused { id, line: refusal } = serves(&mut agent, line) else {
        panic!("not refused");
    };
    assert_eq!(id, RequestId::from("n1"));
    assert_eq!(
        refusal,
        r#"{"type":"control_response","response":{"subtype":"error","request_id":"n1","error":"Unsupported control request: nonsense","error_code":"unsupported_request"}}"#
    );
    let again = Incoming::Ignored { id: "n1".into(), why: Ignored::SettledRequest };
    assert_eq!(serves(&mut agent, line), again);
    assert!(agent.serving().is_empty());
}

#[test]
fn a_request_without_a_subtype_is_refused() {
    for request in ["{}", r#"{"subtype":7}"#, "[]", "null"] {
        let line = format!(r#"{{"type":"control_request","request_id":"n1","request":{request}}}"#);
        let Incoming::Refused { line, .. } = serves(&mut Machine::new("t"), &line) else {
            panic!("not refused");
        };
        assert_eq!(code(&line), INVALID_REQUEST);
    }
}

#[test]
fn a_request_that_lacks_what_it_needs_is_refused() {
    let line = r#"{"type":"control_request","request_id":"n1","request":{"subtype":"stop_task"}}"#;
    let Incoming::Refused { line, .. } = serves(&mut Machine::new("t"), line) else {
        panic!("not refused");
    };
    assert_eq!(code(&line), INVALID_REQUEST);
    assert!(line.contains("task_id"), "{line}");
}

#[test]
fn a_request_that_is_nothing_but_an_id_is_refused() {
    let mut machine = host();
    let line = r#"{"type":"control_request","request_id":"p1","request":7}"#;
    let Incoming::Refused { line: refusal, .. } = receives_one(&mut machine, line) else {
        panic!("not refused");
    };
    assert_eq!(code(&refusal), INVALID_REQUEST);
    assert_eq!(receives_one(&mut machine, line), ignored("p1", Ignored::SettledRequest));
}

#[test]
fn unknown_requests_can_be_served_on_demand() {
    let line = r#"{"type":"control_request","request_id":"n1","request":{"subtype":"nonsense","x":1}}"#;
    let mut agent = Machine::<Agent>::new("t").serving_unknown();
    let Incoming::Request { id, request: HostRequest::Unknown(unknown) } = serves(&mut agent, line) else {
        panic!("not served");
    };
    assert_eq!(unknown.raw.as_str(), r#"{"subtype":"nonsense","x":1}"#);
    assert_eq!(code(&agent.decline(&id).unwrap()), UNSUPPORTED_REQUEST);
}

#[test]
fn an_unhandled_request_is_declined_as_its_kind_requires() {
    let mut machine = host();
    let mut id = 0;
    let mut decline = |request: &str| {
        id += 1;
        let line = format!(r#"{{"type":"control_request","request_id":"{id}","request":{request}}}"#);
        let Incoming::Request { id, .. } = receives_one(&mut machine, &line) else {
            panic!("not served");
        };
        let line = machine.decline(&id);
        assert!(machine.serving().is_empty());
        line
    };
    let denied = decline(r#"{"subtype":"can_use_tool","tool_name":"Bash","input":{}}"#).unwrap();
    assert!(
        denied.contains(r#""response":{"behavior":"deny","message":"Permission was not granted"#),
        "{denied}"
    );
    let refused = decline(r#"{"subtype":"hook_callback","callback_id":"x","input":{}}"#).unwrap();
    assert_eq!(code(&refused), UNSUPPORTED_REQUEST);
    let declined = decline(r#"{"subtype":"elicitation","mcp_server_name":"s","message":"m"}"#).unwrap();
    assert!(declined.contains(r#""response":{"action":"decline"}"#), "{declined}");
    assert_eq!(decline(r#"{"subtype":"request_user_dialog","dialog_kind":"k","payload":1}"#), None);
    assert_eq!(decline(r#"{"subtype":"remote_tool_call"}"#), None);
}

#[test]
fn a_broken_request_of_a_silent_kind_is_met_with_silence() {
    let line = r#"{"type":"control_request","request_id":"d1","request":{"subtype":"request_user_dialog"}}"#;
    assert_eq!(receives_one(&mut host(), line), ignored("d1", Ignored::MalformedRequest));
}

#[test]
fn every_request_of_an_agent_has_a_rule_without_a_handler() {
    let Definition::Union(union) = AgentRequest::DEFINITION else {
        panic!("not a union");
    };
    let kinds: Vec<_> = union.variants.iter().map(|variant| variant.tag).collect();
    let rules: Vec<_> = UNHANDLED_AGENT_REQUESTS.iter().map(|(subtype, _)| *subtype).collect();
    assert_eq!(kinds, rules);
}

#[test]
fn requests_are_served_before_initialize_is_answered() {
    let mut machine = host();
    assert_eq!(machine.handshake(), Handshake::Before);
    let hello = machine.request(initialize(), None);
    assert_eq!(machine.handshake(), Handshake::Asked);
    let line = r#"{"type":"control_request","request_id":"m1","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":0,"method":"initialize"}}}"#;
    assert!(matches!(receives_one(&mut machine, line), Incoming::Request { .. }));
    assert!(machine.answer(&"m1".into(), &Raw::parse("{}").unwrap()).is_some());
    assert!(!machine.initialized());
    receive_line(&mut machine, &success(hello.id.as_str(), ""));
    assert!(machine.initialized());
}

#[test]
fn an_initialize_that_fails_leaves_things_as_they_were() {
    let refused = |id: &str| {
        format!(
            r#"{{"type":"control_response","response":{{"subtype":"error","error":"Already initialized","request_id":"{id}","pending_permission_requests":[]}}}}"#
        )
    };
    let mut machine = host();
    let first = machine.request(initialize(), None);
    receive_line(&mut machine, &refused(first.id.as_str()));
    assert_eq!(machine.handshake(), Handshake::Before);

    let second = machine.request(initialize(), Some(1));
    machine.expire(1);
    assert_eq!(machine.handshake(), Handshake::Before);
    assert_ne!(first.id, second.id);

    let third = machine.request(initialize(), None);
    receive_line(&mut machine, &success(third.id.as_str(), ""));
    let fourth = machine.request(initialize(), None);
    assert_eq!(machine.handshake(), Handshake::Done);
    receive_line(&mut machine, &refused(fourth.id.as_str()));
    assert!(machine.initialized());
}

#[test]
fn what_the_answer_to_initialize_lists_is_served_once() {
    let lists = format!(
        r#","response":{{}},"pending_permission_requests":[{},{}],"pending_user_dialog_requests":[],"pending_elicitation_requests":[{{"type":"control_request","request_id":"e1","request":{{"subtype":"elicitation","mcp_server_name":"s","message":"m"}}}}]"#,
        permission("p1"),
        permission("p2"),
    );
    let mut machine = host();
    let hello = machine.request(initialize(), None);
    receive_line(&mut machine, &permission("p1"));
    let events = receive_line(&mut machine, &success(hello.id.as_str(), &lists));
    assert!(
        matches!(
            &events[..],
            [
                Incoming::Answer { outcome: Ok(_), .. },
                Incoming::Ignored { why: Ignored::DuplicateRequest, .. },
                Incoming::Request { request: AgentRequest::CanUseTool(_), .. },
                Incoming::Request { request: AgentRequest::Elicitation(_), .. },
            ]
        ),
        "{events:?}"
    );
    let open: Vec<_> = machine.serving().into_iter().map(|(id, _)| id.as_str().to_owned()).collect();
    assert_eq!(open, ["p1", "p2", "e1"]);

    let status = machine.request(HostRequest::McpStatus(McpStatusRequest::new()), None);
    assert_eq!(receive_line(&mut machine, &success(status.id.as_str(), &lists)).len(), 1);
}

#[test]
fn an_agent_offers_open_requests_to_a_host_that_attaches_later() {
    let mut agent = Machine::<Agent>::new("t");
    let input = Raw::parse(r#"{"command":"ls"}"#).unwrap();
    let asks = agent.request(AgentRequest::CanUseTool(Box::new(CanUseToolRequest::new("Bash", input))), None);
    let dialog = agent.request(AgentRequest::UserDialog(UserDialogRequest::new("k")), None);
    let question =
        agent.request(AgentRequest::Elicitation(Box::new(ElicitationRequest::new("s", "m"))), None);
    let settled = agent.request(AgentRequest::UserDialog(UserDialogRequest::new("k")), None);
    agent.cancel(&settled.id);

    let mut host = Machine::<Host>::new("u");
    let hello = host.request(initialize(), None);
    let Incoming::Request { id, .. } = serves(&mut agent, &hello.line) else {
        panic!("not served");
    };
    assert_eq!(agent.handshake(), Handshake::Asked);
    let reply = agent.answer(&id, &InitializeReply::new()).unwrap();
    assert!(agent.initialized());
    let events = receive_line(&mut host, &reply);
    let served: Vec<_> = host.serving().into_iter().map(|(id, _)| id.clone()).collect();
    assert_eq!(served, [asks.id.clone(), dialog.id, question.id], "{events:?}");

    let answer = host.answer(&asks.id, &PermissionReply::Allow(PermissionAllow::new())).unwrap();
    let Incoming::Answer { outcome: Ok(payload), .. } = serves(&mut agent, &answer) else {
        panic!("no answer");
    };
    assert!(matches!(payload.view(), Some(PermissionReply::Allow(_))));
}

#[test]
fn an_agent_with_nothing_open_reports_it() {
    let mut agent = Machine::<Agent>::new("t");
    serves(&mut agent, r#"{"type":"control_request","request_id":"h1","request":{"subtype":"initialize"}}"#);
    assert_eq!(
        agent.answer(&"h1".into(), &Raw::parse("{}").unwrap()).unwrap(),
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"h1","response":{},"pending_permission_requests":[],"pending_user_dialog_requests":[]}}"#
    );
}

#[test]
fn a_peer_that_asks_too_much_is_refused() {
    let mut machine = Machine::<Host>::with_limits("t", MachineLimits { open_requests: 2, recent_ids: 8 });
    receive_line(&mut machine, &permission("p1"));
    receive_line(&mut machine, &permission("p2"));
    let Incoming::Refused { line, .. } = receives_one(&mut machine, &permission("p3")) else {
        panic!("not refused");
    };
    assert_eq!(code(&line), TOO_MANY_REQUESTS);
    assert_eq!(receives_one(&mut machine, &permission("p1")), ignored("p1", Ignored::DuplicateRequest));
    machine.answer(&"p1".into(), &Raw::NULL);
    assert!(matches!(receives_one(&mut machine, &permission("p4")), Incoming::Request { .. }));
}

#[test]
fn only_so_many_settled_ids_are_remembered() {
    let mut machine = Machine::<Host>::with_limits("t", MachineLimits { open_requests: 9, recent_ids: 2 });
    for id in ["p1", "p2", "p3"] {
        receive_line(&mut machine, &permission(id));
        machine.answer(&id.into(), &Raw::NULL);
    }
    assert_eq!(receives_one(&mut machine, &permission("p3")), ignored("p3", Ignored::SettledRequest));
    assert!(matches!(receives_one(&mut machine, &permission("p1")), Incoming::Request { .. }));
}

#[test]
fn lines_hold_no_line_end_of_any_kind() {
    let mut machine = host();
    receive_line(&mut machine, &permission("p1"));
    let error = ControlError::new("x", "one\ntwo\u{2028}three");
    let line = machine.refuse(&"p1".into(), &error).unwrap();
    assert!(!line.contains(['\n', '\r', '\u{2028}', '\u{2029}']), "{line}");
}

#[test]
fn an_id_of_any_length_is_answered_but_not_every_one_is_kept() {
    let mut machine = host();
    let long = "p".repeat(MAX_ID_BYTES + 1);
    let Incoming::Refused { line, .. } = receives_one(&mut machine, &permission(&long)) else {
        panic!("not refused");
    };
    assert_eq!(code(&line), INVALID_REQUEST);
    assert!(line.contains(&long));
    assert!(matches!(receives_one(&mut machine, &permission(&long[1..])), Incoming::Request { .. }));
}
