//! A process that appends is killed at random times, again and again, and nothing is lost or duplicated.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use aqueduct_bridge::log::{
    Append, DecisionOutcome, EnqueueOutcome, Log, LogError, NewEvent, NewInput, NewPending, PageLimits,
    PagePosition, RecordedDecision, SessionChange, StoredInputState, TokenCounts, TurnUsage,
};

use super::{ALL, NOON, new_session};

/// Where the child works. Only set for the child.
const FOLDER: &str = "LOG_CRASH_FOLDER";
const SESSIONS: [&str; 3] = ["a", "b", "c"];
/// `LOG_CRASH_SEED` and `LOG_CRASH_FOLDERS` make it other kills, and more.
const SEED: u64 = 20_250_615;
/// Every folder is made anew, so that the making is killed too.
const FOLDERS: u64 = 4;
const KILLS: u64 = 10;

/// The agent's output, as the keeper would have it: line after line, of random sizes.
fn line_size(line: u64) -> u64 {
    10 + line * 7919 % 83
}

fn offset(lines: u64) -> u64 {
    (0..lines).map(line_size).sum()
}

/// How many lines end before a byte.
fn lines_before(cursor: u64) -> u64 {
    let mut lines = 0;
    while offset(lines) < cursor {
        lines += 1;
    }
    assert_eq!(offset(lines), cursor, "the cursor is in the middle of a line");
    lines
}

/// Some lines are deltas and never stored.
fn is_stored(line: u64) -> bool {
    line % 3 != 1
}

/// Some lines ask for something; it is decided and settled when two more lines are read.
fn asks(line: u64) -> bool {
    line % 5 == 2
}

fn request(line: u64) -> NewPending {
    NewPending {
        request_id: format!("r{line}"),
        agent_request_id: Some(format!("a{line}")),
        kind: "permission".into(),
        tool_use_id: None,
        tool_name: None,
        input: "{}".into(),
        input_hash: [1; 32],
        suggestions: None,
        details: None,
    }
}

/// Not a test of its own: the process that the test below kills.
#[test]
#[ignore = "started by the test below"]
fn child() {
    let folder = std::env::var(FOLDER).expect("another test starts this one");
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let log = Log::open(Path::new(&folder)).unwrap();
        let mut tasks = tokio::task::JoinSet::new();
        for id in SESSIONS {
            tasks.spawn(work(log.clone(), id));
        }
        tasks.join_all().await;
    });
}

/// What a session of the bridge does, without an end.
async fn work(log: Log, id: &'static str) {
    match log.create_session(new_session(id), Append::new(NOON)).await {
        Ok(_) | Err(LogError::SessionExists { .. }) => {}
        Err(error) => panic!("{error}"),
    }
    // A client without an acknowledgement of its last message sends it again.
    let mut next_input = 0;
    loop {
        let session = log.session(id).await.unwrap();
        let first = lines_before(session.cursor);
        let count = 1 + first % 4;
        let mut append = Append::new(NOON)
            .change(SessionChange::Cursor { from: offset(first), to: offset(first + count) });
        for line in first..first + count {
            if is_stored(line) {
                append = append.event(NewEvent::new("line", format!("{{\"line\":{line}}}")).searchable());
            }
            if asks(line) {
                append = append.change(SessionChange::Ask(request(line)));
            }
            if line >= 2 && asks(line - 2) {
                decide(&log, id, line - 2).await;
                append = append.change(SessionChange::Settled(format!("r{}", line - 2)));
            }
            let tokens = TokenCounts { input: 1, ..TokenCounts::default() };
            let (day, model) = ("2025-06-15".to_owned(), "opus".to_owned());
            append =
                append.change(SessionChange::Usage(TurnUsage { day, model, turns: 1, cost: 1.0, tokens }));
        }
        // The lines that were asked about may be in this very batch.
        let append = without_unasked(append, first);
        let appended = log.append(id, append).await.unwrap();
        say(&format!("{id} {} {}", appended.last_seq, offset(first + count)));
        next_input = enqueue(&log, id, next_input).await;
        if first.is_multiple_of(7) {
            log.settle().await.unwrap();
        } else if first % 7 == 3 {
            come_and_go(&log, &format!("{id}-{first}-{}", std::process::id())).await;
        }
    }
}

/// A session that is deleted as soon as it has something to delete.
async fn come_and_go(log: &Log, id: &str) {
    let mut append = Append::new(NOON);
    for number in 0..20 {
        append = append.event(NewEvent::new("line", format!("{{\"text\":\"word{number}\"}}")).searchable());
    }
    log.create_session(new_session(id), append).await.unwrap();
    log.delete_session(id).await.unwrap();
}

/// A request that is asked and settled in one batch was never decided: it is taken back instead.
fn without_unasked(mut append: Append, first: u64) -> Append {
    for change in &mut append.changes {
        if let SessionChange::Settled(request) = change
            && request[1..].parse::<u64>().unwrap() >= first
        {
            *change = SessionChange::Withdrawn(request.clone());
        }
    }
    append
}

async fn decide(log: &Log, id: &str, line: u64) {
    let decision = RecordedDecision { by: "phone".into(), decision: format!("{line}"), time: NOON };
    let reported = Append::new(NOON).event(NewEvent::new("decision", format!("{{\"decision\":{line}}}")));
    let decided = log.decide(id, format!("r{line}"), Some([1; 32]), decision, reported).await.unwrap();
    // Late: this process's predecessor decided and was killed. Unknown: it is asked in the batch to come.
    assert!(
        matches!(decided, DecisionOutcome::First(_) | DecisionOutcome::Late(_) | DecisionOutcome::Unknown),
        "{decided:?}"
    );
}

