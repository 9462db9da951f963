use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::Peer;

/// How many peers are remembered. When there are more, those are forgotten that have waited longest.
const PEERS: usize = 4096;

/// Counts attempts by peer, or whatever they are counted by, to limit their rate: a few at once, then one per interval.
#[derive(Debug)]
pub struct Attempts<K = Peer> {
    burst: u32,
    pause: Duration,
    peers: Mutex<HashMap<K, Instant>>,
}

impl<K: Hash + Eq> Attempts<K> {
    /// `burst` tries at once, and one more after every `pause`.
    pub fn new(burst: u32, pause: Duration) -> Self {
        Attempts { burst, pause, peers: Mutex::default() }
    }

    /// Counts an attempt. When it is one too many, the error holds the time until the next; such an attempt
    /// is not counted, so that a client that keeps trying is admitted at the same rate.
    pub fn count(&self, peer: K) -> Result<(), Duration> {
        let now = Instant::now();
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        // A peer is remembered by when it has all of its tries again.
        let full = peers.get(&peer).copied().unwrap_or(now).max(now);
        let allowed = now + self.pause * self.burst.saturating_sub(1);
        if full > allowed {
            return Err(full - allowed);
        }
        if peers.len() >= PEERS && !peers.contains_key(&peer) {
            forget(&mut peers, now);
        }
        peers.insert(peer, full + self.pause);
        Ok(())
    }
}

/// Makes room: for nothing that matters if possible, else by the half that is nearest to being forgotten.
fn forget<K>(peers: &mut HashMap<K, Instant>, now: Instant) {
    peers.retain(|_, full| *full > now);
    if peers.len() < PEERS {
        return;
    }
    let mut times: Vec<Instant> = peers.values().copied().collect();
    let (_, median, _) = times.select_nth_unstable(PEERS / 2);
    let median = *median;
    peers.retain(|_, full| *full > median);
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn peer(number: u32) -> Peer {
        Peer::of(IpAddr::V4(Ipv4Addr::from_bits(number)))
    }

    #[tokio::test(start_paused = true)]
    async fn some_at_once_and_then_one_in_a_while() {
        let attempts = Attempts::new(3, Duration::from_secs(6));
        for _ in 0..3 {
            assert_eq!(attempts.count(peer(1)), Ok(()));
        }
        assert_eq!(attempts.count(peer(1)), Err(Duration::from_secs(6)));
        assert_eq!(attempts.count(peer(2)), Ok(()), "others are not meant");
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(attempts.count(peer(1)), Err(Duration::from_secs(2)));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(attempts.count(peer(1)), Ok(()));
        assert_eq!(attempts.count(peer(1)), Err(Duration::from_secs(6)));
        tokio::time::advance(Duration::from_secs(60)).await;
        let again = (0..10).filter(|_| attempts.count(peer(1)).is_ok()).count();
        assert_eq!(again, 3);
    }

    #[tokio::test(start_paused = true)]
    async fn memory_is_bounded_and_who_tried_most_is_remembered() {
        let attempts = Attempts::new(3, Duration::from_secs(6));
        while attempts.count(peer(0)).is_ok() {}
        for number in 1..20_000 {
            attempts.count(peer(number)).unwrap();
            assert!(attempts.peers.lock().unwrap().len() <= PEERS);
        }
        assert!(attempts.count(peer(0)).is_err());
    }

    #[test]
    fn a_subscriber_is_one_peer() {
        let of = |text: &str| Peer::of(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
