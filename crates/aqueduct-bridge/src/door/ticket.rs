use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::{DoorError, Token, token};
use crate::hub::Visitor;
use crate::log::Hash;

/// How long a ticket can be used.
pub const TICKET_TIME: Duration = Duration::from_secs(60);

/// The name of a ticket in a query.
pub const TICKET_KEY: &str = "ticket";

/// What a ticket begins with. It is not made like a token, so the rule that no URL has a token in it stays.
const TICKET_PREFIX: &str = "aqt_";

/// Tickets that one principal has at once. The oldest makes room.
const TICKETS_PER_PRINCIPAL: usize = 64;

/// Tickets: each lets a browser read one path, once, where a page can set no header, such as for a download.
#[derive(Debug, Default)]
pub struct Tickets {
    tickets: Mutex<HashMap<Hash, Ticket>>,
}

#[derive(Debug)]
struct Ticket {
    visitor: Visitor,
    path: String,
    expires: Instant,
}

impl Tickets {
    /// A ticket for a path. It acts for whom it was issued to.
    pub fn issue(&self, visitor: &Visitor, path: &str) -> Result<String, DoorError> {
        let secret = Token::random()?;
        let random = secret.reveal().strip_prefix(token::TOKEN_PREFIX).unwrap_or(secret.reveal());
        let text = format!("{TICKET_PREFIX}{random}");
        let now = Instant::now();
        let mut tickets = self.tickets();
        tickets.retain(|_, ticket| ticket.expires > now);
        let own = tickets.iter().filter(|(_, ticket)| ticket.visitor.device_id == visitor.device_id);
        let mut own: Vec<(Instant, Hash)> = own.map(|(hash, ticket)| (ticket.expires, *hash)).collect();
        if own.len() >= TICKETS_PER_PRINCIPAL {
            own.sort_unstable();
            let surplus = own.len() + 1 - TICKETS_PER_PRINCIPAL;
            own.iter().take(surplus).for_each(|(_, hash)| drop(tickets.remove(hash)));
        }
        let ticket = Ticket { visitor: visitor.clone(), path: path.to_owned(), expires: now + TICKET_TIME };
        tickets.insert(token::hash(&text), ticket);
        Ok(text)
    }

    /// Uses a ticket up, whatever path it is shown for: a ticket that appears at another path has been given away.
    pub fn redeem(&self, text: &str, path: &str) -> Option<Visitor> {
        let ticket = self.tickets().remove(&token::hash(text))?;
        (ticket.expires > Instant::now() && ticket.path == path).then_some(ticket.visitor)
    }

    /// Ends all tickets of a device.
    pub fn revoke(&self, device_id: &str) {
        self.tickets().retain(|_, ticket| ticket.visitor.device_id != device_id);
    }

    fn tickets(&self) -> MutexGuard<'_, HashMap<Hash, Ticket>> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::Door;

    const PATH: &str = "/api/v1/sessions/s/export/html";

    #[tokio::test(start_paused = true)]
    async fn a_ticket_is_for_one_path_once_for_a_minute() {
        let tickets = Tickets::default();
        let owner = Door::owner();
        let issue = || tickets.issue(&owner, PATH).unwrap();
        let ticket = issue();
        assert!(!token::is_ours(&ticket));
        assert_eq!(tickets.redeem(&ticket, PATH), Some(owner.clone()));
        assert_eq!(tickets.redeem(&ticket, PATH), None, "once");
        let shown_elsewhere = issue();
        assert_eq!(tickets.redeem(&shown_elsewhere, "/api/v1/sessions/t/export/html"), None);
        assert_eq!(tickets.redeem(&shown_elsewhere, PATH), None);
        let late = issue();
        tokio::time::advance(TICKET_TIME).await;
        assert_eq!(tickets.redeem(&late, PATH), None);
        let revoked = issue();
        tickets.revoke(&owner.device_id);
        assert_eq!(tickets.redeem(&revoked, PATH), None);
        assert_eq!(tickets.redeem("", PATH), None);
    }

    #[test]
    fn memory_is_bounded() {
        let tickets = Tickets::default();
        let all: Vec<String> = (0..200).map(|_| tickets.issue(&Door::owner(), PATH).unwrap()).collect();
        assert_eq!(tickets.tickets().len(), TICKETS_PER_PRINCIPAL);
        assert!(tickets.redeem(&all[199], PATH).is_some());
    }
}
