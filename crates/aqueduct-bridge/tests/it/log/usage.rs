use aqueduct_bridge::log::{Append, DailyUsage, LogError, SessionChange, TokenCounts, TurnUsage, UsageQuery};

use super::{NOON, Scene, later, new_session};

const TOKENS: TokenCounts = TokenCounts { input: 10, output: 20, cache_read: 30, cache_write: 40 };

fn turn(day: &str, model: &str, turns: u64, cost: f64) -> SessionChange {
    SessionChange::Usage(TurnUsage { day: day.into(), model: model.into(), turns, cost, tokens: TOKENS })
}

fn june() -> UsageQuery {
    UsageQuery { from: "2025-06-01".into(), to: "2025-06-30".into(), session_id: None, project: None }
}

fn brief(rows: &[DailyUsage]) -> Vec<(&str, &str, &str, u64, f64)> {
    rows.iter().map(|row| (&*row.day, &*row.project, &*row.model, row.turns, row.cost)).collect()
}

#[tokio::test]
async fn what_turns_take_adds_up() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let (first, second) = ("2025-06-15", "2025-06-16");
    let both = Append::new(NOON).change(turn(first, "opus", 1, 0.5)).change(turn(first, "haiku", 0, 0.125));
    scene.log.append("a", both).await.unwrap();
    for (session, day, model, cost) in [
        ("a", first, "opus", 0.25),
        ("a", second, "opus", 1.0),
        ("b", second, "haiku", 2.0),
        ("b", "2025-07-01", "haiku", 4.0),
    ] {
        scene.log.append(session, Append::new(NOON).change(turn(day, model, 1, cost))).await.unwrap();
    }

    let scene = scene.reopen().await;
    let session = scene.log.session("a").await.unwrap();
    assert_eq!((session.cost, session.turns), (1.875, 3));
    assert_eq!(session.tokens, TokenCounts { input: 40, output: 80, cache_read: 120, cache_write: 160 });

    let rows = scene.log.usage(june()).await.unwrap();
    let of_a = [
        (first, "/proj/a", "haiku", 0, 0.125),
        (first, "/proj/a", "opus", 2, 0.75),
        (second, "/proj/a", "opus", 1, 1.0),
    ];
    assert_eq!(brief(&rows[..3]), of_a);
    assert_eq!(brief(&rows[3..]), [(second, "/proj/b", "haiku", 1, 2.0)]);
    assert_eq!(rows[1].tokens, TokenCounts { input: 20, output: 40, cache_read: 60, cache_write: 80 });

    let rows = scene.log.usage(UsageQuery { session_id: Some("a".into()), ..june() }).await.unwrap();
    assert_eq!(brief(&rows), of_a);
    let rows = scene.log.usage(UsageQuery { project: Some("/proj/a".into()), ..june() }).await.unwrap();
    assert_eq!(brief(&rows), of_a);
    let rows =
        scene.log.usage(UsageQuery { from: second.into(), to: second.into(), ..june() }).await.unwrap();
    assert_eq!(rows.len(), 2);
    let error = scene.log.usage(UsageQuery { session_id: Some("c".into()), ..june() }).await.unwrap_err();
    assert_eq!(error, LogError::NoSession { id: "c".into() });
}

#[tokio::test]
async fn the_newest_note_of_a_limit_counts() {
    let scene = Scene::with_sessions(&["a", "b"]).await;
    let mut other = new_session("c");
    other.agent = "claude".into();
    scene.log.create_session(other, Append::new(NOON)).await.unwrap();
    let note = |time, kind: &str, payload: &str| {
        Append::new(time).change(SessionChange::RateLimit { kind: kind.into(), payload: payload.into() })
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
