//! What a command prints, as it comes.

use std::io;
use std::os::fd::OwnedFd;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

use crate::stdio;

/// How much is read at once.
const READ: usize = 64 * 1024;
/// How much can still be in a pipe when its writer has ended: the most that Linux lets a user put there.
const IN_PIPE: usize = 1024 * 1024;

/// The end of a pipe that is read here.
#[derive(Debug)]
pub struct OutputPipe {
    /// None after everyone has closed the other end.
    reader: Option<Receiver>,
    buffer: Box<[u8]>,
}

impl OutputPipe {
    /// A pipe, and its other end.
    pub fn new() -> io::Result<(OutputPipe, OwnedFd)> {
        let (reader, writer) = io::pipe()?;
        let reader = Receiver::from_owned_fd(reader.into())?;
        Ok((OutputPipe { reader: Some(reader), buffer: vec![0; READ].into() }, writer.into()))
    }

    /// Reads what is there; waits forever once no writer is left.
    ///
    /// Nothing is lost when the future is dropped before.
    pub async fn read(&mut self) -> &[u8] {
        if let Some(reader) = &mut self.reader {
            match reader.read(&mut self.buffer).await {
                Ok(count) if count > 0 => return &self.buffer[..count],
                Ok(_) | Err(_) => self.reader = None,
            }
        }
        std::future::pending().await
    }

    /// Takes what is in the pipe now.
    pub fn drain(&mut self, mut take: impl FnMut(&[u8])) {
        let Some(reader) = &self.reader else { return };
        let mut taken = 0;
        // Someone who still runs may print faster than this; what the command printed comes first.
        while taken < IN_PIPE {
            // The runtime may not know yet that there is something, so the system is asked.
            match stdio::read(reader, &mut self.buffer[..]) {
                Ok(count) if count > 0 => {
                    taken += count;
                    take(&self.buffer[..count]);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => return,
            }
        }
    }
}
