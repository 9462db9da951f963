//! Connections to an agent: a child process, a Unix socket, a pipe in memory.
//!
//! | file | contents |
//! |---|---|
//! | `child.rs`, `process.rs`, `stderr.rs` | a program to start; the running process and its end; the end of its stderr |
//! | `ladder.rs` | the steps that end it |
//! | `watcher.rs` | a shell that ends the group if this process dies |
//! | `pipe.rs` | two streams that one session can use |
//! | `mark.rs` | finds processes that left the group |

mod child;
mod ladder;
mod mark;
mod pipe;
mod process;
mod stderr;
mod watcher;

pub use child::Child;
pub use ladder::Ladder;
pub use pipe::OpenPipe;
pub(crate) use process::StartedProcess;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;

use crate::Error;

/// The agent's output.
pub(crate) type AgentReader = Box<dyn AsyncRead + Send + Unpin>;

/// The agent's input.
pub(crate) type AgentWriter = Box<dyn AsyncWrite + Send + Unpin>;

/// Where the agent is.
///
/// ```
/// use aqueduct_client::{Session, Transport};
/// use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // An agent for tests: it reads one prompt and sends one answer.
/// let (ours, theirs) = tokio::io::duplex(4096);
/// let agent = tokio::spawn(async move {
///     let mut agent = BufReader::new(theirs);
///     let mut prompt = String::new();
///     agent.read_line(&mut prompt).await?;
///     agent.write_all(b"{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"Hi!\"}\n").await?;
///     std::io::Result::Ok(prompt)
/// });
/// let builder = Session::builder().transport(Transport::pipe(ours)).without_initialize();
/// let outcome = builder.query("Say hello.").await?;
/// assert_eq!(outcome.report().map(|report| report.text()), Some("Hi!"));
/// assert!(agent.await??.contains("Say hello."));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Transport {
    /// A program that is started, with the arguments of the session's options.
    #[default]
    Child,
    /// A Unix socket behind which an agent already runs.
    Socket(PathBuf),
    /// Any two streams of bytes: a pipe in memory, a connection made elsewhere. See [`Transport::pipe`].
    Pipe(OpenPipe),
}

impl Transport {
    /// A pipe over one stream that goes both ways, such as one end of [`tokio::io::duplex`].
    pub fn pipe(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        let (output, input) = tokio::io::split(stream);
        Transport::streams(output, input)
    }

    /// A pipe over two streams: the agent's output is read from the first, its input is written to the second.
    ///
    /// ```
    /// use aqueduct_client::{Session, Transport};
    ///
    /// let builder = Session::builder().transport(Transport::streams(tokio::io::empty(), tokio::io::sink()));
    /// ```
    pub fn streams(
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Transport::Pipe(OpenPipe::new(Box::new(output), Box::new(input)))
    }
}

/// An open way to an agent.
pub(crate) struct AgentConnection {
    pub(crate) output: AgentReader,
    pub(crate) input: AgentWriter,
    /// The process, where there is one to end.
    pub(crate) process: Option<StartedProcess>,
}

impl AgentConnection {
    /// Opens the way. `child` is what to start where that is the way.
    pub(crate) async fn open(transport: Transport, child: Child) -> Result<Self, Error> {
        match transport {
            Transport::Child => child.spawn().await,
            Transport::Socket(path) => match UnixStream::connect(&path).await {
                Ok(stream) => {
                    let (output, input) = stream.into_split();
                    Ok(AgentConnection { output: Box::new(output), input: Box::new(input), process: None })
                }
                Err(reason) => Err(Error::Connect { path, reason: Arc::new(reason) }),
            },
            Transport::Pipe(pipe) => {
                let (output, input) = pipe.take()?;
                Ok(AgentConnection { output, input, process: None })
            }
        }
    }
}
