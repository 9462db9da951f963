//! The arguments that this program passes to itself between guard and shell.

/// Bubblewrap is run next.
pub(super) const WRAP: &str = "wrap";
/// The shell is run next.
pub(super) const CONFINE: &str = "confine";
/// Ends the words of one of them.
pub(super) const END: &str = "--";

/// The network is the command's own, so it may have sockets there.
pub(super) const NETWORK: &str = "--network";
/// It may have Unix sockets.
pub(super) const UNIX: &str = "--unix-sockets";
/// It reaches hosts by a proxy; which hosts of its own it reaches without.
pub(super) const PROXY: &str = "--proxy";
/// Files are held by Landlock.
pub(super) const LANDLOCK: &str = "--landlock";
/// A path that it may change, by Landlock.
pub(super) const WRITE: &str = "--write";
/// A path that it may not read, by Landlock.
pub(super) const HIDE: &str = "--hide";
