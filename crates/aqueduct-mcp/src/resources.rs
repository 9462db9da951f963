//! Resources of servers.

use std::path::Path;

use aqueduct_os::spool;
use aqueduct_wire::json::Raw;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::error::{CallError, ResourceError};
use crate::name::of_file;
use crate::object::Object;
use crate::servers::Mcp;
use crate::state::ServerStatus;

/// What begins the addresses of resources that are pages for people, not for the model.
const PAGE: &str = "ui://";

impl Mcp {
    /// Whether a server that is connected has resources.
    pub fn has_resources(&self) -> bool {
        self.all().iter().filter_map(|server| server.known()).any(|connection| connection.has("resources"))
    }

    /// The resources of a server, or of all, each with its server's name.
    pub async fn list_resources(
        &self,
        server: Option<&str>,
        cancel: &CancellationToken,
    ) -> Result<Vec<Value>, ResourceError> {
        let mut resources = Vec::new();
        for name in self.with_resources(server)? {
            let Some(server) = self.find(&name) else { continue };
            let pages = async {
                let connection = self.connection(&server, cancel).await?;
                connection.pages("resources/list", self.shared.limits.connect).await
            };
            let pages = tokio::select! {
                pages = pages => pages,
                () = cancel.cancelled() => Err(CallError::Interrupted),
            };
            let pages = pages.map_err(|error| ResourceError::List { server: name.clone(), error })?;
            resources.extend(pages.iter().flat_map(|page| listed(&name, page)));
        }
        Ok(resources)
    }

    /// The parts of a resource, as the server sends them.
    pub async fn read_resource(
        &self,
        server: &str,
        uri: &str,
        cancel: &CancellationToken,
    ) -> Result<Vec<Raw<'static>>, ResourceError> {
        let server = self.find(server).ok_or_else(|| ResourceError::NotFound(server.to_owned()))?;
        let asked = async {
            let connection = self.connection(&server, cancel).await?;
            let params = Raw::from(&json!({ "uri": uri }));
            let limit = self.shared.limits.connect;
            connection.client.request_until("resources/read", |_| Some(params), limit, cancel).await
        };
        let result = asked.await.map_err(ResourceError::Read)?;
        let read = Object::of(&result);
        Ok(read.list("contents").into_iter().map(|part| part.into_owned()).collect())
    }

    /// The parts of a resource for the model: bytes are kept in files, and so is text that is too long.
    pub async fn show_resource(
        &self,
        server: &str,
        uri: &str,
        spool: &Path,
        cancel: &CancellationToken,
    ) -> Result<Value, ResourceError> {
        self.with_resources(Some(server))?;
        let parts = self.read_resource(server, uri, cancel).await?;
        let (server, spool, limit) = (server.to_owned(), spool.to_owned(), self.shared.limits.output);
        let shown = tokio::task::spawn_blocking(move || {
            parts.iter().map(|part| shown(&server, &spool, limit, part)).collect::<Vec<Value>>()
        });
        let shown = shown.await.map_err(|error| ResourceError::Unread(error.to_string()))?;
        Ok(json!({ "contents": shown }))
    }

    /// The servers that have resources: the one that is named, or all.
    fn with_resources(&self, server: Option<&str>) -> Result<Vec<String>, ResourceError> {
        let has = |state: ServerStatus| match state {
            ServerStatus::Connected(connection) | ServerStatus::Lost(connection, _) => {
                connection.has("resources")
            }
            _ => false,
        };
        let servers = self.all();
        let names =
            servers.iter().filter(|server| has(server.state())).map(|server| server.config().name.clone());
        let names: Vec<String> = names.collect();
        match server {
            None => Ok(names),
            Some(wanted) if names.iter().any(|name| name == wanted) => Ok(vec![wanted.to_owned()]),
            Some(wanted) => Err(ResourceError::NoResources {
                wanted: wanted.to_owned(),
                available: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
            }),
        }
    }
}

fn listed(server: &str, page: &Raw<'_>) -> Vec<Value> {
    let page = Object::of(page);
    let entries = page.list("resources");
    let entry = |raw: &Raw<'_>| {
        let resource = Object::of(raw);
        let uri = resource.text("uri").filter(|uri| !uri.starts_with(PAGE))?;
        let mut entry =
            json!({ "server": server, "uri": uri, "name": resource.text("name").unwrap_or_default() });
        for name in ["title", "description", "mimeType"] {
            if let Some(text) = resource.text(name) {
                entry[name] = text.into();
            }
        }
        Some(entry)
    };
    entries.iter().filter_map(entry).collect()
}

/// A part of a resource for the model.
fn shown(server: &str, folder: &Path, limit: usize, part: &Raw<'_>) -> Value {
    let part = Object::of(part);
    let media_type = part.text("mimeType").unwrap_or_default();
    let mut shown = json!({ "uri": part.text("uri"), "mimeType": media_type });
    let save = |bytes: &[u8]| spool::save(folder, &of_file(server), spool::extension(&media_type), bytes);
    match (part.text("text"), part.text("blob")) {
        (Some(text), _) if text.len() <= limit => shown["text"] = text.into(),
        (Some(text), _) => {
            let begins = &text[..text.floor_char_boundary(limit.min(2000))];
            shown["text"] = match save(text.as_bytes()) {
                Ok(path) => {
                    format!("{} bytes, all of them in {}. It begins:\n{begins}", text.len(), path.display())
                }
                Err(error) => {
                    format!("{} bytes, which can't be saved: {error}. It begins:\n{begins}", text.len())
                }
            }
            .into();
        }
        (None, Some(blob)) => match STANDARD.decode(blob.as_bytes()) {
            Ok(bytes) => match save(&bytes) {
                Ok(path) => {
                    shown["text"] = format!("{} bytes, kept in {}", bytes.len(), path.display()).into();
                    shown["blobSavedTo"] = path.display().to_string().into();
                }
                Err(error) => {
                    shown["text"] = format!("{} bytes, which can't be saved: {error}", bytes.len()).into()
                }
            },
            Err(_) => shown["text"] = "bytes that are not base64, so they can't be used".into(),
        },
        (None, None) => shown["text"] = "".into(),
    }
    shown
}
