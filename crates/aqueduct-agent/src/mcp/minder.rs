use std::sync::Arc;

use aqueduct_wire::json::Raw;
use aqueduct_wire::mcp::McpId;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::client::Client;
use super::config::{Config, Route};
use super::connection::Connection;
use super::error::ConnectError;
use super::link::{HostLink, Link, ProcessLink, Program};
use super::manifest::Manifest;
use super::message::{METHOD_NOT_FOUND, Refusal};
use super::peer::{Peer, Reply, Said};
use super::question::Questions;
use super::shared::Shared;
use super::state::State;
use crate::tool::Notice;

/// What minds one server: connects to it, and serves what it asks until the connection ends.
#[derive(Debug)]
pub(super) struct Minder {
    pub(super) config: Config,
    pub(super) shared: Arc<Shared>,
    pub(super) state: watch::Sender<State>,
}

/// How a server introduces itself.
pub(super) enum Introduced {
    /// It was asked.
    Asked(Reply),
    /// The host has told what it would say.
    Before(Manifest),
}

impl Minder {
    /// Opens the way to the server.
    pub(super) fn open(&self, peer: Arc<Peer>) -> Result<Client, ConnectError> {
        let link = match &self.config.route {
            Route::Host => {
                let host = self.shared.host.clone();
                Link::Host(HostLink::new(host, self.config.name.clone(), peer.clone()))
            }
            Route::Program { command, arguments, variables } => {
                let program = self.program(command, arguments, variables);
                let failed = |error| ConnectError::Failed(format!("{command} can't be started: {error}"));
                Link::Process(ProcessLink::open(&program, peer.clone()).map_err(failed)?)
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

    /// Connects, and serves the server until the connection ends.
    pub(super) async fn run(
        self: Arc<Self>,
        client: Arc<Client>,
        said: mpsc::Receiver<Said>,
        introduced: Introduced,
    ) {
        let questions = Arc::new(Questions::default());
        let hearing = self.hear(client.clone(), said, questions.clone());
        tokio::pin!(hearing);
        // A server may ask something before it says what it has.
        let connected = tokio::select! {
            connected = self.connect(client.clone(), introduced, questions) => connected,
            why = &mut hearing => Err(ConnectError::Failed(why)),
        };
        match connected {
            Ok(connection) => {
                let connection = Arc::new(connection);
                self.state.send_replace(State::Connected(connection.clone()));
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
        match introduced {
            Introduced::Asked(reply) => Connection::make(&self.config, client, reply, limit, questions).await,
            Introduced::Before(manifest) => manifest.connect(&self.config, client, limit, questions).await,
        }
    }

    /// Serves what the server says by itself; gives why it says no more.
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
                Said::ToolsChanged => {
                    if let State::Connected(connection) = &*self.state.borrow() {
                        let (connection, config) = (connection.clone(), self.config.clone());
                        let limit = self.shared.limits.connect;
                        serving.spawn(async move {
                            // What can't be had now stays as it was; a call will tell.
                            let _ = connection.list_tools(&config, limit).await;
                            connection.client.peer.refreshed();
                        });
                    }
                }
                Said::PromptsChanged => (),
                Said::Elicited(elicitation_id) => {
                    let server = self.config.name.clone();
                    let notice = Notice::ElicitationComplete { server, elicitation_id };
                    // Only a session that ends does not listen.
                    let _ = self.shared.notices.send(notice).await;
                }
            }
        };
        questions.take_back_all();
        while serving.join_next().await.is_some() {}
        why
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
                "elicitation/create" if !is_in_host => {
                    Ok(questions.ask(shared.asked_host(), &name, id, &params).await)
                }
                _ => Err(Refusal { code: METHOD_NOT_FOUND, message: "Method not found".to_owned() }),
            }
        }
    }
}
