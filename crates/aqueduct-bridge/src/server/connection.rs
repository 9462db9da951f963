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

use super::answer::{self, Answer};
use super::caller::Caller;
use super::head::{HEAD_BYTES, HEAD_LINES, HeadFault};
use super::stream::Stream;
use super::websocket;
use super::wire::{Fault, Wire};
use crate::Failure;
use crate::message::ErrorCode;

/// What is read of a client that still sends while it is told that it may not.
const DRAINED: usize = 256 * 1024;

/// How a connection comes to its end.
enum Outcome {
    /// One of the two sides was done.
    Done,
    /// Its place was given to somebody else.
    Displaced,
}

/// Serves a connection until it ends.
pub(super) async fn serve(stream: Stream, caller: Caller) {
    let house = caller.house.clone();
    let pace = &house.options.pace;
    let place = caller.place.clone();
    let visit = caller.visit.clone();
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
            _ = poll_fn(|cx| connection.poll_without_shutdown(cx)) => break Outcome::Done,
            () = place.lost() => break Outcome::Displaced,
            () = house.stop.cancelled(), if !stops => {
                if !has_asked.load(Ordering::Relaxed) {
                    // The parser would wait for a first request as long as that may take.
                    break Outcome::Done;
                }
                stops = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    let parts = connection.into_parts();
    let (stream, fault) = parts.io.into_inner().into_parts();
    // Whoever became a client goes on as one.
    let visit = visit.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let (Some(visit), None, Outcome::Done) = (visit, fault, &outcome) {
        return websocket::run(stream, parts.read_buf, visit, &house).await;
    }
    let last_words = match (fault, outcome) {
        (Some(fault), _) => {
            house.tally.malformed.add(1);
            words_for(fault)
        }
        (None, Outcome::Displaced) => {
            house.tally.turned_away.add(1);
            Some(too_many())
        }
        (None, Outcome::Done) => None,
    };
    end(stream, last_words, pace.farewell).await;
}

/// hyper wants a future that can be moved.
fn answer(
    caller: Caller,
    request: Request<Incoming>,
) -> Pin<Box<dyn Future<Output = Result<Answer, Infallible>> + Send>> {
    Box::pin(async move { Ok(caller.answer(request).await) })
}

/// What a client hears whose connection ends because of it.
fn words_for(fault: Fault) -> Option<Vec<u8>> {
    let (status, message) = match fault {
        Fault::Head(HeadFault::TooLarge) => (431, HeadFault::TooLarge.to_string()),
        Fault::Head(fault) => (400, fault.to_string()),
        Fault::SlowHead => (408, "the request took too long to come".to_owned()),
        Fault::NotReading => return None,
    };
    Some(answer::raw(status, &Failure::new(ErrorCode::InvalidMessage, message)))
}

/// What somebody hears for whom there is no place.
pub(super) fn too_many() -> Vec<u8> {
    answer::raw(503, &Failure::new(ErrorCode::Unavailable, "too many connections are open: try again later"))
}

/// Ends a connection so that the client hears the last words, also if it is still sending: a connection that is closed
/// with something unread takes back what was not yet heard.
async fn end(mut stream: Stream, last_words: Option<Vec<u8>>, time: Duration) {
    let farewell = async {
        if let Some(words) = last_words {
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
    // Whoever does not listen does not hear it.
    let _ = timeout(time, farewell).await;
}
