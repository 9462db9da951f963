use std::sync::Arc;

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpId;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::auth::ServerCredentials;
use crate::client::McpClient;
use crate::config::{ServerConfig, ServerRoute};
use crate::connection::{ServerConnection, introduction};
use crate::error::{CallError, ConnectError};
use crate::link::{HostLink, HttpLink, ProcessLink, RemoteServer, ServerLink, ServerProgram, SseLink};
use crate::manifest::ServerManifest;
use crate::message::{JsonRpcError, METHOD_NOT_FOUND};
use crate::peer::{PendingReply, ServerEvent, ServerPeer};
use crate::question::ServerQuestions;
use crate::shared::ServerContext;
use crate::state::ServerStatus;

/// What minds one server: connects to it, and serves what it asks until the connection ends.
#[derive(Debug)]
pub(crate) struct Supervisor {
    pub(crate) config: ServerConfig,
    pub(crate) shared: Arc<ServerContext>,
    pub(crate) state: watch::Sender<ServerStatus>,
    /// The user's tokens for it, if it is on the network.
    pub(crate) credentials: Option<Arc<ServerCredentials>>,
}

/// How a server introduces itself.
pub(crate) enum Introduced {
    /// It has to be asked.
    NotYet,
    /// It was asked.
    Asked(PendingReply),
    /// The host has provided its answer.
    Before(ServerManifest),
}

/// A list of a server.
#[derive(Debug, Clone, Copy)]
enum ServerList {
    Tools,
    Prompts,
}

impl Supervisor {
    /// Opens the way to a server in the host.
    pub(crate) fn open_in_host(&self, peer: Arc<ServerPeer>) -> McpClient {
        let link = HostLink::new(self.shared.host.clone(), self.config.name.clone(), peer.clone());
        McpClient { peer, link: ServerLink::Host(link) }
    }

    /// Opens the way to a server.
    fn open(&self, peer: Arc<ServerPeer>) -> Result<McpClient, ConnectError> {
        let link = match &self.config.route {
            ServerRoute::Host => return Ok(self.open_in_host(peer)),
            ServerRoute::Program { command, arguments, variables } => {
                let program = self.program(command, arguments, variables);
                let failed = |error| ConnectError::Failed(format!("{command} can't be started: {error}"));
                ServerLink::Process(ProcessLink::open(&program, peer.clone()).map_err(failed)?)
            }
            ServerRoute::Http { url, headers } => ServerLink::Http(HttpLink::new(
                RemoteServer::new(url, headers, &self.shared.proxy, self.credentials.clone())?,
                peer.clone(),
            )),
            ServerRoute::Sse { url, headers } => ServerLink::Sse(SseLink::open(
                RemoteServer::new(url, headers, &self.shared.proxy, self.credentials.clone())?,
                peer.clone(),
            )),
            ServerRoute::Wrong(problem) => return Err(ConnectError::Failed(problem.clone())),
        };
        Ok(McpClient { peer, link })
    }

    fn program(&self, command: &str, arguments: &[String], variables: &[(String, String)]) -> ServerProgram {
        let mut environment = (*self.shared.environment).clone();
        let project = environment.cwd.to_string_lossy().into_owned();
        environment.extend([("CLAUDE_PROJECT_DIR".to_owned(), project)]);
        environment.extend(variables.iter().cloned());
        let words = std::iter::once(command).chain(arguments.iter().map(String::as_str));
        ServerProgram {
            command: words.map(Into::into).collect(),
            guard: environment.guard,
            cwd: environment.cwd,
            variables: environment.variables,
        }
    }

    /// Connects to a server outside the host, and serves it until the connection ends.
    pub(crate) async fn run_outside(self: Arc<Self>) {
        let (peer, events) = ServerPeer::new(0);
        match self.open(Arc::new(peer)) {
            Ok(client) => self.run(Arc::new(client), events, Introduced::NotYet).await,
            Err(error) => drop(self.state.send_replace(error.into())),
        }
    }

