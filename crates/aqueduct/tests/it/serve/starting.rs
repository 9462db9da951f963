//! Errors at the start of a bridge are one line, with what to do.

use std::fs;
use std::net::TcpListener;

use super::served::{Served, aqueduct, command};
use crate::run;
use crate::terminal::Place;

/// The error if it can't start.
fn trouble(place: &Place, arguments: &[&str]) -> String {
    let mut all = vec!["serve"];
    if !arguments.contains(&"--listen") {
        all.extend(["--listen", "127.0.0.1:0"]);
    }
    all.extend(arguments);
    let left = aqueduct(place, &all);
    assert_eq!(left.code, 2, "{} {}", left.out, left.err);
    assert_eq!((left.out.as_str(), left.err.matches('\n').count()), ("", 1), "one line: {}", left.err);
    let text = left.err.replace(place.project().to_str().unwrap(), "/proj");
    text.replace(place.home().to_str().unwrap(), "/home/ada").trim_end().to_owned()
}

#[test]
fn a_port_that_is_taken() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let reported = trouble(&place, &["--listen", &address]).replace(&address, "127.0.0.1:8765");
    insta::assert_snapshot!(reported, @"aqueduct: 127.0.0.1:8765 is in use: another program listens there; end it, or choose another place with --listen");
}

/// Sessions continue once the hub is open, and unknown folders are removed: none of it before the port is
/// ours.
#[test]
fn a_port_that_is_taken_is_known_before_anything_is_begun() {
    let place = Place::new();
    let unknown = place.home().join(".local/share/aqueduct/keepers/unknown");
    let mut private = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700).recursive(true).create(&unknown).unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    trouble(&place, &["--listen", &taken.local_addr().unwrap().to_string()]);
    assert!(unknown.exists());
    drop(Served::start(&place, &["--no-pair"]));
    assert!(!unknown.exists());
}

#[test]
fn a_data_folder_that_is_in_use() {
    let place = Place::new();
    let served = Served::start(&place, &[]);
    let reported = trouble(&place, &[]).replace(&served.pid().to_string(), "PID");
    insta::assert_snapshot!(reported, @"aqueduct: another bridge (process PID) already uses /home/ada/.local/share/aqueduct; stop it, or choose another --data-dir");
}

