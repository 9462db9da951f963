use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use aqueduct_model::image::Image;
use aqueduct_os::environment::Environment;
use serde_json::{Value, json};

use crate::tool::file_fixture::{FileFixture, answer};

#[test]
fn lines_are_numbered_and_the_last_one_counts() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.txt", "one\ntwo\n");
    let answer = fixture.see("a.txt");
    assert_eq!(answer.text(), "1\tone\n2\ttwo\n3\t");
    assert_eq!(
        answer.result,
        json!({"type": "text", "file": {
            "filePath": path, "content": "one\ntwo\n", "numLines": 3, "startLine": 1, "totalLines": 3,
        }})
    );
}

#[test]
fn schemas_name_what_the_tools_read() {
    use crate::tool::{edit, notebook_edit, read, write};
    for (tool, members) in [
        (read::TOOL, ["file_path", "offset", "limit", "pages", "allow_large"].as_slice()),
        (write::TOOL, &["file_path", "content"]),
        (edit::TOOL, &["file_path", "old_string", "new_string", "replace_all"]),
        (notebook_edit::TOOL, &["notebook_path", "cell_id", "new_source", "cell_type", "edit_mode"]),
    ] {
        let schema: Value = serde_json::from_str(tool.schema).unwrap();
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(properties.len(), members.len(), "{}", tool.name);
        assert!(members.iter().all(|member| properties.contains_key(*member)), "{}", tool.name);
    }
}

#[test]
fn a_range_is_a_window_on_the_lines() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.txt", "one\r\ntwo\r\nthree\r\nfour");
    let read = |offset: Value, limit: Value| {
        fixture.read(json!({"file_path": path, "offset": offset, "limit": limit})).unwrap()
    };
    let window = read(json!(2), json!(2));
    assert_eq!(window.text(), "2\ttwo\n3\tthree");
    assert_eq!(window.result["file"]["content"], "two\nthree");
    assert_eq!(window.result["file"]["numLines"], 2);
    assert_eq!(window.result["file"]["totalLines"], 4);
    assert_eq!(read(json!(4), json!(9)).text(), "4\tfour");
    assert_eq!(read(json!("3"), json!("1")).text(), "3\tthree");
    assert_eq!(read(json!(-1), json!(1)).text(), "1\tone");
    assert_eq!(read(json!(-1), json!(1)).result["file"]["startLine"], 1);
    assert_eq!(read(json!(0), json!(1)).text(), "1\tone");
    assert_eq!(read(json!(0), json!(1)).result["file"]["startLine"], 0);
    assert_eq!(read(json!(1), json!(0)).result["file"]["numLines"], 4);
    let past = read(json!(9), Value::Null);
    assert!(past.text().contains("Line 9 does not exist"), "{}", past.text());
    assert_eq!(
        past.result["file"],
        json!({
            "filePath": path, "content": "", "numLines": 0, "startLine": 9, "totalLines": 4,
        })
    );
    let wrong = fixture.read(json!({"file_path": path, "offset": 1.5})).unwrap_err();
    assert!(wrong.contains("`offset`"), "{wrong}");
}

#[test]
fn encodings_are_understood() {
    let fixture = FileFixture::new();
    let utf16 = |order: fn(u16) -> [u8; 2], text: &str| -> Vec<u8> {
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
    };
    for (name, bytes) in [
        ("plain", "é\nb".as_bytes().to_vec()),
        ("mark", "\u{feff}é\nb".as_bytes().to_vec()),
        ("crlf", "é\r\nb".as_bytes().to_vec()),
        ("le", utf16(u16::to_le_bytes, "é\r\nb")),
        ("be", utf16(u16::to_be_bytes, "é\nb")),
    ] {
        fixture.put(name, bytes);
        assert_eq!(fixture.see(name).text(), "1\té\n2\tb", "{name}");
    }
    fixture.put("latin", b"caf\xe9\nbar, and more of it\n");
    let latin = fixture.see("latin");
    assert!(latin.text().starts_with("1\tcaf\u{fffd}\n2\tbar"));
    assert!(latin.text().contains("Not UTF-8"));
    fixture.put("empty", "");
    let empty = fixture.see("empty");
    assert!(empty.text().contains("empty"));
    assert_eq!(empty.result["file"]["totalLines"], 1);
}

#[test]
fn what_is_not_text_is_refused() {
    let fixture = FileFixture::new();
    for (name, bytes) in [("nul", b"a\0b\n".to_vec()), ("noise", (0..=255).rev().collect::<Vec<u8>>())] {
        let path = fixture.put(name, bytes);
        let refused = fixture.read(json!({"file_path": path})).unwrap_err();
        assert!(refused.contains("not a text file"), "{refused}");
    }
}

