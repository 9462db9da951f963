//! Lists: the log's sessions and those of terminals, each once.

use aqueduct_bridge::log::{Append, SessionChange, SessionRecord, Time};
use aqueduct_bridge::message::bridge::{RecentSessions, SessionInfo, SessionSource, SessionStatus};
use aqueduct_bridge::message::client::{ListRecentSessions, Search};

use super::{BEGINNING, Scene, day, id, talk, user_line};

/// As the hub reports a session.
fn info(row: &SessionRecord) -> SessionInfo<'static> {
    let mut info = SessionInfo::new(row.id.clone(), row.project.clone(), SessionStatus::Stopped);
    info.source = Some(SessionSource::Bridge);
    info.updated_at = Some(row.updated.0.unsigned_abs());
    info.title = row.name.clone().map(Into::into);
    info
}

async fn list(scene: &Scene, change: impl FnOnce(&mut ListRecentSessions<'_>)) -> RecentSessions<'static> {
    let mut request = ListRecentSessions::new();
    change(&mut request);
    scene.recents.list(&request, None, info).await.unwrap()
}

fn ids(recent: &RecentSessions<'_>) -> Vec<String> {
    recent.sessions.iter().map(|session| session.session_id.to_string()).collect()
}

#[tokio::test]
async fn both_sorts_come_newest_first_each_once() {
    let scene = Scene::new();
    for number in [1, 3, 5] {
        scene.terminal(number, &talk("Why?"));
    }
    scene.own(20, 20, 2).await;
    // Its agent wrote the transcript of 5 down.
    scene.own(21, 5, 4).await;
    scene.terminal_in("second", &scene.project(), 3, &talk("A copy elsewhere?"));
    scene.terminal_in("second", &scene.project(), 6, &talk("Another terminal?"));
    let recent = list(&scene, |_| {}).await;
    assert_eq!(ids(&recent), [id(6), id(21), id(3), id(20), id(1)]);
    assert_eq!(recent.more, Some(false));

    for offset in 0..6 {
        let page = list(&scene, |request| {
            request.offset = Some(offset);
            request.limit = Some(2);
        })
        .await;
        let expected: Vec<String> = ids(&recent).into_iter().skip(offset as usize).take(2).collect();
        assert_eq!((ids(&page), page.more), (expected, Some(offset < 3)), "{offset}");
    }
}

#[tokio::test]
async fn a_session_of_a_terminal_has_a_description() {
    let scene = Scene::new();
    scene.terminal(1, &day());
    let recent = list(&scene, |request| request.request_id = Some("9".into())).await;
    let [session] = recent.sessions.try_into().unwrap();
    assert_eq!(session.source, Some(SessionSource::Terminal));
    assert_eq!(session.project_path.as_str(), scene.project());
    assert_eq!(session.title.as_deref(), Some("A look inside"));
    assert_eq!(session.first_prompt.as_deref(), Some("What is in here?"));
    assert_eq!(session.git_branch.as_deref(), Some("main"));
    assert_eq!(session.agent_version.as_deref(), Some("2.1.325"));
    assert_eq!(
        (session.created_at, session.updated_at),
        (Some(1_772_600_761_000), Some((BEGINNING + 1) * 1000))
    );
    assert_eq!((session.last_seq, session.status), (Some(0), SessionStatus::Stopped));
    assert_eq!(recent.request_id.as_deref(), Some("9"));
}

#[tokio::test]
async fn what_was_in_folders_outside_is_not_listed() {
    let scene = Scene::new();
    let outside = scene.path("outside").to_str().unwrap().to_owned();
    scene.terminal_in("claude", &outside, 1, &talk("Secret?"));
    std::os::unix::fs::symlink(&outside, scene.path("root/link")).unwrap();
    let link = scene.path("root/link").to_str().unwrap().to_owned();
    scene.terminal_in("claude", &link, 2, &talk("Secret by a link?"));
    scene.terminal_in("claude", "/proj/../etc", 3, &talk("Secret by dots?"));
    let gone = scene.path("root/gone").to_str().unwrap().to_owned();
    scene.terminal_in("claude", &gone, 4, &talk("Is the folder gone?"));
    assert_eq!(
        ids(&list(&scene, |_| {}).await),
        [id(4)],
        "a folder that was deleted was still under the root"
    );
}

#[tokio::test]
async fn folders_words_and_archives_choose() {
    let scene = Scene::new();
    let other = scene.path("root/other").to_str().unwrap().to_owned();
    std::fs::create_dir(&other).unwrap();
    scene.terminal(1, &talk("Why is the BUILD red?"));
    scene.terminal(2, &[user_line(1, "Something else")]);
    scene.terminal_in("claude", &other, 3, &talk("Here the build is green."));
    scene.own(20, 20, 10).await;
    let by_words = list(&scene, |request| request.query = Some("build".into())).await;
    assert_eq!(ids(&by_words), [id(3), id(1)]);
    let by_name = list(&scene, |request| request.query = Some("OWN".into())).await;
    assert_eq!(ids(&by_name), [id(20)]);
    let by_folder = list(&scene, |request| request.project_path = Some(other.clone().into())).await;
    assert_eq!(ids(&by_folder), [id(3)]);
    let here = scene.project();
    let here = list(&scene, |request| request.project_path = Some(here.into())).await;
    assert_eq!(ids(&here), [id(20), id(2), id(1)]);

    let archive = Append::new(Time(0)).change(SessionChange::Archived(true));
    scene.log.append(id(20), archive).await.unwrap();
    assert_eq!(ids(&list(&scene, |_| {}).await), [id(3), id(2), id(1)]);
    assert_eq!(list(&scene, |request| request.archived = Some(true)).await.sessions.len(), 4);
}

#[tokio::test]
async fn without_terminals_there_is_the_log() {
    let scene = Scene::new();
    scene.own(20, 20, 0).await;
    assert_eq!(ids(&list(&scene, |_| {}).await), [id(20)]);
}

/// A credential with a root sees the sessions in it, those of terminals too, page by page.
#[tokio::test]
async fn a_root_hides_what_is_outside() {
    let scene = Scene::new();
    let (inside, beside) = (scene.project(), format!("{}-secret", scene.project()));
    std::fs::create_dir_all(&beside).unwrap();
    for number in [1, 3, 5] {
        scene.terminal(number, &talk("Why?"));
        scene.terminal_in("claude", &beside, number + 1, &talk("Why not?"));
    }
    scene.own(20, 20, 9).await;
    let mut request = ListRecentSessions::new();
    let all = scene.recents.list(&request, Some(&inside), info).await.unwrap();
    assert_eq!(ids(&all), [id(20), id(5), id(3), id(1)]);
    (request.offset, request.limit) = (Some(1), Some(2));
    let page = scene.recents.list(&request, Some(&inside), info).await.unwrap();
    assert_eq!((ids(&page), page.more), (vec![id(5), id(3)], Some(true)));
    request.project_path = Some(beside.into());
    let refused = scene.recents.list(&request, Some(&inside), info).await.unwrap_err();
    assert_eq!(refused.code.as_str(), "path_not_allowed");

    let found = scene.recents.search(&Search::new("why"), Some(&inside)).await.unwrap();
    assert!(found.hits.iter().all(|hit| hit.project_path.as_deref() == Some(&*inside)), "{found:?}");
    assert!(!found.hits.is_empty());
}
