//! Which session a request refers to, and which sessions run.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::mpsc;

use super::{ClientConnection, Hub};
use crate::failure::Failure;
use crate::keeper::{self, KeeperState};
use crate::log::Grant;
use crate::message::ErrorCode;
use crate::session::{SessionCommand, ambiguous, keeper_folder, meant_by};

impl Hub {
    /// The running sessions, with their mailboxes.
    pub(super) fn held(&self) -> Vec<(Arc<str>, mpsc::Sender<SessionCommand>)> {
        let registry = self.shared.registry();
        registry.sessions.iter().map(|(id, held)| (id.clone(), held.mailbox.clone())).collect()
    }

    /// Those that a grant may see.
    pub(super) fn held_by(&self, grant: &Grant) -> Vec<(Arc<str>, mpsc::Sender<SessionCommand>)> {
        let registry = self.shared.registry();
        let visible = registry.sessions.iter().filter(|(_, held)| grant.holds(&held.folder));
        visible.map(|(id, held)| (id.clone(), held.mailbox.clone())).collect()
    }

    /// The session that a request means: the one that it names, else the one that the client used last, else the only
    /// one that the client may see. One that is named was looked at before.
    pub(super) fn resolve_session(
        &self,
        connection: Option<&ClientConnection>,
        named: Option<&str>,
    ) -> Result<String, Failure> {
        let mut registry = self.shared.registry();
        let last = connection
            .and_then(|connection| registry.clients.get(&connection.id()))
            .and_then(|client| client.last.clone());
        let only = connection.and_then(|connection| {
            let grant = &connection.principal().grant;
            let mut visible = registry.sessions.iter().filter(|(_, held)| grant.holds(&held.folder));
            visible.next().map(|(id, _)| id.clone()).filter(|_| visible.next().is_none())
        });
        let meant: Option<Arc<str>> = named.map(Into::into).or(last).or(only);
        let meant = meant
            .ok_or_else(|| Failure::new(ErrorCode::SessionNotFound, "name the session with `sessionId`"))?;
        if let Some(client) = connection.and_then(|connection| registry.clients.get_mut(&connection.id())) {
            client.last = Some(meant.clone());
        }
        Ok(meant.to_string())
    }

    /// The session in which something of this id is to be decided.
    pub(super) async fn session_of_request(
        &self,
        connection: Option<&ClientConnection>,
        named: Option<&str>,
        id: &str,
    ) -> Result<String, Failure> {
        if named.is_some() {
            return self.resolve_session(connection, named);
        }
        // All of them are asked: the counts in lists are updated after a question, and one that is missed would make
        // an ambiguous id look like a clear one.
        let mut open = Vec::new();
        let visible: Vec<Arc<str>> = {
            let registry = self.shared.registry();
            let is_visible = |folder| {
                connection
                    .is_some_and(|connection: &ClientConnection| connection.principal().grant.holds(folder))
            };
            let held = registry.sessions.iter().filter(|(_, held)| is_visible(&held.folder));
            held.map(|(session, _)| session.clone()).collect()
        };
        for session in visible {
            // One that was deleted meanwhile asks nothing.
            let asked = self.ask(&session, |reply| SessionCommand::Snapshot { reply }).await;
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
        self.resolve_session(connection, None).map_err(|_| {
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
                Ok(Ok(KeeperState::Alive)) => drop(tokio::spawn(keeper::discard(path))),
                Ok(Ok(KeeperState::Dead(remains))) => {
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
