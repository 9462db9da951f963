use std::time::Duration;

/// Timeouts of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pace {
    /// A TLS handshake, and the head of a request.
    pub head: Duration,
    /// Between two requests of a connection.
    pub idle: Duration,
    /// Between two pieces of a request's body.
    pub body: Duration,
    /// How long a client may read nothing before it is disconnected.
    pub stall: Duration,
    /// The interval of WebSocket pings.
    pub ping: Duration,
    /// The interval of keep-alive comments in event streams.
    pub keep_alive: Duration,
    /// How long a client may take to read the rest when a connection closes.
    pub closing: Duration,
    /// How long requests in progress may take at shutdown.
    pub shutdown: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            body: Duration::from_secs(30),
            stall: Duration::from_secs(60),
            ping: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            closing: Duration::from_secs(2),
            shutdown: Duration::from_secs(10),
        }
    }
}
