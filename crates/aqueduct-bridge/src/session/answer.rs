//! The answer to an agent after a decision.

use std::collections::BTreeMap;

use aqueduct_wire::ToAgent;
use aqueduct_wire::control::{
    ControlResponse, ControlResponseFrame, DecisionClassification, ElicitationAction, ElicitationReply,
    PermissionAllow, PermissionDeny, PermissionReply, SuccessResponse,
};
use aqueduct_wire::json::{IntoOwned, Map, Raw, Str};
use aqueduct_wire::permission::{Destination, PermissionUpdate};
use aqueduct_wire::question::{Answer, AskUserQuestionInput};
use serde::Deserialize;

use super::command::ClientDecision;
use crate::failure::Failure;
use crate::log::NewPending;
use crate::message::ErrorCode;
use crate::message::bridge::{Actor as Who, PermissionDecision, PermissionKind, PermissionResolved};
use crate::message::client::AnswerQuestion;
use crate::outbox::{raw_or_null, to_raw};

/// What the model receives if no reason was given.
const NO_REASON: &str = "The user does not want this.";

/// The message that reports a decision.
pub(super) fn resolved(
    request: &NewPending,
    decision: PermissionDecision<'static>,
    by: Who<'static>,
) -> PermissionResolved<'static> {
    let mut message = PermissionResolved::new(request.request_id.clone(), decision);
    message.tool_use_id = request.tool_use_id.clone().map(Into::into);
    message.by = Some(by);
    message
}

/// The line for the agent, which knows the request as `agent_id`, and the message for clients.
pub(super) fn answer(
    request: &NewPending,
    agent_id: &str,
    kind: &PermissionKind<'static>,
    decided: ClientDecision,
    by: Who<'static>,
) -> Result<(String, PermissionResolved<'static>), Failure> {
    let (payload, message) = match kind {
        PermissionKind::Elicitation => elicitation(request, decided, by)?,
        _ => permission(request, agent_id, kind, decided, by)?,
    };
    Ok((response_line(agent_id, payload), message))
}

fn wrong(message: &str) -> Failure {
    Failure::new(ErrorCode::WrongDecision, message)
}

fn elicitation(
    request: &NewPending,
    decided: ClientDecision,
    by: Who<'static>,
) -> Result<(Raw<'static>, PermissionResolved<'static>), Failure> {
    let accept = |content| {
        let mut reply = ElicitationReply::new(ElicitationAction::Accept);
        reply.content = content;
        reply
    };
    let (reply, decision) = match decided {
        ClientDecision::Approve(_) => (accept(None), PermissionDecision::Allowed),
        ClientDecision::ApproveAlways(_) => {
            return Err(wrong("a form can't be allowed for good").clause("send `answer`"));
        }
        ClientDecision::Answer(message) => (accept(message.content), PermissionDecision::Answered),
        ClientDecision::Reject(_) => {
            (ElicitationReply::new(ElicitationAction::Decline), PermissionDecision::Denied)
        }
    };
    Ok((to_raw(&reply), resolved(request, decision, by)))
}

fn permission(
    request: &NewPending,
    agent_id: &str,
    kind: &PermissionKind<'static>,
    decided: ClientDecision,
    by: Who<'static>,
) -> Result<(Raw<'static>, PermissionResolved<'static>), Failure> {
    let mut message = resolved(request, PermissionDecision::Allowed, by);
    let mut allow = PermissionAllow::new();
    // A request about no call shows its own id in place of one. The agent gets what it knows.
    let call = request.tool_use_id.as_deref().filter(|call| *call != request.request_id).unwrap_or(agent_id);
    allow.tool_use_id = Some(call.to_owned().into());
    allow.decision_classification = Some(DecisionClassification::UserTemporary);
    match decided {
        ClientDecision::Approve(_) | ClientDecision::ApproveAlways(_)
            if *kind == PermissionKind::Question =>
        {
            return Err(wrong("a question is answered, not allowed").clause("send `answer`"));
        }
        ClientDecision::Approve(approved) => {
            let input = approved.updated_input;
            message.updated_input = input.clone();
            allow.updated_input = Some(input.unwrap_or_else(|| raw_or_null(&request.input)));
            if let Some(mode) = approved.mode {
                let update = PermissionUpdate::set_mode(mode.clone(), Destination::Session);
                allow.updated_permissions = Some(vec![update]);
                message.mode = Some(mode);
            }
        }
        ClientDecision::ApproveAlways(approved) => {
            let updates = approved.updates.unwrap_or_else(|| narrowest(request));
            let input = approved.updated_input;
            message.updated_input = input.clone();
            message.updates = Some(updates.clone());
            message.decision = PermissionDecision::AllowedAlways;
            allow.updated_input = Some(input.unwrap_or_else(|| raw_or_null(&request.input)));
            allow.updated_permissions = Some(updates);
            allow.decision_classification = Some(DecisionClassification::UserPermanent);
        }
        ClientDecision::Answer(answer) => {
            if *kind != PermissionKind::Question {
                return Err(wrong("this is not a question").clause("send `approve` or `reject`"));
            }
            let (answered, given) = answered(&request.input, *answer)?;
            message.decision = PermissionDecision::Answered;
            message.answers = Some(given);
            allow.updated_input = Some(answered);
        }
        ClientDecision::Reject(rejected) => {
            let why = rejected.message.filter(|why| !why.trim().is_empty());
            let why = why.unwrap_or_else(|| NO_REASON.into());
            let mut deny = PermissionDeny::new();
            deny.message = Some(why.clone());
            deny.interrupt = rejected.interrupt.filter(|interrupts| *interrupts);
            deny.tool_use_id = Some(call.to_owned().into());
            deny.decision_classification = Some(DecisionClassification::UserReject);
            message.decision = PermissionDecision::Denied;
            message.message = Some(why);
            return Ok((to_raw(&PermissionReply::Deny(deny)), message));
        }
    }
    Ok((to_raw(&PermissionReply::Allow(allow)), message))
}

