//! Words in the log and in transcripts.

use aqueduct_bridge::message::bridge::SearchResults;
use aqueduct_bridge::message::client::Search;

use super::{Scene, ada, day, id, talk};

async fn search(scene: &Scene, query: &str, change: impl FnOnce(&mut Search<'_>)) -> SearchResults<'static> {
    let mut request = Search::new(query.to_owned());
    change(&mut request);
    scene.recents.search(&request, None).await.unwrap()
}

fn ids(results: &SearchResults<'_>) -> Vec<String> {
    results.hits.iter().map(|hit| hit.session_id.to_string()).collect()
}

#[tokio::test]
async fn words_are_found_wherever_they_are() {
    let scene = Scene::new();
    scene.terminal(1, &day());
    scene.terminal(2, &talk("Where are the apples and pears?"));
    scene.own(20, 20, 10).await;
    let found = search(&scene, "apples", |_| {}).await;
    assert_eq!(ids(&found), [id(20), id(2)]);
    assert_eq!(found.hits[0].seq, Some(1));
    assert_eq!(found.more, Some(false));
    let hit = &found.hits[1];
    assert_eq!(hit.excerpt, "Where are the \u{e000}apples\u{e001} and pears?");
    assert_eq!((hit.seq, hit.kind.as_deref()), (None, Some("user_input")));
    assert_eq!(hit.title.as_deref(), Some("Where are the apples and pears?"));
    assert_eq!((hit.project_path.as_deref(), hit.time), (Some(&*scene.project()), Some(1_772_600_761_000)));

    let both = search(&scene, "appl* apples", |request| request.session_id = Some(id(2).into())).await;
    assert_eq!(both.hits[0].excerpt.matches('\u{e000}').count(), 1, "marks are never in each other");
    assert_eq!(ids(&search(&scene, "straw* WELL", |_| {}).await), [id(1)]);
    assert_eq!(ids(&search(&scene, "\"apples and\" where", |_| {}).await), [id(2)]);
    assert!(search(&scene, "\"pears and\"", |_| {}).await.hits.is_empty());
    assert!(search(&scene, "  * \"\" ", |_| {}).await.hits.is_empty());
    assert!(search(&scene, "nowhere", |_| {}).await.hits.is_empty());
}

#[tokio::test]
async fn pages_fit_together() {
    let scene = Scene::new();
    for number in 1..=4 {
        scene.terminal(number, &talk("Some apples?"));
    }
    for number in 20..23 {
        scene.own(number, number, number).await;
    }
    let all = ids(&search(&scene, "apples", |_| {}).await);
    assert_eq!(all.len(), 7);
    for offset in 0..8 {
        let page = search(&scene, "apples", |request| {
            request.offset = Some(offset);
            request.limit = Some(3);
        })
        .await;
        let expected: Vec<String> = all.iter().skip(offset as usize).take(3).cloned().collect();
        assert_eq!((ids(&page), page.more), (expected, Some(offset < 4)), "{offset}");
    }
}

#[tokio::test]
async fn a_session_or_a_folder_can_be_meant() {
    let scene = Scene::new();
    let other = scene.path("root/other").to_str().unwrap().to_owned();
    std::fs::create_dir(&other).unwrap();
    scene.terminal(1, &talk("Apples?"));
    scene.terminal_in("claude", &other, 2, &talk("Apples too?"));
    scene.own(20, 20, 10).await;
    for number in [1, 2, 20] {
        let found = search(&scene, "apples", |request| request.session_id = Some(id(number).into())).await;
        assert_eq!(ids(&found), [id(number)]);
    }
    let found = search(&scene, "apples", |request| request.project_path = Some(other.into())).await;
    assert_eq!(ids(&found), [id(2)]);
}

#[tokio::test]
async fn what_is_outside_or_in_the_log_is_not_found_in_transcripts() {
    let scene = Scene::new();
    let outside = scene.path("outside").to_str().unwrap().to_owned();
    scene.terminal_in("claude", &outside, 1, &talk("Secret apples?"));
    scene.terminal(2, &talk("Apples?"));
    scene.recents.adopt(&id(2), None, "builtin", ada()).await.unwrap();
    scene.log.settle().await.unwrap();
    let found = search(&scene, "apples", |_| {}).await;
    assert_eq!(ids(&found), [id(2)]);
    assert_eq!(found.hits[0].seq, Some(1), "once it is adopted the log finds it");
}
