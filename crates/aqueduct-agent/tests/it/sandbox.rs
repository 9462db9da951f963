//! The sandbox of commands, held by bubblewrap and by Landlock.
//!
//! Where a machine has only one of them, the tests of the other say so and do nothing.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use serde_json::{Value, json};

use crate::host::{Host, Place};

/// Who holds commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Bubblewrap,
    Landlock,
}

/// A place with a sandbox, if this machine can hold it that way.
fn place(by: By, sandbox: Value) -> Option<Place> {
    let place = Place::new();
    if by == By::Landlock {
        // One that does not work stands before the others.
        place.write_home("bin/bwrap", "#!/bin/sh\necho nothing works here >&2\nexit 1\n");
        let program = place.home().join("bin/bwrap");
        std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    place.write_home(".claude/settings.json", &json!({ "sandbox": sandbox }).to_string());
    let output = command(&place, &["-p", "/status"]).output().unwrap();
    let status = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_held = match by {
        By::Bubblewrap => status.contains("Sandbox: on, by /"),
        By::Landlock => status.contains("Sandbox: on, by Landlock"),
    };
    if !is_held {
        eprintln!("skipped: {}", status.lines().find(|line| line.starts_with("Sandbox")).unwrap_or(&status));
        return None;
    }
    Some(place)
}

/// The agent's command line; in a place for Landlock, with the bubblewrap that does not work.
fn command(place: &Place, arguments: &[&str]) -> std::process::Command {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = place.command(arguments);
    command.env("PATH", format!("{}:{path}", place.home().join("bin").display()));
    command
}

/// Starts the agent with frames.
fn start(place: &Place, arguments: &[&str]) -> Host {
    let streaming = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
    let all: Vec<&str> = streaming.into_iter().chain(arguments.iter().copied()).collect();
    Host::start(command(place, &all))
}

/// The same where nothing is asked.
fn start_bold(place: &Place) -> Host {
    start(place, &["--dangerously-skip-permissions"])
}

/// Runs a command: whether it went well, and what the model is told.
fn run(host: &mut Host, command: &str) -> (bool, String) {
    let (result, text) = call(host, &json!({ "command": command }));
    (result["is_error"] != true, text)
}

/// Makes a call that nobody is asked about: the result's block, and its text.
fn call(host: &mut Host, input: &Value) -> (Value, String) {
    host.say(&format!("@tool Bash {input}\n@say done"));
    let frames = host.turn();
    assert!(
        frames.iter().all(|frame| frame["type"] != "control_request"),
        "{input} is asked about: {frames:#?}"
    );
    let result = result(&frames);
    let text = result["content"].as_str().unwrap_or_else(|| panic!("text: {result}")).to_owned();
    (result, text)
}

fn result(frames: &[Value]) -> Value {
    let blocks = frames.iter().filter(|frame| frame["type"] == "user");
    let mut blocks = blocks.flat_map(|frame| frame["message"]["content"].as_array().into_iter().flatten());
    blocks
        .find(|block| block["type"] == "tool_result")
        .unwrap_or_else(|| panic!("a result: {frames:#?}"))
        .clone()
}

/// Whether a process with this in its command line is there.
fn is_running(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.split(|byte| *byte == 0).any(|own| own == word.as_bytes()))
}

/// How long a command sleeps that must be found among all processes: nobody else does so for that long.
fn long(number: u32) -> String {
    format!("9876{number}.{}", std::process::id())
}

/// Waits for such a command to begin.
fn begins(word: &str) {
    while !is_running(word) {
        std::thread::yield_now();
    }
}

