//! The scripted model as a Messages API on a socket.
