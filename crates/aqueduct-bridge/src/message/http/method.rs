/// A method of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Does something, or adds something.
    Post,
    /// Puts something in place of what was there.
    Put,
    /// Takes something away.
    Delete,
}

impl Method {
    /// As HTTP writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
        }
    }

    /// Whether members of the message are in the query and not in a body.
    pub fn has_query(self) -> bool {
        matches!(self, Method::Get | Method::Delete)
    }
}