#[test]
fn what_is_not_a_file_is_refused_at_once() {
    let fixture = FileFixture::new();
    fs::create_dir(fixture.path("folder")).unwrap();
    symlink("loop", fixture.path("loop")).unwrap();
    assert!(Command::new("mkfifo").arg(fixture.path("fifo")).status().unwrap().success());
    let _socket = UnixListener::bind(fixture.path("socket")).unwrap();
    fixture.put("file", "");
    let refused = |path: &str| fixture.read(json!({"file_path": path})).unwrap_err();
    assert!(refused("folder").contains("is a directory"));
    assert!(refused("").contains("is a directory"));
    assert!(refused("loop").contains("points to itself"));
    assert!(refused("fifo").contains("a named pipe"));
    assert!(refused("socket").contains("a socket"));
    assert!(refused("/dev/zero").contains("a device"));
    assert!(refused("/dev/tty").contains("a device"));
    assert!(refused("file/below").contains("is a file, not a directory"));
    assert!(refused(&"n".repeat(300)).contains("is too long for the file system"));
    assert!(fixture.read(json!({})).unwrap_err().contains("`file_path`"));
}

#[test]
fn a_missing_file_is_missed_with_its_neighbours() {
    let fixture = FileFixture::new();
    fixture.put("settings.toml", "");
    let missing = fixture.read(json!({"file_path": fixture.path("setings.toml")})).unwrap_err();
    assert!(missing.contains("does not exist") && missing.contains("settings.toml"), "{missing}");
    fs::create_dir(fixture.path("home")).unwrap();
    fixture.put("home/notes", "hi");
    assert_eq!(fixture.read(json!({"file_path": "~/notes"})).unwrap().text(), "1\thi");
    assert_eq!(
        fixture.read(json!({"file_path": "home/notes"})).unwrap().result["file"]["filePath"],
        "home/notes"
    );
}

#[test]
fn a_link_and_a_name_that_is_not_text_lead_to_the_file() {
    let fixture = FileFixture::new();
    let odd = fixture.path("").join(std::ffi::OsStr::from_bytes(b"odd\xff.txt"));
    fs::write(&odd, "odd").unwrap();
    symlink(&odd, fixture.path("link")).unwrap();
    assert_eq!(fixture.see("link").text(), "1\todd");
    let missing = fixture.read(json!({"file_path": fixture.path("odd.txt")})).unwrap_err();
    assert!(missing.contains("odd\u{fffd}.txt"), "{missing}");
}

#[test]
fn a_file_without_permission_is_named() {
    let fixture = FileFixture::new();
    let path = fixture.put("secret", "x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    match File::open(&path) {
        Ok(_) => assert!(fixture.read(json!({"file_path": path})).is_ok(), "root reads everything"),
        Err(_) => {
            assert!(fixture.read(json!({"file_path": path})).unwrap_err().contains("No permission to read"))
        }
    }
}

#[test]
fn a_large_file_is_read_in_parts() {
    let fixture = FileFixture::new();
    let lines: String = (1..=9000).map(|number| format!("line {number} {}\n", "x".repeat(40))).collect();
    let path = fixture.put("large", &lines);
    let whole = fixture.read(json!({"file_path": path})).unwrap_err();
    assert!(whole.contains("offset and limit"), "{whole}");
    let part = fixture.read(json!({"file_path": path, "offset": 100, "limit": 1})).unwrap();
    assert!(part.text().starts_with("100\tline 100 "));
    assert_eq!(part.result["file"]["totalLines"], 9001);
    let much = fixture.read(json!({"file_path": path, "limit": 8000})).unwrap_err();
    assert!(much.contains("fewer lines"), "{much}");
    let large = fixture.read(json!({"file_path": path, "allow_large": true})).unwrap();
    assert_eq!(large.result["file"]["content"], lines);
    assert_eq!(large.result["file"].get("truncatedByTokenCap"), None);
    let path = fixture.put("larger", lines.repeat(3));
    let cut = fixture.read(json!({"file_path": path, "allow_large": true})).unwrap();
    assert_eq!(cut.result["file"]["truncatedByTokenCap"], true);
    assert!(cut.text().contains("Continue with offset"));
}

#[test]
fn two_gigabytes_are_no_trouble() {
    let fixture = FileFixture::new();
    let path = fixture.put("huge", "first\nsecond\nthird\n");
    File::options().write(true).open(&path).unwrap().set_len(2 << 30).unwrap();
    let whole = fixture.read(json!({"file_path": path})).unwrap_err();
    assert!(whole.contains("2097152 KB"), "{whole}");
    let part = fixture.read(json!({"file_path": path, "offset": 2, "limit": 2})).unwrap();
    assert_eq!(part.text(), "2\tsecond\n3\tthird");
    assert_eq!(part.result["file"]["totalLines"], 4);
    let line = fixture.read(json!({"file_path": path, "offset": 4})).unwrap_err();
    assert!(line.contains("more than 256 KB"), "{line}");
    fixture.cancel.cancel();
    let interrupted = fixture.read(json!({"file_path": path, "offset": 2, "limit": 2})).unwrap_err();
    assert!(interrupted.contains("Interrupted"), "{interrupted}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_of_proc_that_says_it_is_empty_is_read() {
    let fixture = FileFixture::new();
    let status = fixture.read(json!({"file_path": "/proc/self/status"})).unwrap();
    assert!(status.text().contains("Name:"));
}

/// A PNG of that size, with everything a header has.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    png.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
    png.extend([8, 2, 0, 0, 0]);
    png
}

