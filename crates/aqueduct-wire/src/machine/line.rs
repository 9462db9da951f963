use super::outgoing::OutgoingRequests;
use super::{ControlError, RequestId};
use crate::control::{
    AgentRequest, ControlCancelFrame, ControlResponse, ControlResponseFrame, ErrorResponse, PendingRequest,
    SuccessResponse,
};
use crate::error_name::ErrorDetail;
use crate::json::{Json, Raw, Reader, Str, Tagged, Tags, protect_line_ends};

/// A control frame as a line.
pub(super) fn frame<'a>(kind: &'static str, frame: &impl Tagged<'a>) -> String {
    let mut line = String::with_capacity(256);
    let untagged = Tags::NONE;
    frame.write_tagged(&untagged.with("type", kind), &mut line);
    protect_line_ends(line)
}

pub(super) fn cancel(id: &RequestId) -> String {
    frame("control_cancel_request", &ControlCancelFrame::new(id.as_str()))
}

/// A success response. The answer to `initialize` lists the requests that are still open among `offered`.
pub(super) fn success(
    id: &RequestId,
    payload: Option<Raw<'_>>,
    offered: Option<&OutgoingRequests>,
) -> String {
    let mut response = SuccessResponse::new(id.as_str());
    response.response = payload;
    if let Some(offered) = offered {
        let elicitations = pending(offered, "elicitation");
        response.pending_permission_requests = Some(pending(offered, "can_use_tool"));
        response.pending_user_dialog_requests = Some(pending(offered, "request_user_dialog"));
        response.pending_elicitation_requests = (!elicitations.is_empty()).then_some(elicitations);
    }
    frame("control_response", &ControlResponseFrame::new(ControlResponse::Success(response)))
}

pub(super) fn error(id: &RequestId, error: &ControlError) -> String {
    let mut response = ErrorResponse::new(id.as_str());
    response.error = Some(ErrorDetail::Text(error.message.as_str().into()));
    response.error_code = error.code.as_deref().map(Str::from);
    frame("control_response", &ControlResponseFrame::new(ControlResponse::Error(response)))
}

fn pending<'o>(offered: &'o OutgoingRequests, subtype: &str) -> Vec<PendingRequest<'o>> {
    let typed = |text: &'o str| AgentRequest::read(&mut Reader::new(text)).ok();
    offered
        .kept(subtype)
        .into_iter()
        .filter_map(|(id, text)| {
            let mut request = PendingRequest::new(id.as_str(), typed(text)?);
            request.kind = Some("control_request".into());
            Some(request)
        })
        .collect()
}
