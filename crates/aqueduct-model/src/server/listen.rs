//! Connections.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::answer::answer;
use super::log::RequestLog;
use crate::script::Scripted;

/// How many connections there are at a time. Others wait to be accepted.
const MAX_CONNECTIONS: usize = 256;

/// How long it is waited before accepting again when the system is out of something.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A Messages API.
#[derive(Debug, Clone)]
pub struct ScriptedServer {
    scripted: Scripted,
    log: Option<RequestLog>,
}

/// Serves the scripted model on a socket until `shutdown` is done. Connections end with it.
pub async fn serve(listener: TcpListener, scripted: Scripted, shutdown: impl Future<Output = ()>) {
    ScriptedServer::new(scripted).serve(listener, shutdown).await;
}

impl ScriptedServer {
    /// A server of the scripted model.
    pub fn new(scripted: Scripted) -> Self {
        ScriptedServer { scripted, log: None }
    }

    /// The same server, which gives each request to `log` as a line of JSON. Keys are left out.
    #[must_use]
    pub fn with_log(self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        ScriptedServer { log: Some(RequestLog(Arc::new(log))), ..self }
    }

    /// Serves until `shutdown` is done. Connections end with it.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let mut shutdown = std::pin::pin!(shutdown);
        let mut connections = JoinSet::new();
        let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        loop {
            tokio::select! {
                () = &mut shutdown => break,
                (place, accepted) = async {
                    let place = places.clone().acquire_owned().await;
                    (place, listener.accept().await)
                } => match accepted {
                    Ok((stream, _)) => {
                        let server = self.clone();
                        connections.spawn(async move {
                            server.connection(stream).await;
                            drop(place);
                        });
                    }
                    // The other side went away, or there are too many files open: neither lasts.
                    Err(_) => sleep(ACCEPT_PAUSE).await,
                },
                Some(_) = connections.join_next() => {}
            }
        }
        connections.shutdown().await;
    }

    async fn connection(&self, stream: TcpStream) {
        let _: io::Result<()> = stream.set_nodelay(true);
        let service = service_fn(|request| async {
            Ok::<_, Infallible>(answer(request, &self.scripted, self.log.as_ref()).await)
        });
        let connection =
            http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service);
        // A connection that broke is the other side's business.
        let _ = connection.await;
    }
}
