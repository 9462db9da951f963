use std::time::Duration;

use super::Principal;
use super::{
    ACCESS_TIME, Authenticator, CHALLENGE_TIME, Peer, PublicKey, TICKET_TIME, Token, sign_in_message,
};
use crate::Failure;
use crate::failures::FailureKind;
use crate::message::ErrorCode;
use crate::message::http::AccessTokenRequest;

impl Authenticator {
    /// A challenge for a device to sign on a page of this origin, and how long it can be answered. An unknown device
    /// gets one too, so the answer does not disclose which devices exist.
    pub fn challenge(&self, device_id: &str, origin: &str) -> Result<(String, Duration), Failure> {
        Ok((self.shared.challenges.issue(device_id, origin)?, CHALLENGE_TIME))
    }

    /// Signs a device in that has signed its challenge on a page of this origin: its access token, and how long that
    /// is good for.
    pub async fn sign_in(
        &self,
        request: &AccessTokenRequest<'_>,
        origin: &str,
        peer: Peer,
    ) -> Result<(Token, Duration), Failure> {
        let device_id: &str = &request.device_id;
        let Some(issued) = self.shared.challenges.read(&request.challenge, device_id, origin) else {
            return Err(self.refuse_sign_in(peer, ErrorCode::ChallengeExpired));
        };
        let device = self.shared.log.device(device_id).await?;
        let key = device.as_ref().and_then(|device| PublicKey::from_bytes(device.public_key.clone()?));
        let message = sign_in_message(origin, device_id, &request.challenge);
        let (Some(device), Some(key)) = (device, key) else {
            return Err(self.refuse_sign_in(peer, ErrorCode::Unauthorized));
        };
        if !key.verifies(&message, &request.signature) {
            return Err(self.refuse_sign_in(peer, ErrorCode::Unauthorized));
        }
        if !self.shared.challenges.use_up(issued) {
            return Err(self.refuse_sign_in(peer, ErrorCode::ChallengeExpired));
        }
        self.note_seen(&device).await?;
        Ok((self.shared.access_tokens.issue(device_id, origin)?, ACCESS_TIME))
    }

    /// A ticket for one path, and how long it can be used.
    pub fn ticket(&self, principal: &Principal, path: &str) -> Result<(String, Duration), Failure> {
        Ok((self.shared.tickets.issue(principal, path)?, TICKET_TIME))
    }

    /// The principal that a ticket was issued to, if it is good for this path.
    pub async fn authenticate_ticket(
        &self,
        ticket: &str,
        path: &str,
        peer: Peer,
    ) -> Result<Principal, Failure> {
        match self.shared.tickets.redeem(ticket, path) {
            Some(principal) if self.is_still_authorized(&principal).await? => Ok(principal),
            _ => {
                let message = "this ticket is not for this path, has expired or was used";
                let failure = Failure::new(ErrorCode::Unauthorized, message).clause("request a new one");
                Err(self.refuse(peer, FailureKind::WrongToken, "a ticket that is not valid here", failure))
            }
        }
    }

    /// One text for all reasons of a kind: what exactly was wrong helps only those who guess.
    fn refuse_sign_in(&self, peer: Peer, code: ErrorCode<'static>) -> Failure {
        let (message, hint) = match code {
            ErrorCode::ChallengeExpired => ("the challenge has expired or was used", "request a new one"),
            _ => ("this device is unknown or was revoked", "pair it again"),
        };
        self.refuse(peer, FailureKind::SignIn, message, Failure::new(code, message).clause(hint))
    }
}
