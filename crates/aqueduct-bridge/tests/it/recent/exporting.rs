//! Sessions as documents.

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::bridge::ExportedSession;
use aqueduct_bridge::message::client::{ExportFormat, ExportSession};
use serde_json::Value;

use super::{DAY, Scene, ada, day, digging, id, reported};

async fn export(scene: &Scene, format: ExportFormat<'static>) -> ExportedSession<'static> {
    scene.recents.export(&ExportSession::new(id(1), format)).await.unwrap()
}

/// Both before and after it was taken over.
async fn both(format: ExportFormat<'static>) -> [ExportedSession<'static>; 2] {
    let scene = Scene::new();
    scene.terminal(1, &day());
    scene.subagent(1, "t2", &digging());
    let before = export(&scene, format.clone()).await;
    scene.recents.adopt(&id(1), None, "builtin", ada()).await.unwrap();
    [before, export(&scene, format).await]
}

#[tokio::test]
async fn a_text_has_all_messages() {
    for exported in both(ExportFormat::Markdown).await {
        assert_eq!(exported.name, "A-look-inside-00000001.md");
        let text = exported.content.as_str();
        assert!(text.starts_with("# A look inside\n"), "{text}");
        let mut from = 0;
        for part in ["What is in here?", "I look.", "**Read**", "seen", "I dig.", "dug", "strawberries"] {
            from +=
                text[from..].find(part).unwrap_or_else(|| panic!("{part} is missing, or too early:\n{text}"));
        }
    }
}

#[tokio::test]
async fn a_page_runs_nothing() {
    let scene = Scene::new();
    let mut lines = super::talk("<script>alert(1)</script>");
    lines.push(super::user_line(3, "<img src=x onerror=alert(1)>"));
    scene.terminal(1, &lines);
    scene.recents.adopt(&id(1), None, "builtin", ada()).await.unwrap();
    let exported = export(&scene, ExportFormat::Html).await;
    assert!(exported.name.ends_with(".html"));
    let page = exported.content.as_str();
    assert!(!page.contains("<script") && !page.contains("<img src=x"), "{page}");
    assert!(page.contains("&lt;script&gt;"));
}

#[tokio::test]
async fn messages_come_as_they_are_kept() {
    for exported in both(ExportFormat::Jsonl).await {
        let lines: Vec<Value> =
            exported.content.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let reported: Vec<String> = lines.iter().map(reported).collect();
        assert_eq!(reported[..9], *DAY);
        assert_eq!(lines[0]["sessionId"], id(1));
    }
}

#[tokio::test]
async fn what_is_not_there_can_not_be_exported() {
    let scene = Scene::new();
    let failure = scene.recents.export(&ExportSession::new(id(1), ExportFormat::Html)).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::SessionNotFound);
}
