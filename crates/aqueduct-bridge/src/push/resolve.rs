use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;

use aqueduct_os::address::is_public;

use super::EndpointError;

/// How many names are looked up at once. The system does it on threads that others need too, and a name whose server is
/// silent holds one for long.
const LOOKUPS: usize = 4;

/// Looks names up, and knows no private addresses.
pub(super) struct PublicResolver {
    lookups: Arc<Semaphore>,
    loopback: bool,
}

impl PublicResolver {
    pub(super) fn new(loopback: bool) -> Self {
        PublicResolver { lookups: Arc::new(Semaphore::new(LOOKUPS)), loopback }
    }
}

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (lookups, loopback) = (Arc::clone(&self.lookups), self.loopback);
        Box::pin(async move {
            let permit = lookups.acquire_owned().await?;
            let looked = tokio::task::spawn_blocking(move || {
                // The slot is free when the system is done with it, not when the caller stops waiting.
                let _permit = permit;
                (name.as_str(), 0).to_socket_addrs().map(Iterator::collect)
            });
            let found: Vec<SocketAddr> = looked.await??;
            let is_good =
                |address: &SocketAddr| is_public(address.ip()) || (loopback && address.ip().is_loopback());
            let good: Vec<SocketAddr> = found.into_iter().filter(is_good).collect();
            match good.is_empty() {
                true => Err(EndpointError::Private.into()),
                false => Ok(Box::new(good.into_iter()) as Addrs),
            }
        })
    }
}
