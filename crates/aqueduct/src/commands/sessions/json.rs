//! Sessions for programs.

use aqueduct_client::transcript::{Summary, TranscriptProgram};
use serde_json::{Value, json};

use super::age;

/// What is known of a session. Members that are not known are `null`.
pub(super) fn summary(session: &Summary) -> Value {
    let program = match &session.program {
        TranscriptProgram::Named(name) => name.clone(),
        _ => "reference".to_owned(),
    };
    json!({
        "sessionId": session.id,
        "title": session.title(),
        "customTitle": session.custom_title,
        "aiTitle": session.ai_title,
        "summary": session.summary,
        "firstPrompt": session.first_prompt,
        "lastPrompt": session.last_prompt,
        "tag": session.tag,
        "cwd": session.cwd,
        "gitBranch": session.git_branch,
        "created": session.created.and_then(age::iso),
        "modified": age::iso(session.modified),
        "size": session.size,
        "messages": session.messages,
        "program": program,
        "version": session.version,
        "entrypoint": session.entrypoint,
        "path": session.path,
    })
}
