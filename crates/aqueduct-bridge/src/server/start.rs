use std::fmt::Display;
use std::io;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use aqueduct_os::socket::InheritedListener;
use aqueduct_os::user::effective_id;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::bind::{AcceptedConnection, BoundListener};
use super::caller::Caller;
use super::connection;
use super::connection_limit::{ConnectionLimit, ConnectionSlot};
use super::metrics::Tally;
use super::state::ServerState;
use super::stream::ConnectionStream;
use super::{Listen, ServerOptions, ServerStartError, Tls};
use crate::auth::{ConnectionInfo, OriginPolicy, Peer};
use crate::failures::{FailureKind, FailureSubject};
use crate::hub::Hub;

/// Connections of the person whose bridge it is. They do not count among the others, so that there is always room.
const OWNERS: usize = 16;

/// How long to wait when the system has no room for a further connection.
const NO_ROOM: Duration = Duration::from_millis(50);

/// After how long without an error a listener that could not accept connections counts as one that can.
const QUIET: Duration = Duration::from_secs(1);

/// The server. It ends when it is dropped, at once; [`Server::shutdown`] ends it well.
pub struct Server {
    places: Vec<Listen>,
    stop: CancellationToken,
    listeners: JoinSet<()>,
    shutdown: Duration,
}

/// A listener and how its connections are served.
#[derive(Clone)]
struct ListenerService {
    server: Arc<ServerState>,
    connection_limit: Arc<ConnectionLimit>,
    tls: Option<Tls>,
    is_owners: bool,
}

/// A server that is bound and serves no client yet: connections wait. So an address in use is known before
/// anything else is begun.
pub struct ReservedServer {
    options: ServerOptions,
    bound: Vec<BoundListener>,
    admin: Option<BoundListener>,
}

impl ReservedServer {
    /// Also serves a socket that the service manager listens on. It becomes the first place.
    pub fn take_over(
        mut self,
        listener: InheritedListener,
        place: Listen,
    ) -> Result<ReservedServer, ServerStartError> {
        self.bound.insert(0, BoundListener::inherited(listener, &place)?);
        self.options.listen.insert(0, place);
        Ok(self)
    }

    /// Begins to serve.
    pub fn serve(self, hub: Hub) -> Server {
        let ReservedServer { options, bound, admin } = self;
        let stop = CancellationToken::new();
        let places =
            bound.iter().zip(&options.listen).map(|(bound, given)| bound.place().unwrap_or(given.clone()));
        let places: Vec<Listen> = places.collect();
        let address = options.address.clone().unwrap_or_else(|| address(&places, options.tls.is_some()));
        hub.auth().limit_automation(options.automation_scope);
        hub.auth().configure(options.automation.as_ref(), address);
        let shutdown = options.pace.shutdown;
        let connection_limit = ConnectionLimit::new(options.connections);
        let server = Arc::new(ServerState {
            origin_policy: OriginPolicy::new(options.hosts.clone()),
            connection_limit: Arc::clone(&connection_limit),
            tally: Tally::default(),
            stop: stop.clone(),
            openapi: OnceLock::new(),
            hub,
            options,
        });
        let mut listeners = JoinSet::new();
        for listener in bound {
            let tls = match &listener {
                BoundListener::Tcp(_) => server.options.tls.clone(),
                BoundListener::Unix(..) => None,
            };
            let service = ListenerService {
                server: Arc::clone(&server),
                connection_limit: Arc::clone(&connection_limit),
                tls,
                is_owners: false,
            };
            listeners.spawn(service.open(listener));
        }
        if let Some(listener) = admin {
            let service = ListenerService {
                server,
                connection_limit: ConnectionLimit::new(OWNERS),
                tls: None,
                is_owners: true,
            };
            listeners.spawn(service.open(listener));
        }
        Server { places, stop, listeners, shutdown }
    }
}

impl Server {
    /// Listens on all places, for a bridge that is still to be opened.
    pub fn reserve(options: ServerOptions) -> Result<ReservedServer, ServerStartError> {
        let bound = options.listen.iter().map(BoundListener::new).collect::<Result<_, _>>()?;
        let admin =
            options.admin.as_ref().map(|path| BoundListener::new(&Listen::Unix(path.clone()))).transpose()?;
        Ok(ReservedServer { options, bound, admin })
    }

    /// Begins to serve. All places are listened on when this returns.
    pub fn start(hub: Hub, options: ServerOptions) -> Result<Self, ServerStartError> {
        Ok(Server::reserve(options)?.serve(hub))
    }

    /// Where it listens, with the ports that the system chose, in the order in which they were given.
    pub fn places(&self) -> &[Listen] {
        &self.places
    }

    /// Takes no more connections, ends WebSockets and streams, finishes requests, and returns when all are gone or
    /// the time for it is over.
    pub async fn shutdown(mut self) {
        self.stop.cancel();
        let ended = async { while self.listeners.join_next().await.is_some() {} };
        // The others end with the server.
        let _ = timeout(self.shutdown, ended).await;
    }
}