/// Files, exit codes, the working directory: what holds whoever holds it.
fn files(by: By) {
    let Some(place) = place(by, json!({ "enabled": true })) else { return };
    let outside = place.home().join("outside");
    symlink(place.home(), place.project().join("link")).unwrap();
    std::fs::create_dir(place.project().join("sub")).unwrap();
    let mut host = start_bold(&place);
    assert_eq!(run(&mut host, "echo hi > new && cat new"), (true, "hi".to_owned()));
    assert_eq!(place.read("new").as_deref(), Some("hi\n"));
    for refused in [
        format!("echo x > {}", outside.display()),
        "echo x > link/outside".to_owned(),
        "mkdir link/outside".to_owned(),
        "mv new link/outside".to_owned(),
        "ln new link/outside".to_owned(),
        format!("rm {}/.claude/settings.json", place.home().display()),
        format!("truncate -s 0 {}/.claude/settings.json", place.home().display()),
        "touch /tmp/aqueduct-test-of-the-sandbox".to_owned(),
        "echo x > /dev/shm/../../etc/aqueduct-test".to_owned(),
    ] {
        let (well, text) = run(&mut host, &refused);
        assert!(!well, "{refused}: {text}");
        assert!(
            text.contains("The sandbox refused") && text.contains("dangerouslyDisableSandbox"),
            "{refused}: {text}"
        );
    }
    assert!(!outside.exists() && !Path::new("/tmp/aqueduct-test-of-the-sandbox").exists());
    assert!(std::fs::read_to_string(place.home().join(".claude/settings.json")).unwrap().contains("sandbox"));
    let (well, text) = run(&mut host, "echo a > $TMPDIR/kept && mktemp && cat $TMPDIR/kept");
    assert!(well && text.ends_with("\na"), "{text}");
    assert_eq!(run(&mut host, "cat $TMPDIR/kept"), (true, "a".to_owned()));
    let (well, text) = run(&mut host, "echo out; exit 7");
    assert!(!well && text == "Exit code 7\nout", "{text}");
    let (_, text) = run(&mut host, "kill -9 $$");
    assert!(text.starts_with("Exit code 137"), "{text}");
    let project = place.project();
    assert!(run(&mut host, "cd sub").0);
    assert_eq!(run(&mut host, "pwd"), (true, project.join("sub").display().to_string()));
    let (_, text) = run(&mut host, "cd /");
    assert!(text.contains("cwd was reset"), "{text}");
    // Reading is free.
    assert!(run(&mut host, "head -c 0 /etc/passwd; ls / >/dev/null").0);
    let (_, status) = host.end();
    assert!(status.success());
}

#[test]
fn files_are_held_by_bubblewrap() {
    files(By::Bubblewrap);
}

#[test]
fn files_are_held_by_landlock() {
    files(By::Landlock);
}

/// Sockets of both kinds, against listeners of the test.
fn sockets(by: By) {
    let Some(place) = place(by, json!({ "enabled": true })) else { return };
    let network = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = network.local_addr().unwrap().port();
    let unix = place.project().join("socket");
    let _listener = UnixListener::bind(&unix).unwrap();
    let mut host = start_bold(&place);
    let (well, text) = run(&mut host, &format!("exec 3<>/dev/tcp/127.0.0.1/{port}"));
    assert!(!well, "{text}");
    let program = std::env::current_exe().unwrap();
    let attempt = format!(
        "ATTEMPT={} {} --exact sandbox::attempt_from_inside --include-ignored --nocapture",
        unix.display(),
        program.display()
    );
    let (well, text) = run(&mut host, &attempt);
    assert!(!well && text.contains("Operation not permitted"), "{text}");
    network.set_nonblocking(true).unwrap();
    assert!(network.accept().is_err());
    host.end();
}

#[test]
fn sockets_are_refused_by_bubblewrap() {
    sockets(By::Bubblewrap);
}

#[test]
fn sockets_are_refused_by_landlock() {
    sockets(By::Landlock);
}

#[test]
#[ignore = "other tests run it in the sandbox"]
fn attempt_from_inside() {
    let Some(path) = std::env::var_os("ATTEMPT") else { return };
    std::os::unix::net::UnixStream::connect(path).unwrap();
}

