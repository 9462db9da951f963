use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode as WireCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes, WebSocket};

use crate::message::CloseCode;
use crate::outbox::SharedText;

/// How much may wait to be written before nothing more is read or sent.
const WAITING: usize = 64 * 1024;

/// What the codec takes at once.
const READ_BUFFER: usize = 2048;

/// The longest head of a frame that a server sends.
const LONGEST_HEAD: usize = 10;

/// A text of this size is not copied into what waits: all clients share it.
const LARGE: usize = 32 * 1024;

/// Frames and messages of a WebSocket, without the connection: bytes are put in and taken out.
///
/// The reader and the writer share it. The lock is held for short times only, never across an await.
pub(super) struct WebSocketLink {
    state: Mutex<LinkState>,
}

struct LinkState {
    codec: WebSocket<LinkBuffers>,
    last_received: Instant,
}

/// What was read and is not understood yet, and what is to be written.
#[derive(Default)]
struct LinkBuffers {
    input: BytesMut,
    output: LinkOutput,
}

/// What waits to be written: pieces, and what comes behind them.
#[derive(Default)]
struct LinkOutput {
    pieces: VecDeque<Bytes>,
    rest: BytesMut,
    /// How much the pieces have.
    bytes: usize,
}

impl LinkOutput {
    fn len(&self) -> usize {
        self.bytes + self.rest.len()
    }

    /// Puts a piece in that is not copied.
    fn push(&mut self, piece: Bytes) {
        let rest = std::mem::take(&mut self.rest).freeze();
        self.bytes += rest.len() + piece.len();
        self.pieces.extend([rest, piece]);
    }

    fn take(&mut self) -> impl Iterator<Item = Bytes> {
        let rest = std::mem::take(&mut self.rest).freeze();
        let pieces = std::mem::take(self).pieces.into_iter().chain([rest]);
        pieces.filter(|piece| !piece.is_empty())
    }
}

/// A message of a client.
pub(super) enum ReceivedFrame {
    /// A message.
    Text(Utf8Bytes),
    /// A request that was answered here.
    Aside,
    /// Nothing more: further bytes are needed.
    Nothing,
    /// Nothing more at all.
    End(LinkEnding),
}

/// Why a WebSocket ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkEnding {
    /// We close it.
    Close(CloseCode),
    /// The client broke the rules of WebSockets.
    Broken(WireCode),
    /// The client closed it.
    Closed,
    /// The connection is gone.
    Gone,
}

impl WebSocketLink {
    pub(super) fn new(early: Bytes, limit: usize) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_message_size(Some(limit))
            .max_frame_size(Some(limit));
        let pipe = LinkBuffers { input: early.into(), output: LinkOutput::default() };
        let codec = WebSocket::from_raw_socket(pipe, Role::Server, Some(config));
        WebSocketLink { state: Mutex::new(LinkState { codec, last_received: Instant::now() }) }
    }

    /// Bytes came from the client.
    pub(super) fn feed(&self, bytes: &[u8]) {
        let mut state = self.state();
        state.last_received = Instant::now();
        state.codec.get_mut().input.extend_from_slice(bytes);
    }

    /// The client's next message.
    pub(super) fn read(&self) -> ReceivedFrame {
        let mut state = self.state();
        let message = state.codec.read();
        // What is answered to it waits to be written.
        let _ = state.codec.flush();
        match message {
            Ok(Message::Text(text)) => ReceivedFrame::Text(text),
            Ok(Message::Binary(_)) => ReceivedFrame::End(LinkEnding::Close(CloseCode::NotText)),
            Ok(Message::Close(_)) => ReceivedFrame::End(LinkEnding::Closed),
            Ok(_) => ReceivedFrame::Aside,
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => ReceivedFrame::Nothing,
            Err(Error::Capacity(_)) => ReceivedFrame::End(LinkEnding::Close(CloseCode::TooLarge)),
            Err(Error::Utf8(_)) => ReceivedFrame::End(LinkEnding::Broken(WireCode::Invalid)),
            Err(Error::Protocol(_)) => ReceivedFrame::End(LinkEnding::Broken(WireCode::Protocol)),
            Err(_) => ReceivedFrame::End(LinkEnding::Gone),
        }
    }

    /// Queues a message for the client.
    ///
    /// A frame of a server is the text behind its length. It is put together here, because the codec would keep a
    /// buffer as large as the largest message for each client.
    pub(super) fn send(&self, text: &SharedText) -> Result<(), LinkEnding> {
        const WHOLE_TEXT: u8 = 0x81;
        let mut state = self.state();
        if !state.codec.can_write() {
            return Err(LinkEnding::Closed);
        }
        let output = &mut state.codec.get_mut().output;
        let [body, place] = text.parts();
        let is_large = body.len() >= LARGE;
        let rest = &mut output.rest;
        rest.reserve(LONGEST_HEAD + if is_large { 0 } else { text.len() });
        rest.put_u8(WHOLE_TEXT);
        match (u8::try_from(text.len()), u16::try_from(text.len())) {
            (Ok(short), _) if short < 126 => rest.put_u8(short),
            (_, Ok(medium)) => {
                rest.put_u8(126);
                rest.put_u16(medium);
            }
            _ => {
                rest.put_u8(127);
                rest.put_u64(text.len() as u64);
            }
        }
        match is_large {
            true => output.push(text.shared_body()),
            false => rest.put_slice(body.as_bytes()),
        }
        output.rest.put_slice(place.as_bytes());
        Ok(())
    }

    /// Asks the client whether it is there.
    pub(super) fn ping(&self) -> Result<(), LinkEnding> {
        let mut state = self.state();
        state.codec.send(Message::Ping(Bytes::new())).map_err(|_| LinkEnding::Closed)
    }

    /// Sends the reason for the end.
    pub(super) fn close(&self, ending: LinkEnding) {
        let code = match ending {
            LinkEnding::Close(code) => WireCode::from(code as u16),
            LinkEnding::Broken(code) => code,
            LinkEnding::Closed | LinkEnding::Gone => return,
        };
        let mut state = self.state();
        // It fails only if it is closed already.
        let _ = state.codec.close(Some(CloseFrame { code, reason: Utf8Bytes::default() }));
        let _ = state.codec.flush();
    }

    /// Moves what waits to be written behind what is being written.
    pub(super) fn take(&self, pending: &mut VecDeque<Bytes>) {
        pending.extend(self.state().codec.get_mut().output.take());
    }

    /// Whether more may wait to be written.
    pub(super) fn has_room(&self) -> bool {
        self.state().codec.get_ref().output.len() < WAITING
    }

    /// How long nothing has come from the client.
    pub(super) fn silence(&self) -> Duration {
        self.state().last_received.elapsed()
    }

    fn state(&self) -> MutexGuard<'_, LinkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl io::Read for LinkBuffers {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.input.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let count = self.input.len().min(buffer.len());
        self.input.copy_to_slice(&mut buffer[..count]);
        Ok(count)
    }
}

impl io::Write for LinkBuffers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.rest.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
