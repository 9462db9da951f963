use std::time::Duration;

use super::Principal;
use super::issued::IssuedSecrets;
use super::{AuthError, Token, token};

/// How long a ticket can be used.
pub const TICKET_TIME: Duration = Duration::from_secs(60);

/// The name of a ticket in a query.
pub const TICKET_KEY: &str = "ticket";

/// What a ticket begins with. It is not made like a token, so the rule that no URL has a token in it stays.
const TICKET_PREFIX: &str = "aqt_";

/// Tickets: each lets a browser read one path, once, where a page can set no header, such as for a download.
#[derive(Debug, Default)]
pub struct Tickets {
    tickets: IssuedSecrets<IssuedTicket>,
}

#[derive(Debug)]
struct IssuedTicket {
    principal: Principal,
    path: String,
}

impl Tickets {
    /// A ticket for a path. It acts for whom it was issued to.
    pub fn issue(&self, principal: &Principal, path: &str) -> Result<String, AuthError> {
        let secret = Token::random()?;
        let random = secret.reveal().strip_prefix(token::TOKEN_PREFIX).unwrap_or(secret.reveal());
        let text = format!("{TICKET_PREFIX}{random}");
        let ticket = IssuedTicket { principal: principal.clone(), path: path.to_owned() };
        self.tickets.add(token::hash(&text), &principal.device_id, ticket, TICKET_TIME);
        Ok(text)
    }

    /// Uses a ticket up, whatever path it is shown for: a ticket that appears at another path has been given away.
    pub fn redeem(&self, text: &str, path: &str) -> Option<Principal> {
        let ticket = self.tickets.take(&token::hash(text))?;
        (ticket.path == path).then_some(ticket.principal)
    }

    /// Ends all tickets of a device.
    pub fn revoke(&self, device_id: &str) {
        self.tickets.revoke(device_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Authenticator;
    use crate::auth::issued::MOST_PER_PRINCIPAL;

    const PATH: &str = "/api/v1/sessions/s/export/html";

    #[tokio::test(start_paused = true)]
    async fn a_ticket_is_for_one_path_once_for_a_minute() {
        let tickets = Tickets::default();
        let owner = Authenticator::owner();
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
        let all: Vec<String> =
            (0..200).map(|_| tickets.issue(&Authenticator::owner(), PATH).unwrap()).collect();
        assert_eq!(tickets.tickets.len(), MOST_PER_PRINCIPAL);
        assert!(tickets.redeem(&all[199], PATH).is_some());
    }
}