    /// Connects, and serves the server until the connection ends.
    pub(crate) async fn run(
        self: Arc<Self>,
        client: Arc<McpClient>,
        events: mpsc::Receiver<ServerEvent>,
        introduced: Introduced,
    ) {
        let questions = Arc::new(ServerQuestions::default());
        let event_service = self.serve_events(client.clone(), events, questions.clone());
        tokio::pin!(event_service);
        // A server may send a request before it reports its capabilities.
        let connected = tokio::select! {
            connected = self.connect(client.clone(), introduced, questions) => connected,
            why = &mut event_service => Err(ConnectError::Failed(why)),
        };
        match connected {
            Ok(connection) => {
                let connection = Arc::new(connection);
                self.state.send_replace(ServerStatus::Connected(connection.clone()));
                client.peer.remind();
                let why = event_service.await;
                self.state.send_replace(ServerStatus::Lost(connection, why));
            }
            Err(error) => {
                client.link.end().await;
                self.state.send_replace(error.into());
            }
        }
    }

    async fn connect(
        &self,
        client: Arc<McpClient>,
        introduced: Introduced,
        questions: Arc<ServerQuestions>,
    ) -> Result<ServerConnection, ConnectError> {
        let limit = self.shared.limits.connect;
        let reply = match introduced {
            Introduced::NotYet => {
                let begun = client.begin("initialize", Some(introduction(&self.config.route)));
                let reply = tokio::time::timeout(limit, begun).await;
                reply.unwrap_or(Err(CallError::TimedOut(limit)))?
            }
            Introduced::Asked(reply) => reply,
            Introduced::Before(manifest) => {
                return manifest.connect(&self.config, client, limit, questions).await;
            }
        };
        ServerConnection::make(&self.config, client, reply, limit, questions).await
    }

    /// Handles the server's own messages; returns why they ended.
    async fn serve_events(
        &self,
        client: Arc<McpClient>,
        mut events: mpsc::Receiver<ServerEvent>,
        questions: Arc<ServerQuestions>,
    ) -> String {
        let mut serving = JoinSet::new();
        let why = loop {
            let events = tokio::select! {
                why = client.peer.lost() => break why,
                Some(events) = events.recv() => events,
                Some(_) = serving.join_next() => continue,
            };
            match events {
                ServerEvent::Asks { id, method, params } => {
                    let answer = self.answer(&questions, id.clone(), method, params);
                    let client = client.clone();
                    serving.spawn(async move {
                        let outcome = answer.await;
                        // A server that is gone needs no answer.
                        let _ = client.answer(id, outcome).await;
                    });
                }
                ServerEvent::TakesBack(id) => questions.take_back(&id),
                ServerEvent::ToolsChanged => drop(serving.spawn(self.refresh(ServerList::Tools))),
                ServerEvent::PromptsChanged => drop(serving.spawn(self.refresh(ServerList::Prompts))),
                ServerEvent::Elicited(elicitation_id) => {
                    let server = self.config.name.clone();
                    self.shared.host.elicitation_complete(server, elicitation_id).await;
                }
            }
        };
        questions.take_back_all();
        while serving.join_next().await.is_some() {}
        why
    }

    /// Asks for a list again. A list that can't be read now stays as it was; a call will show the error.
    fn refresh(&self, what: ServerList) -> impl Future<Output = ()> + Send + 'static + use<> {
        let (state, config, limit) =
            (self.state.subscribe(), self.config.clone(), self.shared.limits.connect);
        async move {
            let connection = match &*state.borrow() {
                ServerStatus::Connected(connection) => connection.clone(),
                _ => return,
            };
            match what {
                ServerList::Tools => {
                    let _ = connection.list_tools(&config, limit).await;
                    connection.client.peer.refreshed();
                }
                ServerList::Prompts => {
                    let _ = connection.list_prompts(&config, limit).await;
                }
            }
        }
    }

    /// What a request of the server is answered. A server in the host has the host to ask.
    fn answer(
        &self,
        questions: &Arc<ServerQuestions>,
        id: McpId<'static>,
        method: String,
        params: Raw<'static>,
    ) -> impl Future<Output = Result<Raw<'static>, JsonRpcError>> + Send + 'static + use<> {
        let (shared, questions) = (self.shared.clone(), questions.clone());
        let (name, is_in_host) = (self.config.name.clone(), self.config.route == ServerRoute::Host);
        async move {
            match method.as_str() {
                "ping" => Ok(Raw::from(&json!({}))),
                "roots/list" if !is_in_host => Ok(shared.roots()),
                "elicitation/create" if !is_in_host => Ok(questions.ask(&shared, &name, id, &params).await),
                _ => Err(JsonRpcError { code: METHOD_NOT_FOUND, message: "Method not found".to_owned() }),
            }
        }
    }
}
