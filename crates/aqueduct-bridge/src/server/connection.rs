use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::BytesMut;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use super::caller::Caller;
use super::head::{HEAD_BYTES, HEAD_LINES, HeadFault};
use super::response::{self, HttpResponse};
use super::stream::ConnectionStream;
use super::websocket;
use super::wire::{ConnectionFault, Wire};
use crate::Failure;
use crate::failures::{FailureKind, FailureSubject};
use crate::message::ErrorCode;

/// How much is read from a client that still sends after it was refused.
const DRAINED: usize = 256 * 1024;

/// How a connection comes to its end.
enum ConnectionOutcome {
    /// One of the two sides was done.
    Done,
    /// Its slot was given to another connection.
    Displaced,
}

/// Serves a connection until it ends.
pub(super) async fn serve(stream: ConnectionStream, caller: Caller) {
    let server = caller.server.clone();
    let pace = &server.options.pace;
    let place = caller.place.clone();
    let peer = caller.peer;
    let client = caller.client.clone();
    let has_asked = caller.has_asked.clone();
    let service = service_fn(move |request: Request<Incoming>| answer(caller.clone(), request));
    let wire = TokioIo::new(Wire::new(stream, pace));
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(pace.idle)
        .max_headers(HEAD_LINES)
        .max_buf_size(2 * HEAD_BYTES)
        .serve_connection(wire, service);
    let mut stops = false;
    let outcome = loop {
        tokio::select! {
            biased;
            // What is wrong is known by the wire, and all that can be done is to end.
            _ = poll_fn(|cx| connection.poll_without_shutdown(cx)) => break ConnectionOutcome::Done,
            () = place.lost() => break ConnectionOutcome::Displaced,
            () = server.stop.cancelled(), if !stops => {
                if !has_asked.load(Ordering::Relaxed) {
                    // The parser would wait for a first request as long as that may take.
                    break ConnectionOutcome::Done;
                }
                stops = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    let parts = connection.into_parts();
    let (stream, fault) = parts.io.into_inner().into_parts();
    // A connection that was upgraded continues as a WebSocket.
    let client = client.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let (Some(client), None, ConnectionOutcome::Done) = (client, fault, &outcome) {
        return websocket::run(stream, parts.read_buf, client, &server).await;
    }
    let response = match (fault, outcome) {
        (Some(fault), _) => {
            server.tally.malformed.add(1);
            let kind = match fault {
                ConnectionFault::NotReading => FailureKind::SlowClient,
                ConnectionFault::Head(_) | ConnectionFault::SlowHead => FailureKind::MalformedRequest,
            };
            server.hub.failures().report(kind, FailureSubject::Peer(peer), fault);
            error_response(fault)
        }
        (None, ConnectionOutcome::Displaced) => {
            server.tally.turned_away.add(1);
            let why = "its slot was given to a newer one";
            server.hub.failures().report(FailureKind::TooManyConnections, FailureSubject::Peer(peer), why);
            Some(too_many())
        }
        (None, ConnectionOutcome::Done) => None,
    };
    end(stream, response, pace.closing).await;
}

/// hyper wants a future that can be moved.
fn answer(
    caller: Caller,
    request: Request<Incoming>,
) -> Pin<Box<dyn Future<Output = Result<HttpResponse, Infallible>> + Send>> {
    Box::pin(async move { Ok(caller.answer(request).await) })
}

/// The error for a client whose connection ends because of it.
fn error_response(fault: ConnectionFault) -> Option<Vec<u8>> {
    let (status, message) = match fault {
        ConnectionFault::Head(HeadFault::TooLarge) => (431, HeadFault::TooLarge.to_string()),
        ConnectionFault::Head(fault) => (400, fault.to_string()),
        ConnectionFault::SlowHead => (408, fault.to_string()),
        ConnectionFault::NotReading => return None,
    };
    Some(response::raw(status, &Failure::new(ErrorCode::InvalidMessage, message)))
}

/// The error for a client for which no slot is free.
pub(super) fn too_many() -> Vec<u8> {
    response::raw(
        503,
        &Failure::new(ErrorCode::Unavailable, "too many connections are open").clause("try again later"),
    )
}

/// Ends a connection so that the client receives the last bytes, also if it is still sending: a connection
/// that is closed with unread input discards output that was not yet received.
async fn end(mut stream: ConnectionStream, response: Option<Vec<u8>>, time: Duration) {
    let closing = async {
        if let Some(words) = response {
            stream.write_all(&words).await?;
        }
        stream.shutdown().await?;
        let mut unread = BytesMut::new();
        let mut left = DRAINED;
        while left > 0 {
            unread.clear();
            match stream.read_buf(&mut unread).await? {
                0 => break,
                count => left = left.saturating_sub(count),
            }
        }
        std::io::Result::Ok(())
    };
    // A client that does not read does not receive it.
    let _ = timeout(time, closing).await;
}