#[test]
fn unix_sockets_can_be_allowed() {
    let sandbox = json!({ "enabled": true, "network": { "allowAllUnixSockets": true } });
    let Some(place) = place(By::Bubblewrap, sandbox) else { return };
    let unix = place.project().join("socket");
    let _listener = UnixListener::bind(&unix).unwrap();
    let program = std::env::current_exe().unwrap();
    let attempt = format!(
        "ATTEMPT={} {} --exact sandbox::attempt_from_inside --include-ignored",
        unix.display(),
        program.display()
    );
    let mut host = start_bold(&place);
    let (well, text) = run(&mut host, &attempt);
    assert!(well, "{text}");
    host.end();
}

#[test]
fn what_would_run_later_stays_as_it_is() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    place.write(".git/config", "[core]\n");
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    std::fs::create_dir_all(place.project().join(".git/objects")).unwrap();
    std::fs::create_dir_all(place.project().join(".git/refs")).unwrap();
    let before = everything(&place.project());
    let mut host = start_bold(&place);
    for refused in [
        "mkdir -p .claude && echo {} > .claude/settings.json",
        "mkdir .claude/commands",
        "rm -r .claude",
        "mv .claude elsewhere",
        "ln -s /tmp .claude/skills",
        "echo {} > .mcp.json",
        "rm -r .mcp.json",
        "mv .mcp.json elsewhere",
        "ln -sf x .mcp.json && echo {} > .mcp.json",
        "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
        "rm -r .git/hooks",
        "echo x >> .git/config",
        "mv .git/config elsewhere",
        "cp .git/config c && mv c .git/config; rm c; false",
        "mv .git elsewhere",
        "ln .git/config elsewhere",
        "git config core.hooksPath . 2>/dev/null",
    ] {
        let (well, text) = run(&mut host, refused);
        assert!(!well, "{refused}: {text}");
    }
    // What could only be copied away is nobody's.
    assert!(run(&mut host, "rm -rf elsewhere").0);
    // What is not there takes no part in git's view.
    assert_eq!(run(&mut host, "git status --short"), (true, "(Bash completed with no output)".to_owned()));
    host.end();
    assert_eq!(everything(&place.project()), before, "nothing is left behind");
}

