//! What an agent sees, and what is seen of an agent.

use super::*;

#[tokio::test]
async fn an_agent_has_its_own_surroundings() {
    let mut session = Session::of("echo \"$NAME,$HOME,${AQUEDUCT_KEEPER:+marked}\"; pwd; read line");
    session.job.set.push(("NAME".to_owned(), "a value".to_owned()));
    session.job.unset.push("HOME".to_owned());
    session.job.cwd = session.job.cwd.canonicalize().unwrap();
    let agent = session.start().await.unwrap();
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "a value,,marked");
    assert_eq!(bridge.text().await, session.job.cwd.to_str().unwrap());
    // It has three pipes and nothing else of the keeper's, and leads a group of its own.
    let files = |process: u32| {
        let files = std::fs::read_dir(format!("/proc/{process}/fd")).unwrap();
        files.filter_map(|file| std::fs::read_link(file.unwrap().path()).ok()).collect::<Vec<_>>()
    };
    // The parent of this test may have left it some that every child gets.
    let (keeper, ours) = (files(session.card().keeper), files(std::process::id()));
    let shared = files(agent).into_iter().filter(|file| keeper.contains(file) && !ours.contains(file));
    assert_eq!(shared.count(), 3);
    // A broken pipe ends it, as it does other programs: the keeper's own ways are not handed down.
    let status = std::fs::read_to_string(format!("/proc/{agent}/status")).unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:\t")).unwrap();
    assert_eq!(u64::from_str_radix(ignored, 16).unwrap() & (1 << (Signal::PIPE.as_raw() - 1)), 0);
    let stat = std::fs::read_to_string(format!("/proc/{agent}/stat")).unwrap();
    assert_eq!(stat.rsplit_once(") ").unwrap().1.split(' ').nth(2), Some(&*agent.to_string()));
}

#[tokio::test]
async fn a_program_is_found_by_the_agents_path() {
    let mut session = Session::of("");
    let folder = session.job.cwd.join("tools");
    std::fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink("/bin/sh", folder.join("some-agent")).unwrap();
    session.job.program = "some-agent".into();
    session.job.arguments = vec!["-c".to_owned(), "echo found".to_owned()];
    session.job.set.push(("PATH".to_owned(), folder.to_str().unwrap().to_owned()));
    session.start().await.unwrap();
    assert_eq!(session.attach(0).await.text().await, "found");
}

#[tokio::test]
async fn the_end_of_stderr_comes_with_the_exit() {
    let session =
        Session::started("echo first >&2; head -c 200000 /dev/zero >&2; echo out; echo last >&2; exit 7")
            .await;
    let (lines, exit) = session.attach(0).await.exit().await;
    assert_eq!(lines, ["out"]);
    assert_eq!(exit.ended, aqueduct_bridge::keeper::AgentEnd::Code(7));
    assert!(exit.stderr.ends_with(b"last\n"));
    assert_eq!(exit.stderr.len() as u64 + exit.stderr_cut, 6 + 200_000 + 5);
    assert_eq!(exit.stderr.len(), 64 << 10);
}

#[tokio::test]
async fn the_last_line_may_have_no_end() {
    let session = Session::started("echo whole; printf half").await;
    let (lines, exit) = session.attach(0).await.exit().await;
    assert_eq!(lines, ["whole", "half"]);
    assert!(exit.unterminated);
}

#[tokio::test]
async fn a_line_may_be_too_long() {
    let mut session = Session::of("echo before; head -c 300000 /dev/zero | tr '\\0' x; echo; echo after");
    session.job.limits.line = 100_000;
    session.start().await.unwrap();
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "before");
    assert_eq!(bridge.line().await.content, LineContent::TooLong { bytes: 300_000 });
    assert_eq!(bridge.text().await, "after");
}

#[tokio::test]
async fn a_long_line_comes_whole() {
    let session = Session::started("head -c 5000000 /dev/zero | tr '\\0' x; echo; echo after").await;
    let mut bridge = session.attach(0).await;
    let line = bridge.line().await;
    assert_eq!(line.next, 5_000_001);
    assert_eq!(text(&line).len(), 5_000_000);
    assert_eq!(bridge.text().await, "after");
}

#[tokio::test]
async fn a_signal_is_for_the_agent_alone() {
    let script = "trap 'echo caught; exit 5' INT; sleep 1000 & echo $!; while :; do wait; done";
    let session = Session::started(script).await;
    let mut bridge = session.attach(0).await;
    let child = bridge.text().await.parse().unwrap();
    bridge.handle.signal(aqueduct_bridge::keeper::AgentSignal::Interrupt).await.unwrap();
    let (lines, exit) = bridge.exit().await;
    assert_eq!((lines, exit.ended), (vec!["caught".to_owned()], aqueduct_bridge::keeper::AgentEnd::Code(5)));
    // What it left behind has been ended before its end was reported. Without pidfds nothing waits for its end.
    if cfg!(aqueduct_portable) {
        gone(child).await;
    }
    assert!(!lives(child));
}