async fn enqueue(log: &Log, id: &str, number: u64) -> u64 {
    let input = NewInput {
        id: format!("{id}-{number}-{}", std::process::id()),
        client_id: Some(format!("c{number}")),
        sender: None,
        content: "\"x\"".into(),
        position: None,
    };
    let reported = Append::new(NOON).event(NewEvent::new("input", format!("{{\"input\":{number}}}")));
    if let EnqueueOutcome::New(_) = log.enqueue(id, input.clone(), reported).await.unwrap() {
        for to in [StoredInputState::Sent, StoredInputState::Taken, StoredInputState::Done] {
            let change = SessionChange::Input { id: input.id.clone(), to };
            let reported =
                Append::new(NOON).event(NewEvent::new(to.name(), format!("{{\"input\":{number}}}")));
            log.append(id, reported.change(change)).await.unwrap();
        }
    }
    number + 1
}

/// Reports to the parent what is committed. Once it is killed, there is no reader.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "committed {line}").and_then(|()| out.flush());
}

fn start(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "log::crash::child", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// Runs a child until it has reported so much, kills it, and returns what it reported as committed: the
/// newest event and the cursor of each session.
fn run_and_kill(folder: &Path, lines: usize) -> BTreeMap<String, (u64, u64)> {
    let mut child = start(folder);
    let mut printed = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut committed = BTreeMap::new();
    let mut note = |line: String| {
        let Some(line) = line.strip_prefix("committed ") else { return 0 };
        let [id, seq, cursor] = line.split(' ').collect::<Vec<_>>()[..] else { return 0 };
        // Its last line may be cut off.
        if let (Ok(seq), Ok(cursor)) = (seq.parse(), cursor.parse()) {
            committed.insert(id.to_owned(), (seq, cursor));
        }
        1
    };
    let mut received = 0;
    while received < lines {
        received += note(printed.next().expect("the child ended by itself"));
    }
    child.kill().unwrap();
    for line in printed {
        note(line);
    }
    child.wait().unwrap();
    committed
}

/// Everything in the log fits together, and what was reported as committed is there.
async fn inspect(folder: &Path, committed: &BTreeMap<String, (u64, u64)>) -> u64 {
    let log = Log::open(folder).unwrap();
    assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    let mut events = 0;
    for id in SESSIONS {
        let attachment = match log.attach(id, PagePosition::After(0), ALL).await {
            Ok(attachment) => attachment,
            Err(LogError::NoSession { .. }) if !committed.contains_key(id) => continue,
            Err(error) => panic!("{error}"),
        };
        let session = &attachment.session;
        if let Some(&(seq, cursor)) = committed.get(id) {
            assert!(
                session.last_seq >= seq && session.cursor >= cursor,
                "{session:?} lost what was committed"
            );
        }
        let lines = lines_before(session.cursor);
        let numbers = |kind: &str| -> Vec<u64> {
            let of_kind = attachment.page.events.iter().filter(|event| event.kind == kind);
            let number = |payload: &str| payload.split([':', '}']).nth(1).unwrap().parse().unwrap();
            of_kind.map(|event| number(&event.payload)).collect()
        };
        assert_eq!(numbers("line"), (0..lines).filter(|&line| is_stored(line)).collect::<Vec<_>>());
        assert_eq!((session.cost, session.turns, session.tokens.input), (lines as f64, lines, lines));

        let open: Vec<_> = attachment.pending.iter().map(|it| it.request.request_id.clone()).collect();
        let expected: Vec<_> = (lines.saturating_sub(2)..lines).filter(|&line| asks(line)).collect();
        assert_eq!(open, expected.iter().map(|line| format!("r{line}")).collect::<Vec<_>>());
        let decisions = numbers("decision");
        assert!(
            decisions.is_sorted() && decisions.windows(2).all(|pair| pair[0] != pair[1]),
            "{decisions:?}"
        );

        let inputs = numbers("input");
        assert_eq!(inputs, (0..inputs.len() as u64).collect::<Vec<_>>());
        for state in ["sent", "taken", "done"] {
            let ran = numbers(state);
            assert!(ran.is_sorted() && ran.windows(2).all(|pair| pair[0] != pair[1]), "{ran:?} {state}");
            assert!(ran.len() <= inputs.len());
        }
        events += session.last_seq;
    }
    log.settle().await.unwrap();
    assert_eq!(log.check().await.unwrap(), Vec::<String>::new());
    log.close().await;
    events
}

#[tokio::test]
async fn a_bridge_that_is_killed_at_any_time_loses_and_doubles_nothing() {
    let set = |name, default| std::env::var(name).map_or(default, |value| value.parse().unwrap());
    let seed = set("LOG_CRASH_SEED", SEED);
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..set("LOG_CRASH_FOLDERS", FOLDERS) {
        let folder = crate::private_folder();
        let mut before = 0;
        for kill in 0..KILLS {
            // The first ones are killed while they make the database.
            let lines = if kill < 2 { 0 } else { random.usize(0..60) };
            let committed = run_and_kill(folder.path(), lines);
            let events = inspect(folder.path(), &committed).await;
            assert!(events >= before, "seed {seed}, kill {kill}");
            before = events;
        }
        assert!(before > 0);
    }
}

/// The bridge finds in one reading what it has to continue with.
#[tokio::test]
async fn a_bridge_that_starts_again_reads_where_it_was() {
    let folder = crate::private_folder();
    let committed = run_and_kill(folder.path(), 10);
    let log = Log::open(folder.path()).unwrap();
    let (id, (seq, cursor)) = committed.first_key_value().unwrap();
    let attachment =
        log.attach(&**id, PagePosition::Newest, PageLimits { count: 5, bytes: 1 << 20 }).await.unwrap();
    assert!(attachment.session.cursor >= *cursor);
    assert!(attachment.page.events.last().unwrap().seq >= *seq);
}