/// All paths in a folder.
fn everything(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        found.push(entry.path().display().to_string());
        if entry.file_type().unwrap().is_dir() {
            found.extend(everything(&entry.path()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_background_command_keeps_what_is_protected_and_leaves_nothing() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    let mut host = start_bold(&place);
    let waits =
        "echo started > begun; while [ ! -e go ]; do sleep 0.02; done; mkdir .claude/x; echo $? > code";
    let (_, text) = call(&mut host, &json!({ "command": waits, "run_in_background": true }));
    assert!(text.contains("background with ID"), "{text}");
    // Another command comes and goes meanwhile.
    assert!(run(&mut host, "while [ ! -e begun ]; do sleep 0.02; done").0);
    assert!(place.project().join(".claude").is_dir());
    host.say("@tool Bash {\"command\":\"touch go\"}\n@say done");
    host.until(|frame| frame["subtype"] == "task_notification");
    assert_eq!(place.read("code").as_deref(), Some("1\n"));
    host.end();
    assert!(!place.project().join(".claude").exists() && !place.project().join(".mcp.json").exists());
}

/// Leftovers, timeouts and the end of everything.
fn ends(by: By) {
    let Some(place) = place(by, json!({ "enabled": true })) else { return };
    let (left, late) = match by {
        By::Bubblewrap => (long(1), long(2)),
        By::Landlock => (long(3), long(4)),
    };
    let mut host = start_bold(&place);
    assert!(run(&mut host, &format!("setsid sleep {left} >/dev/null 2>&1 &")).0);
    // What a command leaves running goes on.
    begins(&left);
    let input = json!({ "command": format!("sleep {late}"), "timeout": 50 });
    let (_, text) = call(&mut host, &input);
    assert!(text.contains("goes on in the background"), "{text}");
    begins(&late);
    let (_, status) = host.end();
    assert!(status.success());
    assert!(!is_running(&left) && !is_running(&late), "nothing outlives the agent");
}

#[test]
fn everything_ends_with_the_agent_under_bubblewrap() {
    ends(By::Bubblewrap);
}

#[test]
fn everything_ends_with_the_agent_under_landlock() {
    ends(By::Landlock);
}

#[test]
fn an_agent_that_is_killed_takes_the_sandbox_along() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    let mut host = start_bold(&place);
    host.say(&format!("@tool Bash {{\"command\":\"sleep {}\"}}", long(5)));
    begins(&long(5));
    host.kill();
    while is_running(&long(5)) {
        std::thread::yield_now();
    }
}

/// Attempts to get out, or to get more. Each says `out` where it succeeds.
const ESCAPES: &[&str] = &[
    "unshare -Ur true && echo out",
    "unshare -m true && echo out",
    "mkdir m; mount -t tmpfs none m && echo out; rmdir m",
    "mount -o remount,rw / && echo out",
    "umount .claude && echo out",
    "chroot / true && echo out",
    "mknod device c 1 3 && echo out",
    "echo x > /proc/sys/kernel/core_pattern && echo out",
    "cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness && echo out",
    "echo x > /proc/sysrq-trigger && echo out",
    "cp /bin/true t; chmod u+s t && echo out; rm -f t",
    "cp /bin/true t; chmod g+s t && echo out; rm -f t",
    "ln /etc/passwd passwd && echo out",
    "for p in /proc/[0-9]*; do [ -e $p/root/proc/$PPID/../$AGENT/exe ] && echo out; done",
    "kill -0 $AGENT && echo out",
    "cat /proc/$AGENT/environ && echo out",
    "ls /proc/1/root/ | grep . && echo out",
    "head -c 1 /proc/1/mem && echo out",
    "ls -l /proc/self/fd | grep -v -e pipe: -e /dev/null -e /proc/ -e total && echo out",
    "echo x > /sys/kernel/uevent_helper && echo out",
    "cat /dev/mem && echo out",
    "ls /dev/sd* /dev/vd* /dev/nvme* && echo out",
    "nsenter -t 1 -m true && echo out",
    "sudo -n true && echo out",
    "su -c true nobody && echo out",
    "perl -e 'exit(syscall(101, 0, 0, 0, 0) == 0 ? 0 : 1)' && echo out",
    "perl -e '$s = \"x\"; exit(ioctl(STDERR, 0x5412, $s) ? 0 : $!{EPERM} ? 1 : 0)' && echo out",
    "perl -e 'syscall(425, 1, 0); exit($!{ENOSYS} ? 1 : 0)' && echo out",
    "perl -e 'syscall(250, 0, 0); exit($!{EPERM} ? 1 : 0)' && echo out",
    "perl -e 'syscall(41, 17, 3, 0); exit($!{EPERM} ? 1 : 0)' && echo out",
    "perl -e 'syscall(0x40000000 + 41, 1, 1, 0); exit($!{EPERM} || $!{ENOSYS} ? 1 : 0)' && echo out",
];

#[test]
fn attempts_to_get_out_fail() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    let has_perl =
        std::process::Command::new("perl").arg("-e1").status().is_ok_and(|status| status.success());
    let mut host = start_bold(&place);
    let agent = host.id();
    for escape in ESCAPES {
        // Those by number are for one kind of processor.
        if escape.starts_with("perl") && !(has_perl && cfg!(target_arch = "x86_64")) {
            eprintln!("skipped: {escape}");
            continue;
        }
        let (_, text) = run(&mut host, &format!("AGENT={agent}; {escape}"));
        assert!(!text.lines().any(|line| line == "out"), "{escape}: {text}");
    }
    host.end();
    assert_eq!(everything(&place.project()), Vec::<String>::new());
}

/// An HTTP server of the test that answers this many requests.
fn server(requests: usize) -> (u16, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let work = std::thread::spawn(move || {
        let mut heads = Vec::new();
        for _ in 0..requests {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert_ne!(reader.read_line(&mut head).unwrap(), 0, "{head}");
            }
            reader
                .get_mut()
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
                .unwrap();
            heads.push(head);
        }
        heads
    });
    (port, work)
}

