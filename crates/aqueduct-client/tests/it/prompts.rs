//! What a prompt is on the wire: text, images, files.

use std::fs;

use aqueduct_client::{Error, Prompt, Session};
use aqueduct_wire::hint::HintedError as _;
use serde_json::{Value, json};

use crate::peer::Peer;

/// The content that an agent receives.
async fn received(prompt: Prompt) -> Value {
    let (mut peer, session, _events) = Peer::start(Session::builder()).await;
    let (sent, line) = tokio::join!(session.send(prompt), peer.receive());
    sent.unwrap();
    line.unwrap()["message"]["content"].clone()
}

fn image(media_type: &str, data: &str) -> Value {
    json!({"type": "image", "source": {"type": "base64", "data": data, "media_type": media_type}})
}

#[tokio::test]
async fn text_alone_stays_text() {
    assert_eq!(received(Prompt::text("hello")).await, json!("hello"));
}

#[tokio::test]
async fn blocks_have_the_order_of_the_calls() {
    let folder = tempfile::tempdir().unwrap();
    let (notes, picture) = (folder.path().join("notes.md"), folder.path().join("picture"));
    fs::write(&notes, "# Notes\n").unwrap();
    fs::write(&picture, b"\xff\xd8\xff rest").unwrap();
    let prompt = Prompt::text("look").file(&notes).image("image/png", b"png").file(&picture);
    let text = json!({"type": "text", "data": "# Notes\n", "media_type": "text/plain"});
    assert_eq!(
        received(prompt).await,
        json!([
            {"type": "text", "text": "look"},
            {"type": "document", "source": text, "title": "notes.md"},
            image("image/png", "cG5n"),
            image("image/jpeg", "/9j/IHJlc3Q="),
        ])
    );
}

#[tokio::test]
async fn a_pdf_is_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdf");
    fs::write(&path, "%PDF-1.7").unwrap();
    let content = received(Prompt::text("").file(path)).await;
    assert_eq!(content[0]["source"]["media_type"], "application/pdf");
    assert_eq!(content.as_array().unwrap().len(), 1, "an empty text is no block: {content}");
}

#[tokio::test]
async fn files_that_cannot_be_sent() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("binary");
    fs::write(&binary, [0, 159, 146, 150]).unwrap();
    let (_peer, session, _events) = Peer::start(Session::builder()).await;
    for (path, why) in [
        (folder.path().join("missing"), "Check the path"),
        (folder.path().to_owned(), "it is a folder"),
        (binary, "neither text nor an image nor a PDF"),
    ] {
        match session.send(Prompt::text("look").file(&path)).await {
            Err(error @ Error::Attachment { .. }) => {
                let message = error.advised();
                assert!(message.contains(&path.display().to_string()) && message.contains(why), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
