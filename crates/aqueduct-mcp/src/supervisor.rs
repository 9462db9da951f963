use std::sync::Arc;

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpId;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::client::Client;
use crate::config::{Config, Route};
use crate::connection::{Connection, introduction};
use crate::error::{CallError, ConnectError};
use crate::link::{HostLink, HttpLink, Link, ProcessLink, Program, SseLink, Web};
use crate::manifest::Manifest;
use crate::message::{METHOD_NOT_FOUND, Refusal};
use crate::peer::{Peer, Reply, Said};
use crate::question::Questions;
use crate::shared::Shared;
use crate::state::State;

/// What minds one server: connects to it, and serves what it asks until the connection ends.
#[derive(Debug)]
pub(crate) struct Supervisor {
    pub(crate) config: Config,
    pub(crate) shared: Arc<Shared>,
    pub(crate) state: watch::Sender<State>,
}

/// How a server introduces itself.
pub(crate) enum Introduced {
    /// It has to be asked.
    NotYet,
    /// It was asked.
    Asked(Reply),
    /// The host has provided its answer.
    Before(Manifest),
}

/// A list of a server.
#[derive(Debug, Clone, Copy)]
enum What {
    Tools,
    Prompts,
}

impl Supervisor {
    /// Opens the way to a server in the host.
    pub(crate) fn open_in_host(&self, peer: Arc<Peer>) -> Client {
        let link = HostLink::new(self.shared.host.clone(), self.config.name.clone(), peer.clone());
        Client { peer, link: Link::Host(link) }
    }

    /// Opens the way to a server.
    fn open(&self, peer: Arc<Peer>) -> Result<Client, ConnectError> {
        let link = match &self.config.route {
            Route::Host => return Ok(self.open_in_host(peer)),
            Route::Program { command, arguments, variables } => {
                let program = self.program(command, arguments, variables);
                let failed = |error| ConnectError::Failed(format!("{command} can't be started: {error}"));
                Link::Process(ProcessLink::open(&program, peer.clone()).map_err(failed)?)
            }
            Route::Http { url, headers } => {
                Link::Http(HttpLink::new(Web::new(url, headers, &self.shared.proxy)?, peer.clone()))
            }
            Route::Sse { url, headers } => {
                Link::Sse(SseLink::open(Web::new(url, headers, &self.shared.proxy)?, peer.clone()))
            }
            Route::Wrong(problem) => return Err(ConnectError::Failed(problem.clone())),
        };
        Ok(Client { peer, link })
    }

    fn program(&self, command: &str, arguments: &[String], variables: &[(String, String)]) -> Program {
        let mut environment = (*self.shared.environment).clone();
        let project = environment.cwd.to_string_lossy().into_owned();
        environment.extend([("CLAUDE_PROJECT_DIR".to_owned(), project)]);
        environment.extend(variables.iter().cloned());
        let words = std::iter::once(command).chain(arguments.iter().map(String::as_str));
        Program {
            command: words.map(Into::into).collect(),
            guard: environment.guard,
            cwd: environment.cwd,
            variables: environment.variables,
        }
    }

    /// Connects to a server outside the host, and serves it until the connection ends.
    pub(crate) async fn run_outside(self: Arc<Self>) {
        let (peer, said) = Peer::new(0);
        match self.open(Arc::new(peer)) {
            Ok(client) => self.run(Arc::new(client), said, Introduced::NotYet).await,
            Err(error) => drop(self.state.send_replace(error.into())),
        }
    }

    /// Connects, and serves the server until the connection ends.
    pub(crate) async fn run(
        self: Arc<Self>,
        client: Arc<Client>,
        said: mpsc::Receiver<Said>,
        introduced: Introduced,
    ) {
        let questions = Arc::new(Questions::default());
        let hearing = self.hear(client.clone(), said, questions.clone());
        tokio::pin!(hearing);
        // A server may send a request before it reports its capabilities.
        let connected = tokio::select! {
            connected = self.connect(client.clone(), introduced, questions) => connected,
            why = &mut hearing => Err(ConnectError::Failed(why)),
        };
        match connected {
            Ok(connection) => {
                let connection = Arc::new(connection);
                self.state.send_replace(State::Connected(connection.clone()));
                client.peer.remind();
                let why = hearing.await;
                self.state.send_replace(State::Lost(connection, why));
            }
            Err(error) => {
                client.link.end().await;
                self.state.send_replace(error.into());
            }
        }
    }

    async fn connect(
        &self,
        client: Arc<Client>,
        introduced: Introduced,
        questions: Arc<Questions>,
    ) -> Result<Connection, ConnectError> {
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
        Connection::make(&self.config, client, reply, limit, questions).await
    }

    /// Handles the server's own messages; returns why they ended.
    async fn hear(
        &self,
        client: Arc<Client>,
        mut said: mpsc::Receiver<Said>,
        questions: Arc<Questions>,
    ) -> String {
        let mut serving = JoinSet::new();
        let why = loop {
            let said = tokio::select! {
                why = client.peer.lost() => break why,
                Some(said) = said.recv() => said,
                Some(_) = serving.join_next() => continue,
            };
            match said {
                Said::Asks { id, method, params } => {
                    let answer = self.answer(&questions, id.clone(), method, params);
                    let client = client.clone();
                    serving.spawn(async move {
                        let outcome = answer.await;
                        // A server that is gone needs no answer.
                        let _ = client.answer(id, outcome).await;
                    });
                }
                Said::TakesBack(id) => questions.take_back(&id),
                Said::ToolsChanged => drop(serving.spawn(self.refresh(What::Tools))),
                Said::PromptsChanged => drop(serving.spawn(self.refresh(What::Prompts))),
                Said::Elicited(elicitation_id) => {
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
    fn refresh(&self, what: What) -> impl Future<Output = ()> + Send + 'static + use<> {
        let (state, config, limit) =
            (self.state.subscribe(), self.config.clone(), self.shared.limits.connect);
        async move {
            let connection = match &*state.borrow() {
                State::Connected(connection) => connection.clone(),
                _ => return,
            };
            match what {
                What::Tools => {
                    let _ = connection.list_tools(&config, limit).await;
                    connection.client.peer.refreshed();
                }
                What::Prompts => {
                    let _ = connection.list_prompts(&config, limit).await;
                }
            }
        }
    }

    /// What a request of the server is answered. A server in the host has the host to ask.
    fn answer(
        &self,
        questions: &Arc<Questions>,
        id: McpId<'static>,
        method: String,
        params: Raw<'static>,
    ) -> impl Future<Output = Result<Raw<'static>, Refusal>> + Send + 'static + use<> {
        let (shared, questions) = (self.shared.clone(), questions.clone());
        let (name, is_in_host) = (self.config.name.clone(), self.config.route == Route::Host);
        async move {
            match method.as_str() {
                "ping" => Ok(Raw::from(&json!({}))),
                "roots/list" if !is_in_host => Ok(shared.roots()),
                "elicitation/create" if !is_in_host => Ok(questions.ask(&shared, &name, id, &params).await),
                _ => Err(Refusal { code: METHOD_NOT_FOUND, message: "Method not found".to_owned() }),
            }
        }
    }
}