/// The first suggestion that adds rules; none where there is none. The agent chooses where its suggestions
/// go; a client that accepts one unseen does not write to the user settings.
pub(super) fn narrowest(request: &NewPending) -> Vec<PermissionUpdate<'static>> {
    let suggestions = request.suggestions.as_deref().and_then(|text| Raw::parse(text).ok());
    let updates: Vec<PermissionUpdate<'static>> = suggestions
        .as_ref()
        .and_then(|raw| raw.view::<Vec<PermissionUpdate<'_>>>())
        .map(IntoOwned::into_owned)
        .unwrap_or_default();
    let first = updates.into_iter().find_map(|update| match update {
        PermissionUpdate::AddRules(rules) => Some(rules),
        _ => None,
    });
    let narrow = first.map(|mut rules| {
        let kept = [Destination::Session, Destination::LocalSettings, Destination::ProjectSettings];
        rules.destination =
            rules.destination.filter(|named| kept.contains(named)).or(Some(Destination::Session));
        PermissionUpdate::AddRules(rules)
    });
    narrow.into_iter().collect()
}

type AnswerMap = Map<'static, Answer<'static>>;

/// The input of a question with the answers in it, and the answers.
fn answered(input: &str, answer: AnswerQuestion<'static>) -> Result<(Raw<'static>, AnswerMap), Failure> {
    let nothing = || wrong("the answer names none of the questions").clause("send `answers` by their text");
    let raw = Raw::parse(input).map_err(|_| nothing())?;
    let mut asked: AskUserQuestionInput<'_> = raw.view().ok_or_else(nothing)?;
    let answers = answers_of(&asked, answer.result.as_deref(), answer.answers).ok_or_else(nothing)?;
    for (question, answer) in answers.iter() {
        asked.answer(question.to_owned(), Answer::Text(Str::from(answer.joined().into_owned())));
    }
    if let Some(annotations) = answer.annotations {
        asked.annotations = Some(annotations);
    }
    Ok((to_raw(&asked), answers))
}

/// The answers by question. `result` is the answer to the only question, or JSON text with `answers`.
fn answers_of(
    asked: &AskUserQuestionInput<'_>,
    result: Option<&str>,
    answers: Option<AnswerMap>,
) -> Option<AnswerMap> {
    #[derive(Deserialize)]
    struct GivenAnswers {
        answers: BTreeMap<String, String>,
    }
    if let Some(answers) = answers {
        return Some(answers);
    }
    let result = result?;
    if let Ok(given) = serde_json::from_str::<GivenAnswers>(result) {
        let answers = given.answers.into_iter();
        return Some(answers.map(|(question, answer)| (question, Answer::Text(answer.into()))).collect());
    }
    let question = asked.questions.first()?.question.as_str().to_owned();
    Some([(question, Answer::Text(result.to_owned().into()))].into_iter().collect())
}

/// The answers to a question in words, for an agent that can't be answered otherwise.
pub(super) fn in_words(input: &str, decided: &ClientDecision) -> Option<String> {
    let ClientDecision::Answer(answer) = decided else { return None };
    let raw = Raw::parse(input).ok()?;
    let asked: AskUserQuestionInput<'_> = raw.view()?;
    let answers = answers_of(&asked, answer.result.as_deref(), answer.answers.clone())?;
    let lines: Vec<String> =
        answers.iter().map(|(question, answer)| format!("{question} {}", answer.joined())).collect();
    Some(lines.join("\n"))
}

fn response_line(id: &str, payload: Raw<'static>) -> String {
    let mut response = SuccessResponse::new(id.to_owned());
    response.response = Some(payload);
    let frame = ControlResponseFrame::new(ControlResponse::Success(response));
    ToAgent::ControlResponse(Box::new(frame)).to_line()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent suggests what it likes, and a hostile one the user settings.
    #[test]
    fn an_unseen_suggestion_stays_out_of_the_user_settings() {
        for (suggested, taken) in [
            ("\"session\"", Destination::Session),
            ("\"localSettings\"", Destination::LocalSettings),
            ("\"projectSettings\"", Destination::ProjectSettings),
            ("\"userSettings\"", Destination::Session),
            ("\"policySettings\"", Destination::Session),
            ("\"anywhere\"", Destination::Session),
            ("null", Destination::Session),
        ] {
            let rule =
                r#"{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"#;
            let mode = r#"{"type":"setMode","mode":"bypassPermissions","destination":"session"}"#;
            let request = NewPending {
                request_id: "r".into(),
                agent_request_id: Some("a".into()),
                kind: "permission".into(),
                tool_use_id: None,
                tool_name: Some("Bash".into()),
                input: "{}".into(),
                input_hash: [0; 32],
                suggestions: Some(format!("[{mode},{rule}{suggested}}}]")),
                details: None,
            };
            match narrowest(&request).as_slice() {
                [PermissionUpdate::AddRules(rules)] => {
                    assert_eq!(rules.destination, Some(taken), "{suggested}");
                }
                other => panic!("{suggested}: {other:?}"),
            }
        }
    }
}
