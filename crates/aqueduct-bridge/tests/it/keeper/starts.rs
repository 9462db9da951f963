use std::os::unix::fs::PermissionsExt;

use aqueduct_bridge::keeper::KeeperFailureKind;
use aqueduct_wire::hint::HintedError as _;

use super::*;

async fn failure(session: &Session) -> (KeeperFailureKind, String) {
    match session.start().await.unwrap_err() {
        KeeperStartError::Failed(failure) => (failure.kind, failure.message),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn an_agent_is_started_and_writes_output() {
    let session = Session::of("echo hello; read line; echo \"got $line\"");
    let agent = session.start().await.unwrap();
    assert_eq!(session.card().agent, Some(agent));
    assert!(matches!(find(&session.folder).unwrap(), KeeperState::Alive));
    let mut bridge = session.attach(0).await;
    let line = bridge.line().await;
    assert_eq!((line.offset, line.next, text(&line).as_str()), (0, 6, "hello"));
    bridge.input("one", "a line").await;
    let (mut lines, event) = bridge.others().await;
    assert!(matches!(event, KeeperEvent::Took(taken) if taken == id("one")));
    let (more, exit) = bridge.exit().await;
    lines.extend(more);
    assert_eq!(lines, ["got a line"]);
    assert_eq!(exit.ended, aqueduct_bridge::keeper::AgentEnd::Code(0));
}

#[tokio::test]
async fn why_an_agent_did_not_start_is_reported() {
    let mut session = Session::of("");
    session.job.program = "no-such-agent".into();
    let (kind, message) = failure(&session).await;
    assert_eq!(kind, KeeperFailureKind::ProgramNotFound);
    assert!(message.contains("program no-such-agent does not exist"), "{message}");

    let file = session.job.cwd.join("agent");
    std::fs::write(&file, "#!/bin/sh\n").unwrap();
    session.job.program = file.clone();
    assert_eq!(failure(&session).await.0, KeeperFailureKind::ProgramNotExecutable);

    std::fs::write(&file, "#!/nowhere/interpreter\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(failure(&session).await.0, KeeperFailureKind::ProgramNotFound);

    // More than the system takes.
    session.job.arguments = vec!["x".repeat(1 << 20)];
    let (kind, message) = failure(&session).await;
    assert_eq!(kind, KeeperFailureKind::System);
    assert!(message.contains("Argument list too long"), "{message}");

    session.job.cwd = session.job.cwd.join("nowhere");
    assert_eq!(failure(&session).await.0, KeeperFailureKind::Cwd);

    // A file is in the way of the folder.
    session.job.folder = file.join("session");
    let error = session.start().await.unwrap_err();
    assert!(matches!(error, KeeperStartError::Folder { .. }), "{error}");
    assert!(error.advised().contains("must be on a disk"), "{error}");
}

#[tokio::test]
async fn a_folder_has_one_keeper() {
    let session = Session::started("read line").await;
    assert_eq!(failure(&session).await.0, KeeperFailureKind::Taken);
    assert!(matches!(find(&session.folder).unwrap(), KeeperState::Alive));
}

#[tokio::test]
async fn a_program_that_is_not_a_keeper_is_distinguished() {
    let session = Session::of("");
    let shell = |script: &str| ["sh", "-c", script].map(OsString::from).to_vec();
    make(&session.folder).unwrap();
    match start(&shell("cat >/dev/null; echo 'usage: something' >&2; exit 2"), &session.job)
        .await
        .unwrap_err()
    {
        KeeperStartError::NoAnswer { status, stderr } => {
            assert_eq!((status.code(), stderr.as_str()), (Some(2), "usage: something\n"));
        }
        other => panic!("{other}"),
    }
    let error = start(&["/nowhere/keeper".into()], &session.job).await.unwrap_err();
    assert!(matches!(error, KeeperStartError::Program(_)), "{error}");
    assert!(session.has_no_agent());
}

#[tokio::test]
async fn no_secret_shows_in_a_list_of_processes() {
    let mut session = Session::of("echo \"$KEY\"; read line");
    session.job.set.push(("KEY".to_owned(), "very-secret".to_owned()));
    session.start().await.unwrap();
    assert_eq!(session.attach(0).await.text().await, "very-secret");
    let keeper = session.card().keeper;
    for file in ["cmdline", "environ"] {
        let shown = std::fs::read(format!("/proc/{keeper}/{file}")).unwrap();
        assert!(!String::from_utf8_lossy(&shown).contains("very-secret"), "it is in {file}");
    }
    assert!(!std::fs::read_to_string(session.folder.join("keeper.json")).unwrap().contains("very-secret"));
    assert!(!format!("{:?}", session.job).contains("very-secret"));
}

#[tokio::test]
async fn the_folder_is_closed_to_others() {
    let session = Session::of("read line");
    std::fs::create_dir(&session.folder).unwrap();
    std::fs::set_permissions(&session.folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    session.start().await.unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&session.folder), 0o700);
    assert_eq!(mode(&session.folder.join("spool")), 0o700);
    for file in ["inputs", "keeper.json", "lock", "spool/00000000000000000000"] {
        assert_eq!(mode(&session.folder.join(file)), 0o600, "{file}");
    }
}

#[tokio::test]
#[cfg_attr(aqueduct_portable, ignore = "portable can't find the path of an open file")]
async fn a_path_may_be_longer_than_sockets_allow() {
    let mut session = Session::of("read line; echo \"got $line\"");
    session.folder = session.folder.join("a-name-of-some-length/".repeat(12));
    session.job.folder = session.folder.clone();
    session.start().await.unwrap();
    let mut bridge = session.attach(0).await;
    bridge.input("one", "it").await;
    assert_eq!(bridge.others().await.1.taken(), "one");
    assert_eq!(bridge.text().await, "got it");
}

#[tokio::test]
async fn a_keeper_depends_on_nothing_of_its_bridge() {
    let session = Session::started("read line").await;
    let keeper = session.card().keeper;
    let stat = std::fs::read_to_string(format!("/proc/{keeper}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    // It leads a session and a group of its own, without a terminal.
    assert_eq!((fields[2], fields[3], fields[4]), (&*keeper.to_string(), &*keeper.to_string(), "0"));
    for file in 0..3 {
        let target = std::fs::read_link(format!("/proc/{keeper}/fd/{file}")).unwrap();
        assert_eq!(target, Path::new("/dev/null"));
    }
}

#[tokio::test]
async fn a_partial_job_is_refused() {
    use std::io::Write;
    let mut child = std::process::Command::new(&program()[0])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let session = Session::of("echo hello");
    let job = serde_json::to_vec(&session.job).unwrap();
    // All but the line end: a bridge that died in the middle.
    child.stdin.take().unwrap().write_all(&job).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"kind\":\"job\""));
    assert!(matches!(find(&session.folder).unwrap(), KeeperState::Gone));
}
