use std::time::Duration;

/// How long things may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pace {
    /// A TLS handshake, and the head of a request.
    pub head: Duration,
    /// Between two requests of a connection.
    pub idle: Duration,
    /// Between two pieces of a request's body.
    pub body: Duration,
    /// A client that takes nothing for so long is not waited for.
    pub stall: Duration,
    /// How often a WebSocket is asked whether it is there.
    pub ping: Duration,
    /// How often a stream of events says that it is there.
    pub keep_alive: Duration,
    /// What a client has left to take when a connection ends.
    pub farewell: Duration,
    /// What is going on when the server shuts down may take this long to end.
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
            farewell: Duration::from_secs(2),
            shutdown: Duration::from_secs(10),
        }
    }
}
