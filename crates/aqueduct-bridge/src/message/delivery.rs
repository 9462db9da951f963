/// Who gets a message of the bridge, and whether it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// Kept in the session's sequence. Every client that watches the session gets it once, in order, however
    /// late it comes.
    Stored,
    /// To the clients that watch the session now. It is not stored: its content is in a stored message later,
    /// or in `subscribed`.
    Live,
    /// To every client. It is not kept.
    Notice,
    /// To the client that asked, or that the connection belongs to.
    Reply,
}

impl Delivery {
    /// The word for it in the docs.
    pub fn as_str(self) -> &'static str {
        match self {
            Delivery::Stored => "stored",
            Delivery::Live => "live",
            Delivery::Notice => "notice",
            Delivery::Reply => "reply",
        }
    }
}
