//! What goes over the socket.

use std::time::Duration;

use aqueduct_bridge::keeper::protocol::{
    Activity, AgentEnd, AgentExit, AgentSignal, AgentState, FromKeeper, InputId, InputRefusal, KeeperHello,
    Malformed, Messages, OffsetError, ProtocolMessage, ShutdownLadder, ToKeeper, Trouble, TroubleKind,
    Unattended,
};
use proptest::prelude::*;
use proptest::sample::select;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::{Session, Taken, id, soon};

fn input_id() -> impl Strategy<Value = InputId> {
    "[!-~]{1,64}".prop_map(|text| InputId::new(&text).unwrap())
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..most)
}

fn to_keeper() -> impl Strategy<Value = ToKeeper> {
    let line = bytes(300).prop_map(|mut line| {
        line.retain(|byte| *byte != b'\n');
        line
    });
    let time = || any::<u32>().prop_map(|time| Duration::from_millis(time.into()));
    prop_oneof![
        any::<u64>().prop_map(|from| ToKeeper::Attach { from }),
        (input_id(), line).prop_map(|(id, line)| ToKeeper::Input { id, line }),
        any::<u64>().prop_map(|offset| ToKeeper::Ack { offset }),
        select(vec![AgentSignal::Interrupt, AgentSignal::Terminate, AgentSignal::Kill])
            .prop_map(ToKeeper::Signal),
        (time(), time()).prop_map(|(close, terminate)| ToKeeper::End(ShutdownLadder { close, terminate })),
        Just(ToKeeper::Sync),
        (select(vec![Activity::Idle, Activity::Working, Activity::Deciding]), time(), time()).prop_map(
            |(activity, idle, decision)| ToKeeper::Unattended(Unattended { activity, idle, decision })
        ),
    ]
}

fn trouble() -> impl Strategy<Value = Option<Trouble>> {
    let kind = select(vec![TroubleKind::Storage, TroubleKind::Full]);
    proptest::option::of((kind, ".{0,40}").prop_map(|(kind, message)| Trouble { kind, message }))
}

fn from_keeper() -> impl Strategy<Value = FromKeeper> {
    let state = select(vec![AgentState::Running, AgentState::Ending, AgentState::Exited]);
    let hello = (any::<u32>(), any::<u32>(), any::<u64>(), any::<u64>(), state, any::<bool>()).prop_map(
        |(keeper, agent, oldest, next, state, unattended)| {
            FromKeeper::Hello(KeeperHello { version: 1, keeper, agent, state, oldest, next, unattended })
        },
    );
    let misplaced = prop_oneof![
        any::<u64>().prop_map(|oldest| OffsetError::Gone { oldest }),
        any::<u64>().prop_map(|next| OffsetError::Ahead { next }),
        Just(OffsetError::Inside),
    ];
    let ended = prop_oneof![any::<i32>().prop_map(AgentEnd::Code), any::<i32>().prop_map(AgentEnd::Signal)];
    let exit = (ended, any::<bool>(), any::<bool>(), any::<u32>(), bytes(300), any::<u64>()).prop_map(
        |(ended, unattended, unterminated, left, stderr, stderr_cut)| {
            FromKeeper::Exited(AgentExit { ended, unattended, unterminated, left, stderr, stderr_cut })
        },
    );
    prop_oneof![
        hello,
        (any::<u64>(), proptest::option::of(input_id()))
            .prop_map(|(from, writing)| FromKeeper::Attached { from, writing }),
        misplaced.prop_map(FromKeeper::Misplaced),
        (any::<u64>(), bytes(300)).prop_map(|(offset, bytes)| FromKeeper::Output { offset, bytes }),
        input_id().prop_map(FromKeeper::Took),
        input_id().prop_map(FromKeeper::Unconfirmed),
        (input_id(), select(vec![InputRefusal::Busy, InputRefusal::Closed]))
            .prop_map(|(id, reason)| FromKeeper::Refused { id, reason }),
        exit,
        any::<u64>().prop_map(|next| FromKeeper::Synced { next }),
        trouble().prop_map(FromKeeper::Trouble),
        Just(FromKeeper::Replaced),
    ]
}

/// Reads messages that arrive in pieces of these sizes, which repeat.
fn read<M: ProtocolMessage>(mut stream: &[u8], sizes: &[usize]) -> Result<Vec<M>, Malformed> {
    let mut messages = Messages::default();
    let mut seen = Vec::new();
    for size in sizes.iter().cycle() {
        if stream.is_empty() {
            break;
        }
        let (mut piece, rest) = stream.split_at((*size).min(stream.len()));
        stream = rest;
        while let Some(message) = messages.next(&mut piece)? {
            seen.push(message);
        }
        assert!(piece.is_empty());
    }
    Ok(seen)
}