#[test]
fn an_image_is_shown_with_its_size() {
    let fixture = FileFixture::new();
    let bytes = png(10, 20);
    fixture.put("a.PNG", &bytes);
    let answer = fixture.see("a.PNG");
    let data = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
    assert_eq!(
        answer.content,
        json!([{"type": "image", "source": {"type": "base64", "data": data, "media_type": "image/png"}}])
    );
    assert_eq!(
        answer.result,
        json!({"type": "image", "file": {"base64": data, "type": "image/png", "originalSize": bytes.len(),
            "dimensions": {"originalWidth": 10, "originalHeight": 20, "displayWidth": 10, "displayHeight": 20}}})
    );
}

#[test]
fn an_image_that_cannot_be_shown_is_refused() {
    let fixture = FileFixture::new();
    let refused = |name: &str, bytes: &[u8]| {
        let path = fixture.put(name, bytes);
        fixture.read(json!({"file_path": path})).unwrap_err()
    };
    assert!(refused("page.png", b"<html>").contains("<html>"));
    assert!(refused("empty.gif", b"").contains("it is empty"));
    assert!(refused("wide.png", &png(90_000, 90_000)).contains("90000 by 90000 pixels"));
    assert!(refused("cut.png", &png(9000, 1)).contains("can't be made smaller"));
    let path = fixture.put("heavy.png", png(10, 10));
    File::options().write(true).open(&path).unwrap().set_len(65 << 20).unwrap();
    assert!(fixture.read(json!({"file_path": path})).unwrap_err().contains("make a smaller copy"));
}

#[test]
fn a_large_image_is_made_smaller() {
    let fixture = FileFixture::new();
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(9000, 45).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    fixture.put("wide.png", bytes.into_inner());
    let answer = fixture.see("wide.png");
    assert_eq!(
        answer.result["file"]["dimensions"],
        json!({"originalWidth": 9000, "originalHeight": 45, "displayWidth": 2000, "displayHeight": 10})
    );
    let data = answer.content[0]["source"]["data"].as_str().unwrap();
    let shown = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data).unwrap();
    assert_eq!(Image::recognise(&shown), Some(Image { media_type: "image/png", width: 2000, height: 10 }));
}

#[test]
fn image_headers() {
    let image = |media_type, width, height| Some(Image { media_type, width, height });
    assert_eq!(Image::recognise(b"GIF89a\x05\0\x06\0"), image("image/gif", 5, 6));
    let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x11\x08\0\x07\0\x09";
    assert_eq!(Image::recognise(jpeg), image("image/jpeg", 9, 7));
    let lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x03\0\x04\0";
    assert_eq!(Image::recognise(lossy), image("image/webp", 3, 4));
    let lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x02\xc0\0\0";
    assert_eq!(Image::recognise(lossless), image("image/webp", 3, 4));
    let extended = b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x02\0\0\x03\0\0";
    assert_eq!(Image::recognise(extended), image("image/webp", 3, 4));
    for cut in [&jpeg[..12], &lossy[..20], b"\x89PNG\r\n\x1a\n".as_slice(), b"GIF89a\0\0\0\0", b""] {
        assert_eq!(Image::recognise(cut), None);
    }
}

const PDF: &[u8] = b"%PDF-1.4\n1 0 obj<</Type/Pages/Count 1>>endobj\n2 0 obj<</Type /Page>>endobj\n%%EOF\n";

#[test]
fn a_pdf_is_a_document() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.pdf", PDF);
    let answer = fixture.see("a.pdf");
    assert_eq!(answer.content[1]["type"], "document");
    assert_eq!(answer.content[1]["source"]["media_type"], "application/pdf");
    assert_eq!(answer.result["type"], "pdf");
    assert_eq!(answer.result["file"]["filePath"], path);
    assert_eq!(answer.result["file"]["originalSize"], PDF.len());
    assert_eq!(answer.result["file"]["base64"], answer.content[1]["source"]["data"]);
    let long = fixture.put("long.pdf", [PDF, &b"<</Type/Page>>".repeat(100)].concat());
    assert!(fixture.read(json!({"file_path": long})).unwrap_err().contains("101 pages"));
    let none = fixture.put("none.pdf", "hello");
    assert!(fixture.read(json!({"file_path": none})).unwrap_err().contains("not a PDF"));
}

