use aqueduct_bridge::log::{
    Append, Change, LogError, Time, Tokens, TurnUsage, UsageBy, UsageQuery, UsageSum,
};

use super::{NOON, Scene, later, new_session};

fn turn(model: &str, turns: u64, cost: f64) -> Change {
    let tokens = Tokens { input: 10, output: 20, cache_read: 30, cache_write: 40 };
    Change::Usage(TurnUsage { model: model.into(), turns, cost, tokens })
}

fn all(by: UsageBy) -> UsageQuery {
    UsageQuery { from: Time(0), to: Time(i64::MAX), session_id: None, project: None, by }
}

fn brief(sums: &[UsageSum]) -> Vec<(&str, u64, f64)> {
    sums.iter().map(|sum| (&*sum.name, sum.turns, sum.cost)).collect()
}

#[tokio::test]
async fn what_turns_take_adds_up() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    // 2025-06-15 15:06:40 UTC, and nine hours later.
    let (first, second) = (NOON, later(9 * 3600));
    scene
        .log
        .append("a", Append::new(first).change(turn("opus", 1, 0.5)).change(turn("haiku", 0, 0.125)))
        .await
        .unwrap();
    scene.log.append("a", Append::new(second).change(turn("opus", 1, 0.25))).await.unwrap();
    scene.log.append("b", Append::new(second).change(turn("haiku", 1, 2.0))).await.unwrap();

    let scene = scene.reopen().await;
    let session = scene.log.session("a").await.unwrap();
    assert_eq!((session.cost, session.turns), (0.875, 2));
    assert_eq!(session.tokens, Tokens { input: 30, output: 60, cache_read: 90, cache_write: 120 });

    let days = scene.log.usage(all(UsageBy::Day { offset: 0 })).await.unwrap();
    assert_eq!(brief(&days), [("2025-06-15", 1, 0.625), ("2025-06-16", 2, 2.25)]);
    let days_in_tokyo = scene.log.usage(all(UsageBy::Day { offset: 540 })).await.unwrap();
    assert_eq!(brief(&days_in_tokyo), [("2025-06-16", 3, 2.875)]);
    let models = scene.log.usage(all(UsageBy::Model)).await.unwrap();
    assert_eq!(brief(&models), [("haiku", 1, 2.125), ("opus", 2, 0.75)]);
    let projects = scene.log.usage(all(UsageBy::Project)).await.unwrap();
    assert_eq!(brief(&projects), [("/proj/b", 1, 2.0), ("/proj/a", 2, 0.875)]);
    let sessions = scene.log.usage(all(UsageBy::Session)).await.unwrap();
    assert_eq!(brief(&sessions), [("b", 1, 2.0), ("a", 2, 0.875)]);

    let of_a = UsageQuery { session_id: Some("a".into()), ..all(UsageBy::Model) };
    assert_eq!(brief(&scene.log.usage(of_a).await.unwrap()), [("opus", 2, 0.75), ("haiku", 0, 0.125)]);
    let of_b = UsageQuery { project: Some("/proj/b".into()), to: second, ..all(UsageBy::Model) };
    assert_eq!(scene.log.usage(of_b).await.unwrap(), []);
    let of_nobody = UsageQuery { session_id: Some("c".into()), ..all(UsageBy::Model) };
    assert_eq!(scene.log.usage(of_nobody).await.unwrap_err(), LogError::NoSession { id: "c".into() });
}

#[tokio::test]
async fn the_newest_note_of_a_limit_counts() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let mut other = new_session("c");
    other.agent = "claude".into();
    scene.log.create_session(other, Append::new(NOON)).await.unwrap();
    let note = |time, kind: &str, payload: &str| {
        Append::new(time).change(Change::RateLimit { kind: kind.into(), payload: payload.into() })
    };
    scene.log.append("a", note(later(2), "five_hour", "2")).await.unwrap();
    scene.log.append("b", note(later(1), "five_hour", "1")).await.unwrap();
    scene.log.append("a", note(later(1), "seven_day", "1")).await.unwrap();
    scene.log.append("b", note(later(3), "seven_day", "3")).await.unwrap();
    scene.log.append("c", note(later(1), "five_hour", "9")).await.unwrap();
    let limits = scene.log.rate_limits().await.unwrap();
    let limits: Vec<_> = limits.iter().map(|limit| (&*limit.agent, &*limit.kind, &*limit.payload)).collect();
    let expected =
        [("builtin", "five_hour", "2"), ("builtin", "seven_day", "3"), ("claude", "five_hour", "9")];
    assert_eq!(limits, expected);
}