fn written<M: ProtocolMessage>(messages: &[M]) -> Vec<u8> {
    let mut stream = Vec::new();
    for message in messages {
        message.encode(&mut stream);
    }
    stream
}

proptest! {
    #[test]
    fn messages_of_a_bridge_are_understood_however_they_are_split(
        request in proptest::collection::vec(to_keeper(), 0..20),
        sizes in proptest::collection::vec(1..50usize, 1..10),
    ) {
        prop_assert_eq!(read::<ToKeeper>(&written(&request), &sizes), Ok(request));
    }

    #[test]
    fn messages_of_a_keeper_are_understood_however_they_are_split(
        request in proptest::collection::vec(from_keeper(), 0..20),
        sizes in proptest::collection::vec(1..50usize, 1..10),
    ) {
        prop_assert_eq!(read::<FromKeeper>(&written(&request), &sizes), Ok(request));
    }

    /// What is read from noise is written as the same noise.
    #[test]
    fn noise_is_refused_or_understood(noise in bytes(200), kind in 0..8u8, sizes in proptest::collection::vec(1..50usize, 1..10)) {
        let mut stream = vec![kind, noise.len() as u8, 0, 0, 0];
        stream.extend_from_slice(&noise);
        if let Ok(request) = read::<ToKeeper>(&stream, &sizes) {
            prop_assert!(stream.starts_with(&written(&request)));
        }
    }
}

#[test]
fn a_header_that_claims_too_much_is_refused_at_once() {
    let refused = read::<ToKeeper>(&[0x02, 0xff, 0xff, 0xff, 0xff], &[5]);
    assert!(matches!(refused, Err(Malformed::TooLong { kind: 2, .. })), "{refused:?}");
    assert_eq!(read::<ToKeeper>(&[0x7f, 0, 0, 0, 0], &[5]), Err(Malformed::Kind(0x7f)));
    assert_eq!(read::<ToKeeper>(&[0x01, 3, 0, 0, 0, 1, 2, 3], &[8]), Err(Malformed::Payload(1)));
}

#[test]
fn an_input_is_one_line_with_a_name() {
    for (name, line) in [(&b""[..], &b"x"[..]), (b"a b", b"x"), (b"\xff", b"x"), (b"a", b"x\ny")] {
        let mut stream = vec![0x02, (1 + name.len() + line.len()) as u8, 0, 0, 0, name.len() as u8];
        stream.extend_from_slice(name);
        stream.extend_from_slice(line);
        assert_eq!(read::<ToKeeper>(&stream, &[100]), Err(Malformed::Payload(2)));
    }
    assert!(InputId::new("").is_err() && InputId::new(&"x".repeat(65)).is_err());
}

async fn until_closed(mut stream: UnixStream) {
    let mut bytes = Vec::new();
    // The end may come as an error, if input was unread.
    let _ = soon(stream.read_to_end(&mut bytes)).await;
}

/// Nonsense closes its connection, and nothing else.
#[tokio::test]
async fn nonsense_closes_the_connection_and_not_the_keeper() {
    let session = Session::started("while read line; do echo \"got $line\"; done").await;
    let mut bridge = session.attach(0).await;
    let nonsense: [&[u8]; 6] = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        &[0x00; 64],
        &[0xff; 64],
        // Well-formed, but not before attaching.
        &written(&[ToKeeper::Sync]),
        &written(&[ToKeeper::Input { id: id("a"), line: b"x".to_vec() }]),
        &[0x02, 0xff, 0xff, 0xff, 0xff],
    ];
    for request in nonsense {
        let mut stream = UnixStream::connect(session.folder.join("keeper.sock")).await.unwrap();
        stream.write_all(request).await.unwrap();
        until_closed(stream).await;
    }
    bridge.input("b", "one").await;
    assert!(matches!(bridge.others().await.1, super::KeeperEvent::Took(_)));
    // The same from an attached bridge, with messages that are not allowed.
    for request in [ToKeeper::Attach { from: 0 }, ToKeeper::Ack { offset: 1 << 40 }] {
        let mut stream = UnixStream::connect(session.folder.join("keeper.sock")).await.unwrap();
        stream.write_all(&written(&[ToKeeper::Attach { from: 0 }, request])).await.unwrap();
        until_closed(stream).await;
    }
    let mut bridge = session.attach(0).await;
    assert_eq!(bridge.text().await, "got one");
    bridge.input("c", "two").await;
    let (mut lines, event) = bridge.others().await;
    assert_eq!(event.taken(), "c");
    if lines.is_empty() {
        lines.push(bridge.text().await);
    }
    assert_eq!(lines, ["got two"]);
}