/// What a command sends to the proxy, and prints of the answer.
fn through_proxy(request: &str) -> String {
    format!("exec 3<>/dev/tcp/127.0.0.1/${{HTTP_PROXY##*:}}; printf '{request}' >&3; cat <&3")
}

#[test]
fn named_hosts_are_reached_and_no_others() {
    let network = json!({ "allowedDomains": ["127.0.0.1", "*.example"], "deniedDomains": ["bad.example"] });
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true, "network": network })) else { return };
    let (port, served) = server(2);
    let mut host = start_bold(&place);
    let plain =
        through_proxy(&format!("GET http://127.0.0.1:{port}/a HTTP/1.1\\r\\nHost: other\\r\\n\\r\\n"));
    let (well, text) = run(&mut host, &plain);
    assert!(well && text.ends_with("hello") && !text.contains("<sandbox>"), "{text}");
    let tunnel =
        format!("CONNECT 127.0.0.1:{port} HTTP/1.1\\r\\n\\r\\nGET /b HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n");
    let (_, text) = run(&mut host, &through_proxy(&tunnel));
    assert!(text.contains("Connection established") && text.ends_with("hello"), "{text}");
    for (target, why) in [
        (format!("CONNECT localhost:{port}"), "not among the allowed hosts"),
        ("CONNECT bad.example:443".to_owned(), "denied host"),
        ("CONNECT example.org:443".to_owned(), "not among the allowed hosts"),
    ] {
        let (well, text) = run(&mut host, &through_proxy(&format!("{target} HTTP/1.1\\r\\n\\r\\n")));
        assert!(well && text.contains("403 Forbidden"), "{text}");
        let (_, note) = text.split_once("<sandbox>").unwrap_or_else(|| panic!("a note: {text}"));
        assert!(note.contains(why) && note.contains("*.example"), "{note}");
    }
    host.end();
    let heads = served.join().unwrap();
    assert!(heads[0].starts_with(&format!("GET /a HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n")), "{heads:?}");
    assert!(heads[1].starts_with("GET /b"));
}

#[test]
fn a_private_address_takes_its_own_name() {
    let network = json!({ "allowedDomains": ["*"] });
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true, "network": network })) else { return };
    let mut host = start_bold(&place);
    for name in ["127.0.0.1", "localhost", "169.254.169.254", "[::1]"] {
        let (_, text) = run(&mut host, &through_proxy(&format!("CONNECT {name}:80 HTTP/1.1\\r\\n\\r\\n")));
        assert!(text.contains("private address") || text.contains("502"), "{name}: {text}");
        assert!(!text.contains("established"), "{name}: {text}");
    }
    host.end();
}

#[test]
fn files_can_be_hidden_and_opened_by_settings() {
    let filesystem =
        json!({ "denyRead": ["~/secret"], "allowWrite": ["~/cache"], "denyWrite": ["/proj-none"] });
    for by in [By::Bubblewrap, By::Landlock] {
        let Some(place) = place(by, json!({ "enabled": true, "filesystem": filesystem })) else { continue };
        place.write_home("secret/key", "hidden");
        place.write_home("plain", "seen");
        place.write_home(".claude/.credentials.json", "hidden");
        std::fs::create_dir(place.home().join("cache")).unwrap();
        let mut host = start_bold(&place);
        let home = place.home().display().to_string();
        assert_eq!(
            run(&mut host, &format!("cat {home}/plain; echo a > {home}/cache/a")),
            (true, "seen".to_owned())
        );
        for file in ["secret/key", ".claude/.credentials.json"] {
            let (_, text) = run(&mut host, &format!("cat {home}/{file}"));
            assert!(!text.contains("hidden"), "{file}: {text}");
        }
        host.end();
    }
}