/// An environment in which `pdftoppm` is this script, or is missing.
fn environment(fixture: &FileFixture, script: Option<&str>) -> Environment {
    fs::create_dir_all(fixture.path("bin")).unwrap();
    if let Some(script) = script {
        let path = fixture.put("bin/pdftoppm", format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    Environment {
        cwd: fixture.path(""),
        home: fixture.path(""),
        config: fixture.path(""),
        temporary: fixture.path(""),
        variables: vec![("PATH".into(), format!("{}:/usr/bin:/bin", fixture.path("bin").display()).into())],
        guard: Vec::new(),
    }
}

#[tokio::test]
async fn pages_of_a_pdf_are_images() {
    let fixture = FileFixture::new();
    let path = fixture.put("a.pdf", PDF);
    let read = async |script: Option<&str>, pages: &str| {
        let environment = environment(&fixture, script);
        let call = fixture.call(json!({"file_path": path}));
        answer(super::pdf::read_pages(&environment, &fixture.path("spool"), call, pages).await)
    };
    for wrong in ["x", "5-3", "1,2", "0", "1-21", "-"] {
        assert!(read(None, wrong).await.unwrap_err().contains("not a valid page range"), "{wrong}");
    }
    if Command::new("pdftoppm").arg("-v").output().is_err() {
        assert!(read(None, "1").await.unwrap_err().contains("poppler-utils"));
    }
    let renders = r#"for last; do :; done; echo -n 2 > "$last-02.jpg"; echo -n 3 > "$last-03.jpg""#;
    let pages = read(Some(renders), "2-3").await.unwrap();
    assert_eq!(pages.content[0]["text"], format!("{path}, page 2:"));
    assert_eq!(
        pages.content[3]["source"],
        json!({"type": "base64", "data": "Mw==", "media_type": "image/jpeg"})
    );
    assert_eq!(pages.result["type"], "parts");
    assert_eq!(pages.result["firstPage"], 2);
    assert_eq!(pages.result["file"]["count"], 2);
    assert_eq!(pages.result["pages"][0], json!({"base64": "Mg==", "mediaType": "image/jpeg"}));
    let failed = read(Some("echo 'no such page' >&2; exit 1"), "9").await.unwrap_err();
    assert!(failed.contains("no such page"), "{failed}");
    assert!(read(Some(":"), "9").await.unwrap_err().contains("no page 9"));
    fixture.cancel.cancel();
    assert!(read(Some("exec sleep 1000"), "1").await.unwrap_err().contains("Interrupted"));
}

#[test]
fn a_notebook_is_cells_with_outputs() {
    let fixture = FileFixture::new();
    let image = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, png(2, 2));
    let path = fixture.put("a.ipynb", json!({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Hi\n", "there"]},
        {"cell_type": "code", "id": "abc", "execution_count": 3, "metadata": {}, "source": "plot()", "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["1\n"]},
            {"output_type": "display_data", "data": {"text/plain": "<Figure>", "image/png": format!("{image}\n")}},
            {"output_type": "display_data", "data": {"image/png": "bm90IGFuIGltYWdl"}},
            {"output_type": "error", "ename": "E", "evalue": "bad", "traceback": ["here"]},
        ]},
    ]}).to_string());
    let answer = fixture.see("a.ipynb");
    assert_eq!(
        answer.result,
        json!({"type": "notebook", "file": {"filePath": path, "cells": [
            {"cellType": "markdown", "source": "# Hi\nthere", "cell_id": "cell-0"},
            {"cellType": "code", "source": "plot()", "cell_id": "abc", "execution_count": 3, "language": "python",
                "outputs": [
                    {"output_type": "stream", "text": "1\n"},
                    {"output_type": "display_data", "text": "<Figure>",
                        "image": {"image_data": image, "media_type": "image/png"}},
                    {"output_type": "display_data"},
                    {"output_type": "error", "text": "E: bad\nhere"},
                ]},
        ]}})
    );
    insta::assert_snapshot!(answer.content[0]["text"].as_str().unwrap(), @r#"
    <cell id="cell-0" type="markdown">
    # Hi
    there
    </cell>
    <cell id="abc" type="code">
    plot()
    </cell>
    <output>
    1
    </output>
    <output>
    <Figure>
    </output>
    "#);
    assert_eq!(answer.content[1]["source"]["data"], image);
    assert_eq!(answer.content.as_array().unwrap().len(), 3);
    let broken = fixture.put("b.ipynb", "{nope");
    assert!(fixture.read(json!({"file_path": broken})).unwrap_err().contains("invalid JSON"));
    let other = fixture.put("c.ipynb", "{}");
    assert!(fixture.read(json!({"file_path": other})).unwrap_err().contains("no list of cells"));
}
