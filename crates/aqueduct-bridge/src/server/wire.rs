use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::head::{HeadFault, HeadWatch, Phase};
use super::pace::Pace;
use super::stream::ConnectionStream;

/// Why a connection is ended from our side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ConnectionFault {
    /// A head is not as it has to be.
    #[error("{0}")]
    Head(HeadFault),
    /// A head took too long.
    #[error("the request took too long to come")]
    SlowHead,
    /// The client takes nothing of what is written.
    #[error("the client did not read what was sent to it")]
    NotReading,
}

/// A connection while HTTP is used on it: its input is checked, and neither a head that takes for ever nor a
/// client that reads nothing keeps it.
#[derive(Debug)]
pub(super) struct Wire {
    stream: ConnectionStream,
    watch: HeadWatch,
    head: Timer,
    stall: Timer,
    fault: Option<ConnectionFault>,
}

impl Wire {
    pub(super) fn new(stream: ConnectionStream, pace: &Pace) -> Self {
        let mut head = Timer::new(pace.head);
        // The first head has its time from the beginning; later ones from their first byte.
        head.start();
        Wire { stream, watch: HeadWatch::default(), head, stall: Timer::new(pace.stall), fault: None }
    }

    /// Why the connection was ended, and the connection without what was around it.
    pub(super) fn into_parts(self) -> (ConnectionStream, Option<ConnectionFault>) {
        (self.stream, self.fault)
    }

    fn fail<T>(&mut self, fault: ConnectionFault, kind: io::ErrorKind) -> Poll<io::Result<T>> {
        self.fault = Some(fault);
        Poll::Ready(Err(kind.into()))
    }

    /// Passes on how a write went, and ends the connection when none went for too long.
    fn written<T>(&mut self, cx: &mut Context<'_>, poll: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match poll {
            Poll::Pending => match self.stall.poll_over(cx) {
                true => self.fail(ConnectionFault::NotReading, io::ErrorKind::TimedOut),
                false => Poll::Pending,
            },
            ready => {
                self.stall.stop();
                ready
            }
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buf.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buf) {
            Poll::Ready(Ok(())) => {
                if let Err(fault) = this.watch.feed(&buf.filled()[before..]) {
                    // The parser never sees what is wrong.
                    buf.set_filled(before);
                    return this.fail(ConnectionFault::Head(fault), io::ErrorKind::InvalidData);
                }
                match this.watch.phase() {
                    Phase::Head => this.head.start(),
                    Phase::Idle | Phase::Body => this.head.stop(),
                }
                Poll::Ready(Ok(()))
            }
            Poll::Pending if this.head.is_running() && this.head.poll_over(cx) => {
                this.fail(ConnectionFault::SlowHead, io::ErrorKind::TimedOut)
            }
            other => other,
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let poll = Pin::new(&mut this.stream).poll_write(cx, buf);
        this.written(cx, poll)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let poll = Pin::new(&mut this.stream).poll_flush(cx);
        this.written(cx, poll)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let poll = Pin::new(&mut this.stream).poll_shutdown(cx);
        this.written(cx, poll)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let poll = Pin::new(&mut this.stream).poll_write_vectored(cx, bufs);
        this.written(cx, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// A time limit. The timer itself is created at the first wait.
#[derive(Debug)]
struct Timer {
    time: Duration,
    since: Option<Instant>,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Timer {
    fn new(time: Duration) -> Self {
        Timer { time, since: None, sleep: None }
    }

    /// It runs from now on, if it did not before.
    fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    fn stop(&mut self) {
        self.since = None;
        self.sleep = None;
    }

    fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// Whether the time is over; if not, the task is woken then.
    fn poll_over(&mut self, cx: &mut Context<'_>) -> bool {
        self.start();
        let left = self.since.map_or(self.time, |since| self.time.saturating_sub(since.elapsed()));
        let sleep = self.sleep.get_or_insert_with(|| Box::pin(sleep(left)));
        sleep.as_mut().poll(cx).is_ready()
    }
}