impl ListenerService {
    /// Takes connections until the server stops, and then waits for those that are there.
    async fn open(self, listener: BoundListener) {
        let mut connections = JoinSet::new();
        let mut is_failing = false;
        loop {
            tokio::select! {
                accepted = listener.accept() => {
                    let fails = accepted.as_ref().is_err_and(|error| !is_passing(error));
                    self.note_health(&mut is_failing, fails);
                    match accepted {
                        Ok(accepted) => self.take(accepted, &mut connections),
                        Err(error) => self.no_connection(&error).await,
                    }
                },
                // No client waits any more that could not be accepted.
                () = sleep(QUIET), if is_failing => self.note_health(&mut is_failing, false),
                _ = connections.join_next(), if !connections.is_empty() => {}
                () = self.server.stop.cancelled() => break,
            }
        }
        drop(listener);
        self.note_health(&mut is_failing, false);
        while connections.join_next().await.is_some() {}
    }

    /// Reports that the listener can't accept connections, or can again.
    fn note_health(&self, is_failing: &mut bool, fails: bool) {
        match (std::mem::replace(is_failing, fails), fails) {
            (false, true) => self.server.hub.readiness_state().listener_fails(),
            (true, false) => self.server.hub.readiness_state().listener_recovers(),
            _ => {}
        }
    }

    fn peer(accepted: &AcceptedConnection) -> Peer {
        accepted.addresses.map_or(Peer::Local, |(peer, _)| Peer::of(peer.ip()))
    }

    fn take(&self, accepted: AcceptedConnection, connections: &mut JoinSet<()>) {
        if self.is_owners && !is_ours(&accepted.stream) {
            let peer = FailureSubject::Peer(Peer::Local);
            self.server.hub.failures().report(FailureKind::AdminSocket, peer, "another user id");
            return;
        }
        match self.connection_limit.connect() {
            Some(place) => {
                self.server.tally.connections.add(1);
                connections.spawn(self.clone().serve(accepted, place));
            }
            None => {
                self.server.tally.turned_away.add(1);
                let peer = FailureSubject::Peer(ListenerService::peer(&accepted));
                let open = format_args!("{} are open", self.connection_limit.count());
                self.server.hub.failures().report(FailureKind::TooManyConnections, peer, open);
                // A new socket has room for this; it does not block.
                if let ConnectionStream::Tcp(stream) = &accepted.stream
                    && self.tls.is_none()
                {
                    let _ = stream.try_write(&connection::too_many());
                }
            }
        }
    }

    async fn serve(self, accepted: AcceptedConnection, place: ConnectionSlot) {
        let peer = ListenerService::peer(&accepted);
        let AcceptedConnection { stream, addresses } = accepted;
        let head = self.server.options.pace.head;
        let (stream, secure) = match (stream, &self.tls) {
            (ConnectionStream::Tcp(stream), Some(tls)) => {
                let greeted = tokio::select! {
                    greeted = timeout(head, tls.acceptor().accept(stream)) => greeted,
                    () = place.lost() => return,
                    () = self.server.stop.cancelled() => return,
                };
                match greeted {
                    Ok(Ok(stream)) => (ConnectionStream::Tls(Box::new(stream)), true),
                    // A client without TLS, or one that is too slow, receives no error.
                    Ok(Err(error)) => return self.no_tls(peer, &error),
                    Err(_) => return self.no_tls(peer, &"it took too long"),
                }
            }
            (stream, _) => (stream, false),
        };
        let caller = Caller {
            peer,
            connection: ConnectionInfo { local: addresses.map(|(_, local)| local), secure },
            is_owner: self.is_owners,
            place: Arc::new(place),
            has_asked: Arc::default(),
            client: Arc::new(Mutex::new(None)),
            server: self.server,
        };
        connection::serve(stream, caller).await;
    }

    fn no_tls(&self, peer: Peer, why: &dyn Display) {
        self.server.tally.malformed.add(1);
        self.server.hub.failures().report(FailureKind::TlsHandshake, FailureSubject::Peer(peer), why);
    }

    /// The system could not accept a connection. If it has no resources for one, that may take a while.
    async fn no_connection(&self, error: &io::Error) {
        if !is_passing(error) {
            self.server.hub.failures().report(FailureKind::Accept, FailureSubject::Bridge, error);
            sleep(NO_ROOM).await;
        }
    }
}

/// Whether only one connection failed, and not the listener.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}

/// Where a browser on this machine finds the server.
fn address(places: &[Listen], has_tls: bool) -> String {
    let first = places.iter().find_map(|place| match place {
        Listen::Tcp(address) => Some(*address),
        Listen::Unix(_) => None,
    });
    let scheme = if has_tls { "https" } else { "http" };
    match first {
        Some(address) if address.ip().is_unspecified() => format!("{scheme}://localhost:{}/", address.port()),
        Some(address) => format!("{scheme}://{address}/"),
        None => "/".to_owned(),
    }
}

/// Whether the process at the other end is of our user.
fn is_ours(stream: &ConnectionStream) -> bool {
    match stream {
        ConnectionStream::Unix(stream) => stream.peer_cred().is_ok_and(|peer| peer.uid() == effective_id()),
        ConnectionStream::Tcp(_) | ConnectionStream::Tls(_) => false,
    }
}
