//! Which session is meant, and which are held.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Hub, Visit};
use crate::failure::Failure;
use crate::keeper::{self, AttachError, Event, Found, Ladder, Misplaced};
use crate::log::Grant;
use crate::message::ErrorCode;
use crate::session::{Ask, ambiguous, keeper_folder, meant_by};

impl Hub {
    /// The sessions that are held, with the way to each.
    pub(super) fn held(&self) -> Vec<(Arc<str>, mpsc::Sender<Ask>)> {
        let holdings = self.shared.holdings();
        holdings.sessions.iter().map(|(id, held)| (id.clone(), held.mailbox.clone())).collect()
    }

    /// Those that a credential may see.
    pub(super) fn held_by(&self, grant: &Grant) -> Vec<(Arc<str>, mpsc::Sender<Ask>)> {
        let holdings = self.shared.holdings();
        let visible = holdings.sessions.iter().filter(|(_, held)| grant.holds(&held.folder));
        visible.map(|(id, held)| (id.clone(), held.mailbox.clone())).collect()
    }

    /// The session that a request means: the one that it names, else the one that the client used last, else the only
    /// one that the client may see. One that is named was looked at before.
    pub(super) fn meant(&self, visit: Option<&Visit>, named: Option<&str>) -> Result<String, Failure> {
        let mut holdings = self.shared.holdings();
        let last =
            visit.and_then(|visit| holdings.clients.get(&visit.id())).and_then(|client| client.last.clone());
        let only = visit.and_then(|visit| {
            let grant = &visit.visitor().grant;
            let mut visible = holdings.sessions.iter().filter(|(_, held)| grant.holds(&held.folder));
            visible.next().map(|(id, _)| id.clone()).filter(|_| visible.next().is_none())
        });
        let meant: Option<Arc<str>> = named.map(Into::into).or(last).or(only);
        let meant = meant.ok_or_else(|| {
            Failure::new(ErrorCode::SessionNotFound, "say which session is meant with `sessionId`")
        })?;
        if let Some(client) = visit.and_then(|visit| holdings.clients.get_mut(&visit.id())) {
            client.last = Some(meant.clone());
        }
        Ok(meant.to_string())
    }

    /// The session in which something of this id is to be decided.
    pub(super) async fn asking(
        &self,
        visit: Option<&Visit>,
        named: Option<&str>,
        id: &str,
    ) -> Result<String, Failure> {
        if named.is_some() {
            return self.meant(visit, named);
        }
        // All of them are asked: the counts in lists are told a moment after a question, and one that is missed would make
        // an ambiguous id look like a clear one.
        let mut open = Vec::new();
        let visible: Vec<Arc<str>> = {
            let holdings = self.shared.holdings();
            let is_visible = |folder| visit.is_some_and(|visit: &Visit| visit.visitor().grant.holds(folder));
            let held = holdings.sessions.iter().filter(|(_, held)| is_visible(&held.folder));
            held.map(|(session, _)| session.clone()).collect()
        };
        for session in visible {
            // One that was deleted meanwhile asks nothing.
            let asked = self.ask(&session, |reply| Ask::Snapshot { reply }).await;
            let snapshot = match asked {
                Err(failure) if failure.code == ErrorCode::SessionNotFound => continue,
                asked => asked?,
            };
            for request in snapshot.pending {
                let own = request.id.map(|id| id.into_string()).unwrap_or_default();
                open.push((session.clone(), own, request.tool_use_id.into_string()));
            }
        }
        let questions = open.iter().map(|(session, own, call)| (own.as_str(), Some(call.as_str()), session));
        match meant_by(id, questions)[..] {
            [session] => return Ok(session.to_string()),
            [] => {}
            _ => return Err(ambiguous(id)),
        }
        self.meant(visit, None).map_err(|_| {
            Failure::new(ErrorCode::PermissionNotFound, format!("nothing with the id {id} is to be decided"))
        })
    }

    /// Ends and removes keepers that no session knows.
    pub(super) async fn clear_keepers(&self, known: Vec<String>) {
        let data = &self.shared.settings.data;
        let known: HashSet<PathBuf> = known.iter().filter_map(|kept| keeper_folder(data, kept)).collect();
        let folder = self.shared.settings.data.join("keepers");
        let Ok(mut entries) = tokio::fs::read_dir(&folder).await else { return };
        while let Ok(Some(entry)) = entries.next_entry().await {
            let path = entry.path();
            if known.contains(&path) {
                continue;
            }
            let looked = path.clone();
            let found = tokio::task::spawn_blocking(move || keeper::find(&looked)).await;
            match found {
                Ok(Ok(Found::Alive)) => drop(tokio::spawn(end_keeper(path))),
                Ok(Ok(Found::Dead(remains))) => {
                    // One that can't be removed now is removed when the next bridge starts.
                    let _ = tokio::task::spawn_blocking(move || {
                        remains.close()?;
                        remains.sweep();
                        remains.delete()
                    })
                    .await;
                }
                _ => drop(tokio::fs::remove_dir_all(&path).await),
            }
        }
    }
}

/// Ends a keeper that no session knows, however long it takes to answer, and removes its folder.
pub(crate) async fn end_keeper(folder: PathBuf) {
    let attached = match keeper::attach(&folder, 0).await {
        Err(AttachError::Misplaced(Misplaced::Gone { oldest })) => keeper::attach(&folder, oldest).await,
        attached => attached,
    };
    if let Ok(mut attached) = attached {
        // One that is gone meanwhile is what is wanted.
        let _ = attached.handle.end(Ladder::default()).await;
        while let Some(event) = attached.events.next().await {
            if let Event::Line(line) = event {
                let _ = attached.handle.ack(line.next);
            }
        }
    }
    // One that can't be removed now is removed when the next bridge starts.
    let _ = tokio::task::spawn_blocking(move || keeper::delete(&folder)).await;
}
