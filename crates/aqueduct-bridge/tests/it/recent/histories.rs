//! Histories of sessions that only a transcript knows.

use aqueduct_bridge::log::{PageLimits, PagePosition};
use aqueduct_bridge::message::ErrorCode;
use aqueduct_bridge::message::bridge::HistoryPage;
use serde_json::Value;

use super::{DAY, Scene, day, digging, id, reported, talk};

const ALL: PageLimits = PageLimits { count: 1000, bytes: 1 << 30 };

fn messages(page: &HistoryPage<'_>) -> Vec<Value> {
    page.messages.iter().map(|message| serde_json::from_str(message.0.as_str()).unwrap()).collect()
}

fn seqs(page: &HistoryPage<'_>) -> Vec<u64> {
    messages(page).iter().map(|message| message["seq"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn a_conversation_reads_as_if_it_had_been_here() {
    let scene = Scene::new();
    scene.terminal(1, &day());
    scene.subagent(1, "t2", &digging());
    let page = scene.recents.history(&id(1), PagePosition::After(0), ALL).await.unwrap();
    let messages = messages(&page);
    assert_eq!(messages.iter().map(reported).collect::<Vec<_>>(), DAY);
    assert_eq!((page.from_seq, page.to_seq, page.last_seq), (Some(1), Some(9), Some(9)));
    assert_eq!(page.more, Some(false));
    assert!(messages.iter().all(|message| message["sessionId"] == id(1)));
    assert_eq!(messages[1]["time"], 1_772_600_762_000_u64, "each has its own time");
    for with_image in [&messages[0], &messages[3]] {
        assert_eq!(with_image["images"][0]["data"], "aGk=");
    }
    assert_eq!(messages[7]["isError"], true);
}

#[tokio::test]
async fn pages_fit_together_in_both_directions() {
    let scene = Scene::new();
    scene.terminal(1, &day());
    let limits = PageLimits { count: 3, bytes: 1 << 30 };
    let page = async |place| scene.recents.history(&id(1), place, limits).await.unwrap();
    let newest = page(PagePosition::Newest).await;
    assert_eq!((seqs(&newest), newest.more), (vec![5, 6, 7], Some(true)));
    let before = page(PagePosition::Before(5)).await;
    assert_eq!((seqs(&before), before.more), (vec![2, 3, 4], Some(true)));
    let first = page(PagePosition::Before(2)).await;
    assert_eq!((seqs(&first), first.more), (vec![1], Some(false)));
    let after = page(PagePosition::After(3)).await;
    assert_eq!((seqs(&after), after.more), (vec![4, 5, 6], Some(true)));
    let last = page(PagePosition::After(6)).await;
    assert_eq!((seqs(&last), last.more, last.last_seq), (vec![7], Some(false), Some(7)));
    let none = page(PagePosition::After(7)).await;
    assert_eq!((seqs(&none), none.more, none.from_seq), (vec![], Some(false), None));

    let narrow = PageLimits { count: 100, bytes: 1 };
    for (place, seq) in [(PagePosition::Newest, 7), (PagePosition::After(0), 1), (PagePosition::Before(4), 3)]
    {
        let one = scene.recents.history(&id(1), place, narrow).await.unwrap();
        assert_eq!(seqs(&one), [seq], "one message is given, however large it is");
    }
}

#[tokio::test]
async fn only_whole_ids_under_the_roots_are_shown() {
    let scene = Scene::new();
    scene.terminal(1, &talk("Why?"));
    let outside = scene.path("outside").to_str().unwrap().to_owned();
    scene.terminal_in("claude", &outside, 2, &talk("Secret?"));
    let not_there = id(9);
    for (given, code) in [
        (&id(1)[..8], ErrorCode::SessionNotFound),
        ("../../etc", ErrorCode::SessionNotFound),
        (not_there.as_str(), ErrorCode::SessionNotFound),
        (&id(2), ErrorCode::PathNotAllowed),
    ] {
        let failure = scene.recents.history(given, PagePosition::Newest, ALL).await.unwrap_err();
        assert_eq!(failure.code, code, "{given}");
    }
}