#[test]
fn files_and_folders_that_are_not_there() {
    let place = Place::new();
    fs::write(place.project().join("file"), "").unwrap();
    let reported: Vec<String> = [
        &["--root", "missing"][..],
        &["--root", "file"],
        &["--tls-cert", "missing.pem", "--tls-key", "key.pem"],
        &["--tls-cert", "file", "--tls-key", "file"],
        &["--tls-cert", "file"],
        &["--tls-key", "file"],
        &["--config", "missing.toml"],
        &["--data-dir", "file/below"],
        &["--agent", "no-such-agent"],
        &["--agent", "./no-such-agent"],
        &["--token-file", "missing"],
    ]
    .iter()
    .map(|arguments| trouble(&place, arguments))
    .collect();
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn a_key_for_notifications_that_is_none() {
    let place = Place::new();
    let data = place.home().join(".local/share/aqueduct");
    fs::create_dir_all(&data).unwrap();
    fs::set_permissions(&data, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    fs::write(data.join("push.key"), "no key").unwrap();
    insta::assert_snapshot!(trouble(&place, &[]), @"aqueduct: /home/ada/.local/share/aqueduct/push.key holds no key for notifications; remove it, and devices that want them have to subscribe again");
    drop(Served::start(&place, &["--push", "off"]));
}

#[test]
fn values_that_mean_nothing() {
    let place = Place::new();
    for (arguments, reported) in [
        (&["--listen", "8765"][..], "aqueduct: --listen: `8765` is not an address to listen on"),
        (&["--listen", "0.0.0.0:0"], "aqueduct: 0.0.0.0:0 can be reached from other machines"),
        (&["--idle", "soon"], "aqueduct: --idle: `soon` is not a time, such as 90s, 15m or never"),
        (&["--max-clients", "0"], "aqueduct: --max-clients: `0` is not a whole number of at least 1"),
        (&["--max-message", "1KiB"], "aqueduct: --max-message: max_message must be at least 4096 bytes"),
        (&["--host", "a b"], "aqueduct: --host: `a b` is not a host name"),
        (&["--url", "box.example"], "aqueduct: --url: `box.example` is not where a bridge can be"),
        (&["--url", "https://box.example/path"], "aqueduct: --url: `https://box.example/path` is not where"),
        (&["--push", "loudly"], "aqueduct: --push: `loudly` is not one of content, events and off"),
        (&["--push-contact", "ada"], "aqueduct: --push-contact: `ada` is not mailto:ADDRESS or https://PAGE"),
        (&["--insecure=perhaps"], "aqueduct: --insecure: `perhaps` is not true or false"),
    ] {
        let text = trouble(&place, arguments);
        assert!(text.starts_with(reported), "{text}");
    }
    let mut short = command(&place, &["serve", "--listen", "127.0.0.1:0"]);
    let left = run(short.env("AQUEDUCT_TOKEN", "short"));
    assert_eq!((left.code, left.out.as_str()), (2, ""));
    assert!(left.err.starts_with("aqueduct: AQUEDUCT_TOKEN: the token has 5 characters"), "{}", left.err);
}

#[test]
fn an_error_in_the_file_is_named_with_its_line() {
    let place = Place::new();
    let file = place.home().join(".config/aqueduct/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "idle = \"5m\"\nalow_bypass = true\n").unwrap();
    insta::assert_snapshot!(trouble(&place, &[]), @"aqueduct: /home/ada/.config/aqueduct/config.toml:2: unknown key alow_bypass; did you mean allow_bypass?");
}

#[test]
fn the_banner_has_what_matters() {
    let place = Place::new();
    let mut served = Served::start(&place, &["--idle", "1m"]);
    served.code();
    let page = served
        .seen
        .replace(&served.address, "127.0.0.1:8765")
        .replace(place.project().to_str().unwrap(), "/proj");
    let steady: Vec<String> = page
        .lines()
        .map(|line| match line.split_once("ready in ") {
            Some((before, _)) => format!("{before}ready in N ms"),
            None => line.to_owned(),
        })
        .map(|line| match (line.split_once("until "), line.split_once("#pair=")) {
            (Some((before, _)), _) => format!("{before}until HH:MM):"),
            (_, Some((before, _))) => format!("{before}#pair=CODE"),
            _ => line,
        })
        .collect();
    insta::assert_snapshot!(steady.join("\n"), @r"
    Aqueduct 0.1.0  ready in N ms

      address   http://127.0.0.1:8765/
      data      ~/.local/share/aqueduct
      projects  in /proj
      agent     Built-in agent
                the scripted demo model answers: no key is set
                set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a gateway or a local server

    Open this link to pair a device (valid once, until HH:MM):

      http://127.0.0.1:8765/#pair=CODE
    ");
    let mode = fs::metadata(place.home().join(".local/share/aqueduct")).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode.permissions()) & 0o777, 0o700);
}

#[test]
fn the_page_of_the_link_is_served() {
    let place = Place::new();
    let served = Served::start(&place, &["--no-pair"]);
    let page = served.http("GET /", None, None);
    assert_eq!(page.status, 200);
    assert!(page.head.to_lowercase().contains("content-type: text/html"), "{}", page.head);
    let script = page.body.split("src=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a script");
    let script = format!("/{}", script.trim_start_matches(['.', '/']));
    let program = served.http(&format!("GET {script}"), None, None);
    assert_eq!(program.status, 200, "{script}: {}", program.head);
    assert!(program.head.contains("immutable"), "{}", program.head);
}

#[test]
fn links_lead_to_the_configured_address() {
    let place = Place::new();
    for (arguments, address) in [
        (&["--url", "https://box.example"][..], "https://box.example/#pair="),
        (&["--url", "http://box:8080/"], "http://box:8080/#pair="),
    ] {
        let mut served = Served::start(&place, arguments);
        let line = served.until("#pair=");
        assert!(line.trim_start().starts_with(address), "{line}");
    }
}

#[test]
fn on_a_terminal_there_is_a_picture_of_the_link() {
    let place = Place::new();
    let mut terminal = place.aqueduct(&["serve", "--listen", "127.0.0.1:0"]).at_a_terminal();
    terminal.expect("#pair=").expect("▄").expect("█").expect("Ctrl-C stops the bridge").send("\x03");
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("stopping"), "{screen}");
}
