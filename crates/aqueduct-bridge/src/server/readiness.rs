use aqueduct_wire::json::Json as _;
use hyper::StatusCode;

use super::response::{self, HttpResponse};
use super::state::ServerState;

/// Whether the bridge can do its work, as JSON. It names the check that failed, and nothing that needs a credential.
pub(super) async fn answer(server: &ServerState) -> HttpResponse {
    let readiness = server.hub.readiness().await;
    let status = if readiness.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let mut text = String::new();
    readiness.write(&mut text);
    response::of_type(status, "application/json", text)
}