#[test]
fn rules_that_forbid_reading_hold_for_every_program() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    place.write(".env", "hidden");
    place.write("reader", "cat .env");
    let settings = json!({ "sandbox": { "enabled": true }, "permissions": { "deny": ["Read(./.env)"] } });
    place.write_home(".claude/settings.json", &settings.to_string());
    let mut host = start_bold(&place);
    let (_, text) = run(&mut host, "sh reader");
    assert!(!text.contains("hidden"), "{text}");
    host.end();
}

#[test]
fn leaving_the_sandbox_is_asked_about() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true, "autoAllowBashIfSandboxed": true }))
    else {
        return;
    };
    let outside = place.home().join("outside");
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    // Inside, nobody is asked, whatever can be seen of the command.
    assert!(run(&mut host, "touch new-$RANDOM-$(echo x)").0);
    for command in [format!("touch {}", outside.display()), "ls".to_owned()] {
        let input = json!({ "command": command, "dangerouslyDisableSandbox": true });
        host.say(&format!("@tool Bash {input}\n@say done"));
        let request = host.request();
        assert_eq!(request["request"]["decision_reason_type"], "sandboxOverride", "{request}");
        assert_eq!(request["request"]["permission_suggestions"], Value::Null, "{request}");
        host.answer(&request, &json!({ "behavior": "allow", "updatedInput": input }));
        let frames = host.turn();
        let result = frames.iter().find(|frame| frame["type"] == "user").unwrap();
        assert_eq!(result["tool_use_result"]["dangerouslyDisableSandbox"], true, "{result}");
    }
    assert!(outside.exists());
    host.end();
}

#[test]
fn settings_can_close_the_way_out() {
    let sandbox = json!({ "enabled": true, "allowUnsandboxedCommands": false });
    let Some(place) = place(By::Bubblewrap, sandbox) else { return };
    let mut host = start_bold(&place);
    let input = json!({ "command": "touch ../outside", "dangerouslyDisableSandbox": true });
    let (result, text) = call(&mut host, &input);
    assert!(result["is_error"] == true && text.contains("Nothing runs outside"), "{text}");
    host.end();
}

#[test]
fn commands_that_settings_exclude_run_outside_and_are_asked_about() {
    let sandbox =
        json!({ "enabled": true, "autoAllowBashIfSandboxed": true, "excludedCommands": ["touch *"] });
    let Some(place) = place(By::Bubblewrap, sandbox) else { return };
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch ../outside\"}\n@say done");
    let request = host.request();
    host.answer(&request, &json!({ "behavior": "allow", "updatedInput": request["request"]["input"] }));
    host.turn();
    assert!(place.home().parent().unwrap().join("outside").exists());
    let (well, text) = run(&mut host, "touch ../other; touch ../other && echo $?");
    assert!(!well && text.contains("Read-only file system"), "{text}");
    host.end();
}

#[test]
fn rules_and_protected_places_still_ask_inside() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    let settings = json!({
        "sandbox": { "enabled": true, "autoAllowBashIfSandboxed": true },
        "permissions": { "ask": ["Bash(git push:*)"], "deny": ["Bash(curl:*)"] },
    });
    place.write_home(".claude/settings.json", &settings.to_string());
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    for asked in ["git push", "rm -rf ~"] {
        host.say(&format!("@tool Bash {}\n@say done", json!({ "command": asked })));
        let request = host.request();
        host.answer(&request, &json!({ "behavior": "deny", "message": "no" }));
        host.turn();
    }
    let (well, text) = run(&mut host, "curl example.com");
    assert!(!well && text.contains("curl"), "{text}");
    host.end();
}

