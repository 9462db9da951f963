use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// Where a connection comes from, as far as tries are counted: an address, or for IPv6 the network of a subscriber,
/// who has all addresses of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Peer {
    /// Over a network.
    Address(IpAddr),
    /// Over a Unix socket.
    Local,
}

impl Peer {
    /// The peer with this address.
    pub fn of(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Peer::Address(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
            }
            address => Peer::Address(address),
        }
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Peer::Address(IpAddr::V6(network)) => write!(f, "{network}/64"),
            Peer::Address(address) => write!(f, "{address}"),
            Peer::Local => f.write_str("a local socket"),
        }
    }
}
