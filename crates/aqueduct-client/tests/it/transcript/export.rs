//! Conversations for elsewhere.

use aqueduct_client::transcript::Format;
use serde_json::{Value, json};

use super::room::{Room, assistant, boundary, call, id, result, side, title, user, with};

fn export(room: &Room, format: Format) -> String {
    let mut out = Vec::new();
    room.first().export(format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn room() -> Room {
    let thinking = json!({"message": {"id": "m", "role": "assistant", "content": [{"type": "thinking", "thinking": "Look at\nthe log.", "signature": ""}]}});
    let picture = json!({"message": {"role": "user", "content": [
        {"type": "text", "text": "See:"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}]}});
    let failed = json!({"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2", "is_error": true, "content": "boom"}]}});
    let room = Room::holding(&[
        user("u1", None, "Why is the build red?\n\n```sh\nmake # <all>\n```"),
        with(assistant("a0", Some("u1"), ""), thinking),
        call("a1", Some("a0"), "t1", "Bash", json!({"command": "echo ```"})),
        result("r1", "a1", "t1", "a fence: ````\nand more"),
        call("a2", Some("r1"), "t2", "Agent", json!({"prompt": "look"})),
        with(result("r2", "a2", "t2", ""), failed),
        boundary("b", "r2"),
        with(user("sum", Some("b"), "So far so good."), json!({"isCompactSummary": true})),
        with(user("u2", Some("sum"), ""), picture),
        assistant("a3", Some("u2"), "It is *fine* now."),
        with(assistant("a4", Some("a3"), "Overloaded"), json!({"isApiErrorMessage": true})),
        title("The *red* build"),
    ]);
    room.subagent(
        "agent-x.jsonl",
        Some(json!({"toolUseId": "t2", "agentType": "Explore", "description": "look around"})),
        &[side(user("s1", None, "look")), side(assistant("s2", Some("s1"), "Nothing."))],
    );
    room.write_in("/proj", 1, room.text(1));
    room
}

#[test]
fn markdown_is_for_people() {
    insta::assert_snapshot!(export(&room(), Format::Markdown));
}

#[test]
fn a_page_is_whole_in_itself() {
    insta::assert_snapshot!(export(&room(), Format::Html));
}

#[test]
fn lines_are_the_file() {
    let room = room();
    assert_eq!(export(&room, Format::Jsonl), room.text(1));
}

#[test]
fn no_message_becomes_part_of_the_page() {
    let hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&lt;\u{202e}\u{7}";
    let picture = |kind: &str, data: &str| json!({"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}});
    let block =
        |block: Value| with(user("x", None, ""), json!({"message": {"role": "user", "content": [block]}}));
    let mut lines = vec![
        user("u1", None, hostile),
        assistant("a1", Some("u1"), &format!("```{hostile}\n{hostile}\n```")),
        call("a2", Some("a1"), "t1", hostile, json!({ hostile: hostile })),
        result("r1", "a2", "t1", hostile),
        title(hostile),
        json!({"type": "tag", "tag": hostile, "sessionId": id(1)}),
    ];
    let mut parent = "r1".to_owned();
    for (number, content) in [
        picture("image/svg+xml", "PHN2Zz4="),
        picture("image/png", "\" onload=\"alert(3)"),
        picture(hostile, ""),
        json!({"type": hostile, "text": hostile}),
    ]
    .into_iter()
    .enumerate()
    {
        let uuid = format!("x{number}");
        lines.push(with(block(content), json!({"uuid": uuid, "parentUuid": parent})));
        parent = uuid;
    }
    lines.iter_mut().for_each(|line| line["cwd"] = json!(hostile));
    let room = Room::holding(&lines);
    room.subagent(
        "agent-x.jsonl",
        Some(json!({"toolUseId": "t1", "agentType": hostile})),
        &[side(user("s1", None, hostile))],
    );
    let page = export(&room, Format::Html);
    let (_, body) = page.split_once("<body>").unwrap();
    for tag in body.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let known = [
            "main", "header", "h1", "h2", "dl", "dt", "dd", "section", "time", "p", "pre", "details",
            "summary", "body", "html",
        ];
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        assert!(known.contains(&name), "<{tag}>");
        let attributes = tag.split_once(' ').map_or("", |(_, attributes)| attributes);
        assert!(
            attributes.is_empty()
                || attributes.starts_with("class=\"") && attributes.matches('"').count() == 2,
            "<{tag}>"
        );
    }
    let (head, _) = page.split_once("<body>").unwrap();
    assert!(!head.contains("<script") && head.contains("default-src 'none'"));
    assert!(!page.contains(['\u{7}', '\u{202e}']));
}