#[test]
fn landlock_alone_waives_no_question() {
    let Some(place) = place(By::Landlock, json!({ "enabled": true, "autoAllowBashIfSandboxed": true }))
    else {
        return;
    };
    let mut host = start(&place, &["--permission-prompt-tool", "stdio"]);
    host.say("@tool Bash {\"command\":\"touch new\"}\n@say done");
    let request = host.request();
    assert_eq!(request["request"]["tool_name"], "Bash");
    host.answer(&request, &json!({ "behavior": "deny", "message": "no" }));
    host.turn();
    host.end();
}

#[test]
fn a_project_that_is_not_trusted_tightens_and_nothing_else() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    let project = json!({ "sandbox": {
        "enabled": false, "autoAllowBashIfSandboxed": true, "excludedCommands": ["touch *"],
        "filesystem": { "allowWrite": [".."], "denyWrite": ["kept"] },
    } });
    place.write(".claude/settings.json", &project.to_string());
    place.write("kept/a", "");
    let mut host = start_bold(&place);
    assert!(!run(&mut host, "touch ../outside").0);
    assert!(!run(&mut host, "touch kept/b").0);
    assert!(run(&mut host, "touch new").0);
    host.end();
    // Trusted, it has its way.
    place.trust();
    let mut host = start_bold(&place);
    assert!(run(&mut host, "touch ../outside kept/b").0);
    host.end();
}

#[test]
fn what_the_model_is_told_and_what_people_are() {
    let Some(place) = place(By::Landlock, json!({ "enabled": true, "bogus": 1 })) else { return };
    let output = command(&place, &["-p", "/doctor"]).output().unwrap();
    let (told, complained) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("held by Landlock alone"), "{told}");
    assert!(complained.contains("settings.json:1: sandbox.bogus is not known here"), "{complained}");
}

#[test]
fn subagents_are_held_too() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    let mut host = start_bold(&place);
    let prompt = "@tool Bash {\"command\":\"touch ../outside; touch inside\"}\n@say done";
    let input = json!({ "description": "d", "prompt": prompt, "subagent_type": "general-purpose" });
    host.say(&format!("@tool Task {input}\n@say done"));
    host.turn();
    host.end();
    assert!(place.read("inside").is_some());
    assert!(!place.home().parent().unwrap().join("outside").exists());
}

#[test]
fn commands_in_recipes_are_held_too() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    place.write_home(".claude/commands/look.md", "Look: !`touch ../outside || echo refused`\n");
    let mut host = start_bold(&place);
    host.say("/look");
    host.turn();
    host.end();
    assert!(!place.home().parent().unwrap().join("outside").exists());
}

#[test]
fn an_interrupt_ends_a_command_in_the_sandbox() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    let mut host = start_bold(&place);
    host.say(&format!("@tool Bash {{\"command\":\"sleep {}\"}}", long(6)));
    begins(&long(6));
    host.ask(&json!({ "subtype": "interrupt" }));
    host.turn();
    assert!(!is_running(&long(6)));
    host.end();
}

#[test]
fn a_killed_agents_placeholders_are_taken_away_by_the_next() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    std::fs::create_dir(place.project().join(".mcp.json")).unwrap();
    let mut host = start_bold(&place);
    assert!(run(&mut host, "true").0);
    host.end();
    assert!(!place.project().join(".mcp.json").exists());
}

#[test]
fn a_host_turns_it_on_while_the_session_runs() {
    let Some(place) = place(By::Bubblewrap, json!({ "enabled": true })) else { return };
    place.write_home(".claude/settings.json", "{}");
    let mut host = start_bold(&place);
    assert!(run(&mut host, "touch ../first").0);
    host.ask(&json!({ "subtype": "apply_flag_settings", "settings": { "sandbox": { "enabled": true } } }));
    assert!(!run(&mut host, "touch ../second").0);
    host.end();
}
