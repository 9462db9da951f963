//! Sessions taken over from terminals.

use aqueduct_bridge::Failure;
use aqueduct_bridge::log::{PageLimits, PagePosition, Time};
use aqueduct_bridge::message::ErrorCode;
use aqueduct_wire::hint::HintedError as _;
use serde_json::Value;

use super::{DAY, Scene, ada, day, digging, id, reported, talk};

const ALL: PageLimits = PageLimits { count: 1000, bytes: 1 << 30 };

impl Scene {
    async fn adopt(&self, number: u64) -> Result<(), Failure> {
        self.recents.adopt(&id(number), None, "builtin", ada()).await.map(drop)
    }

    /// What the log has of a session.
    async fn kept(&self, number: u64) -> Vec<(Time, Value)> {
        let page = self.log.page(id(number), PagePosition::After(0), ALL).await.unwrap();
        let kept = page.events.into_iter().map(|event| {
            let mut message: Value = serde_json::from_str(&event.payload).unwrap();
            message["seq"] = event.seq.into();
            (event.time, message)
        });
        kept.collect()
    }
}

#[tokio::test]
async fn all_messages_are_in_the_log_then() {
    let scene = Scene::new();
    scene.terminal(1, &day());
    scene.subagent(1, "t2", &digging());
    let before = scene.recents.history(&id(1), PagePosition::After(0), ALL).await.unwrap();
    scene.adopt(1).await.unwrap();
    let kept = scene.kept(1).await;
    let lines: Vec<String> = kept.iter().map(|(_, message)| reported(message)).collect();
    assert_eq!(lines[..9], *DAY);
    assert_eq!(lines[9..], ["10 system: session_resumed"]);
    assert_eq!(kept[9].1["by"]["deviceId"], "d-1");
    assert_eq!(kept[1].0, Time(1_772_600_762_000));

    // A client that read before finds the same messages under the same numbers.
    for (shown, (time, message)) in before.messages.iter().zip(&kept) {
        let shown: Value = serde_json::from_str(shown.0.as_str()).unwrap();
        let mut message = message.clone();
        message["sessionId"] = id(1).into();
        message["time"] = time.0.into();
        assert_eq!(shown, message);
    }

    let session = scene.log.session(id(1)).await.unwrap();
    assert_eq!((session.agent_id, session.agent.as_str()), (Some(id(1)), "builtin"));
    assert_eq!((session.project, session.status.as_str()), (scene.project(), "stopped"));
    assert_eq!(session.title.as_deref(), Some("A look inside"));
    assert_eq!(session.first_prompt.as_deref(), Some("What is in here?"));
    assert_eq!(session.model.as_deref(), Some("claude-sonnet-4-5"));
    assert_eq!(session.created, Time(1_772_600_761_000));
    assert!(session.updated > session.created);
    let details: Value = serde_json::from_str(&session.details.unwrap()).unwrap();
    assert_eq!(details["canResume"], true);
    assert_eq!(details["lastText"], "All is well with the strawberries.");
}

#[tokio::test]
async fn nothing_comes_twice() {
    let scene = Scene::new();
    scene.terminal(1, &talk("Why?"));
    let (one, other) = tokio::join!(scene.adopt(1), scene.adopt(1));
    one.unwrap();
    other.unwrap();
    scene.adopt(1).await.unwrap();
    assert_eq!(scene.kept(1).await.len(), 3);
    assert_eq!(scene.log.check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn what_may_not_be_seen_is_not_taken_over() {
    let scene = Scene::new();
    let outside = scene.path("outside").to_str().unwrap().to_owned();
    scene.terminal_in("claude", &outside, 1, &talk("Secret?"));
    let gone = scene.path("root/gone").to_str().unwrap().to_owned();
    scene.terminal_in("claude", &gone, 2, &talk("Is it gone?"));
    assert_eq!(scene.adopt(1).await.unwrap_err().code, ErrorCode::PathNotAllowed);
    assert_eq!(scene.adopt(2).await.unwrap_err().code, ErrorCode::PathNotFound);
    assert_eq!(scene.adopt(3).await.unwrap_err().code, ErrorCode::SessionNotFound);
    for number in [1, 2, 3] {
        assert!(scene.log.session(id(number)).await.is_err());
    }
}

#[tokio::test]
async fn a_session_in_use_is_not_imported() {
    let scene = Scene::new();
    scene.terminal(1, &talk("Why?"));
    std::fs::create_dir_all(scene.path("claude/sessions")).unwrap();
    let note = serde_json::json!({"sessionId": id(1), "pid": std::process::id()});
    std::fs::write(scene.path("claude/sessions/1.json"), note.to_string()).unwrap();
    let failure = scene.adopt(1).await.unwrap_err();
    assert_eq!(failure.code, ErrorCode::SessionConflict);
    assert!(failure.advised().contains("end that one first"), "{failure}");
    std::fs::remove_file(scene.path("claude/sessions/1.json")).unwrap();
    scene.adopt(1).await.unwrap();
}

#[tokio::test]
async fn the_folder_distinguishes_two_of_one_id() {
    let scene = Scene::new();
    let other = scene.path("root/other").to_str().unwrap().to_owned();
    std::fs::create_dir(&other).unwrap();
    scene.terminal(1, &talk("Here?"));
    scene.terminal_in("second", &other, 1, &talk("There?"));
    scene.recents.adopt(&id(1), Some(&other), "builtin", ada()).await.unwrap();
    assert_eq!(scene.log.session(id(1)).await.unwrap().first_prompt.as_deref(), Some("There?"));
}
