//! `aqueduct record`.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::{aqueduct, file, run};

/// Records a shell script; the arguments come before the script.
fn script(directory: &tempfile::TempDir, flags: &[&str], text: &str) -> (std::process::Command, String) {
    let script = file(directory, "agent.sh", text);
    let recording = directory.path().join("recording.jsonl").to_str().unwrap().to_owned();
    let arguments = [&["record", "-o", &recording], flags, &["--", "sh", &script]].concat();
    (aqueduct(&arguments), recording)
}

/// The recording without its times and without the line that names the command.
fn recorded(path: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.contains("\"text\":\"command "));
    lines.map(|line| format!("{}\n", line.split_once(',').unwrap().1)).collect()
}

#[test]
fn bytes_go_through_untouched_both_ways() {
    let directory = tempfile::tempdir().unwrap();
    let (mut command, recording) = script(&directory, &[], "cat; printf 'oops' >&2; exit 7");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut bytes = b"{\"a\": 1e2}\r\n\n\xff\x00\xfe\n".to_vec();
    bytes.extend((0..300_000).map(|at| (at * 7 % 251) as u8));
    let mut input = child.stdin.take().unwrap();
    let sent = bytes.clone();
    let writer = std::thread::spawn(move || input.write_all(&sent).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.stdout == bytes);
    assert_eq!(output.stderr, b"oops");
    assert_eq!(output.status.code(), Some(7));
    let kept = recorded(&recording);
    assert!(
        kept.contains(r#""dir":"in","msg":{"a": 1e2}}"#) && kept.contains(r#""dir":"out","msg":{"a": 1e2}}"#)
    );
    assert!(kept.contains(r#""dir":"err","text":"oops","cut":true}"#));
    assert!(kept.ends_with("\"dir\":\"note\",\"text\":\"exit 7\"}\n"));
}

#[test]
fn parts_of_lines_come_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let (mut command, _) = script(&directory, &[], "printf 'half'; read line; printf '%s' \"$line\"");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    let mut half = [0; 4];
    output.read_exact(&mut half).unwrap();
    assert_eq!(&half, b"half");
    child.stdin.take().unwrap().write_all(b"rest\n").unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "rest");
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_programs_end_ends_it_while_stdin_is_open() {
    let directory = tempfile::tempdir().unwrap();
    // What is left behind holds the pipes open; it is not waited for.
    let (mut command, recording) = script(&directory, &[], "echo bye; sleep 600 & echo $! >&2; exit 3");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let status = {
        let _open = child.stdin.take();
        child.wait().unwrap()
    };
    assert_eq!(status.code(), Some(3));
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(out, "bye\n");
    assert!(recorded(&recording).contains("\"text\":\"exit 3\""));
    crate::kill("TERM", err.trim().parse().unwrap());
}

#[test]
fn signals_are_handed_on_and_reported_by_the_exit_code() {
    let directory = tempfile::tempdir().unwrap();
    for (text, signal, code) in [
        ("trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.01; done", "TERM", 5),
        ("echo ready; exec cat", "INT", 130),
    ] {
        let (mut command, recording) = script(&directory, &["--force"], text);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // Waiting would close it, and an end of input can be faster than a signal.
        let _open = child.stdin.take();
        let mut output = child.stdout.take().unwrap();
        let mut ready = [0; 6];
        output.read_exact(&mut ready).unwrap();
        crate::kill(signal, child.id());
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert!(recorded(&recording).contains(&format!("\"text\":\"exit {code}")));
    }
}

#[test]
fn a_host_that_reads_no_more_is_seen_by_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let (mut command, _) = script(&directory, &[], "while echo more; do :; done");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    // The shell is ended by SIGPIPE, as it would be without the tap.
    assert_eq!(child.wait().unwrap().code(), Some(141));
}

#[test]
fn a_program_that_reads_no_more_is_seen_by_the_host() {
    let directory = tempfile::tempdir().unwrap();
    let (mut command, _) = script(&directory, &[], "exec <&-; echo closed; exec sleep 600");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut closed = [0; 7];
    child.stdout.take().unwrap().read_exact(&mut closed).unwrap();
    let mut input = child.stdin.take().unwrap();
    while input.write_all(&[b'x'; 4096]).is_ok() {}
    crate::kill("TERM", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn secrets_stay_out_of_the_file_only() {
    let directory = tempfile::tempdir().unwrap();
    let text = r#"echo '{"type":"x","headers":{"Authorization":"Bearer abc"},"usage":{"input_tokens":5},"max_tokens":9}'
echo '{"note":"key sk-ant-api03-0123456789 here"}'
echo 'export API_KEY=abc123def' >&2"#;
    let (mut command, recording) = script(&directory, &[], text);
    let passed = run(&mut command);
    assert!(passed.out.contains("Bearer abc") && passed.out.contains("sk-ant-api03-0123456789"));
    assert!(passed.err.contains("abc123def"));
    // Whether stdin ends before the program does is chance here.
    let kept = recorded(&recording).replace("\"dir\":\"note\",\"text\":\"stdin closed\"}\n", "");
    let mut lines: Vec<_> = kept.lines().collect();
    lines.sort_unstable();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    "dir":"err","text":"export API_KEY=[redacted]"}
    "dir":"note","text":"exit 0"}
    "dir":"out","msg":{"note":"key [redacted] here"}}
    "dir":"out","msg":{"type":"x","headers":{"Authorization":"[redacted]"},"usage":{"input_tokens":5},"max_tokens":9}}
    "#);
    let (mut command, recording) = script(&directory, &["--force", "--raw"], text);
    run(&mut command);
    assert!(recorded(&recording).contains("sk-ant-api03-0123456789"));
}

#[test]
fn the_command_line_is_kept_without_secrets() {
    let directory = tempfile::tempdir().unwrap();
    let recording = directory.path().join("r.jsonl").to_str().unwrap().to_owned();
    run(&mut aqueduct(&["record", "-o", &recording, "--", "true", "--api-key", "abc", "--max-tokens=5"]));
    let first = std::fs::read_to_string(&recording).unwrap();
    assert!(
        first.contains(r#""text":"command [\"true\",\"--api-key\",\"[redacted]\",\"--max-tokens=5\"]""#),
        "{first}"
    );
}

#[test]
fn a_recording_is_not_overwritten() {
    let directory = tempfile::tempdir().unwrap();
    let path = file(&directory, "there.jsonl", "precious");
    let refused = run(&mut aqueduct(&["record", "-o", &path, "--", "true"]));
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
    assert_eq!(run(&mut aqueduct(&["record", "-o", &path, "--force", "--", "true"])).code, 0);
}

#[test]
fn a_program_that_is_not_there() {
    let directory = tempfile::tempdir().unwrap();
    let recording = directory.path().join("r.jsonl").to_str().unwrap().to_owned();
    let run = run(&mut aqueduct(&["record", "-o", &recording, "--", "no-such-program-anywhere"]));
    assert_eq!((run.code, run.err.lines().count()), (2, 1), "{}", run.err);
}

#[test]
fn a_full_disk_does_not_stop_the_program() {
    let run = run(&mut aqueduct(&[
        "record",
        "--force",
        "-o",
        "/dev/full",
        "--",
        "sh",
        "-c",
        "echo one; echo two; exit 4",
    ]));
    assert_eq!((run.code, run.out.as_str()), (4, "one\ntwo\n"));
    assert_eq!(run.err.matches("the recording stops here").count(), 1, "{}", run.err);
}
