//! Files read from afar.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::bridge::{FileContent, FileEncodingName};
use aqueduct_bridge::message::client::ReadFile;

use super::{Scene, code};

async fn read(scene: &Scene, path: &str, lines: Option<(u64, u64)>) -> FileContent<'static> {
    let mut request = ReadFile::new(path.to_owned());
    request.line = lines.map(|(line, _)| line);
    request.limit = lines.map(|(_, limit)| limit);
    request.project_path = Some(scene.at().into());
    scene.workspace.read_file(None, &request).await.unwrap()
}

#[tokio::test]
async fn a_text_comes_whole_or_by_lines() {
    let scene = Scene::new();
    scene.write("a.md", "one\ntwo\r\nthrée\nfour");
    let file = read(&scene, "a.md", None).await;
    assert_eq!(file.content, "one\ntwo\r\nthrée\nfour");
    assert_eq!((file.line, file.lines, file.more), (Some(1), Some(4), Some(false)));
    assert_eq!((file.size, file.media_type.as_deref()), (20, Some("text/markdown")));
    assert_eq!(file.encoding, FileEncodingName::Text);
    assert!(file.modified.is_some());

    for (range, content, lines, more) in [
        ((1, 2), "one\ntwo\r\n", 2, true),
        ((2, 1), "two\r\n", 1, true),
        ((3, 2), "thrée\nfour", 2, false),
        ((4, 100), "four", 1, false),
        ((5, 1), "", 0, false),
        ((0, 1), "one\n", 1, true),
    ] {
        let file = read(&scene, "a.md", Some(range)).await;
        assert_eq!(
            (file.content.as_str(), file.lines, file.more),
            (content, Some(lines), Some(more)),
            "{range:?}"
        );
    }
}

#[tokio::test]
async fn an_empty_file_has_no_lines() {
    let scene = Scene::new();
    scene.write("empty", "");
    let file = read(&scene, "empty", None).await;
    assert_eq!((file.content.as_str(), file.lines, file.more), ("", Some(0), Some(false)));
}

#[tokio::test]
async fn pictures_come_as_they_are() {
    let scene = Scene::new();
    scene.write("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    scene.write("a.svg", "<svg/>");
    scene.write("b.txt", "BMW is not a bitmap\n");
    let file = read(&scene, "a.png", None).await;
    assert_eq!((file.encoding, file.media_type.as_deref()), (FileEncodingName::Base64, Some("image/png")));
    assert_eq!(file.content, "iVBORw0KGgoAAAANSUhEUg==");
    let file = read(&scene, "a.svg", None).await;
    assert_eq!((file.encoding, file.media_type.as_deref()), (FileEncodingName::Text, Some("image/svg+xml")));
    assert_eq!(read(&scene, "b.txt", None).await.media_type.as_deref(), Some("text/plain"));
}

#[tokio::test]
async fn a_file_that_is_not_text_is_named_and_not_sent() {
    let scene = Scene::new();
    scene.write("a.bin", b"ab\0cd");
    scene.write("a.pdf", b"%PDF-1.7\n\0");
    for (name, media_type) in [("a.bin", "application/octet-stream"), ("a.pdf", "application/pdf")] {
        let file = read(&scene, name, None).await;
        assert_eq!((file.encoding, file.content.as_str()), (FileEncodingName::None, ""));
        assert_eq!((file.media_type.as_deref(), file.more), (Some(media_type), Some(true)));
    }
    scene.write("latin", b"caf\xe9\n");
    assert_eq!(read(&scene, "latin", None).await.content, "caf\u{fffd}\n");
}

#[tokio::test]
async fn a_huge_file_costs_what_is_asked_for() {
    let scene = Scene::new();
    let mut file = File::create(scene.path("huge")).unwrap();
    // More than should be in memory, nearly all of it a hole.
    file.write_all("line\n".repeat(10_000).as_bytes()).unwrap();
    file.seek(SeekFrom::Start(8 << 30)).unwrap();
    file.write_all(b"end\n").unwrap();
    let file = read(&scene, "huge", Some((9_999, 2))).await;
    assert_eq!((file.content.as_str(), file.more), ("line\nline\n", Some(true)));
    assert_eq!(file.size, (8 << 30) + 4);
}

#[tokio::test]
async fn a_line_without_end_is_cut_between_characters() {
    let scene = Scene::new();
    scene.write("one.json", format!("x{}\nnext\n", "é".repeat(1 << 20)));
    let file = read(&scene, "one.json", None).await;
    assert_eq!((file.content.len(), file.lines, file.more), ((1 << 20) - 1, Some(1), Some(true)));
    assert!(file.content.ends_with('é'));
    let next = read(&scene, "one.json", Some((2, 1))).await;
    assert_eq!((next.content.as_str(), next.more), ("next\n", Some(false)));
}

#[tokio::test]
async fn what_would_make_us_wait_is_not_opened() {
    let scene = Scene::new();
    rustix::fs::mkfifoat(rustix::fs::CWD, scene.path("pipe"), 0o600.into()).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(scene.path("socket")).unwrap();
    for name in ["pipe", "socket", "."] {
        let read = scene.workspace.read_file(Some(&scene.at()), &ReadFile::new(name)).await;
        assert_eq!(code(read), ErrorCode::PathNotFound, "{name}");
    }
}

#[tokio::test]
async fn a_path_alone_needs_no_project_but_a_relative_one_does() {
    let scene = Scene::new();
    scene.write("a", "x");
    let request = ReadFile::new(scene.path("a").to_str().unwrap().to_owned());
    assert_eq!(scene.workspace.read_file(None, &request).await.unwrap().content, "x");
    let read = scene.workspace.read_file(None, &ReadFile::new("a")).await;
    assert_eq!(code(read), ErrorCode::SessionNotFound);
}
