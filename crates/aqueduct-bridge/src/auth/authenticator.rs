use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hyper::HeaderMap;
use hyper::header::ORIGIN;
use uuid::Uuid;

use super::Principal;
use super::confirmation::Confirmations;
use super::credential::bearer_token;
use super::devices::tidy;
use super::{
    AccessTokens, Attempts, Challenges, PairingCode, Peer, PublicKey, Tickets, Token, has_old_cookie, token,
};
use crate::failures::{FailureKind, FailureSubject, Failures};
use crate::log::{Device, Grant, Hash, Log, LogError, NewDevice, PairingOutcome, Time};
use crate::message::bridge::ActorKind;
use crate::message::http::PairRequest;
use crate::message::{ClientMessage, Consequence, ErrorCode, Scope};
use crate::{Failure, trace};

/// How long a pairing code is good for.
pub const PAIRING_TIME: Duration = Duration::from_secs(10 * 60);

/// Wrong tokens and pairing codes: this many at once, and one more after every pause.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_secs(6);

/// That a device was here is noted again after this time.
const SEEN_AGAIN: Duration = Duration::from_secs(60);

/// Principals that are not devices and can't be revoked.
const OWNER: &str = "owner";
const AUTOMATION: &str = "automation";

/// Authenticates requests and manages devices. Clones share the same state.
#[derive(Debug, Clone)]
pub struct Authenticator {
    pub(super) shared: Arc<AuthState>,
}

#[derive(Debug)]
pub(super) struct AuthState {
    pub(super) log: Log,
    pub(super) failures: Arc<Failures>,
    startup: OnceLock<StartupOptions>,
    pub(super) challenges: Challenges,
    pub(super) access_tokens: AccessTokens,
    pub(super) tickets: Tickets,
    /// What the token for automation allows; everything by default.
    automation_scope: OnceLock<Scope>,
    wrong: Attempts,
    pairings: Attempts,
    confirmations: Confirmations,
}

/// What the program that starts the bridge provides.
#[derive(Debug)]
struct StartupOptions {
    /// The hash of the token that was given for automation.
    automation: Option<Hash>,
    /// Where pairing links lead.
    address: String,
}

impl AuthState {
    /// Where pairing links lead.
    pub(super) fn address(&self) -> &str {
        self.startup.get().map_or("/", |startup| &startup.address)
    }

    fn automation(&self) -> Option<Hash> {
        self.startup.get()?.automation
    }
}

impl Authenticator {
    /// An authenticator whose devices are in the log. Refusals are reported as failures.
    pub fn new(log: Log, failures: Arc<Failures>) -> Self {
        let shared = AuthState {
            log,
            failures,
            startup: OnceLock::new(),
            challenges: Challenges::default(),
            access_tokens: AccessTokens::default(),
            tickets: Tickets::default(),
            automation_scope: OnceLock::new(),
            confirmations: Confirmations::default(),
            wrong: Attempts::new(TRIES, PAUSE),
            pairings: Attempts::new(TRIES, PAUSE),
        };
        Authenticator { shared: Arc::new(shared) }
    }

    /// Sets what is known only when the server starts. Call it once. The token for automation is kept nowhere but here, as a hash.
    pub fn configure(&self, automation: Option<&Token>, address: impl Into<String>) {
        let startup = StartupOptions { automation: automation.map(Token::hash), address: address.into() };
        // Later calls are ignored.
        let _ = self.shared.startup.set(startup);
    }

    /// Limits what the token for automation allows, once.
    pub fn limit_automation(&self, scope: Scope) {
        // The first limit stays.
        let _ = self.shared.automation_scope.set(scope);
    }

    /// The principal of the admin socket: the owner of the bridge, at a terminal of its machine. The
    /// commands there name their consequence, so nothing has to be confirmed a second time.
    pub fn owner() -> Principal {
        let name = Some("Owner".into());
        let grant = Grant::full();
        Principal { device_id: OWNER.into(), name, kind: ActorKind::Token, grant, is_owner: true }
    }

    /// Refuses a request with a consequence until the same credential has repeated it with the value of the refusal.
    pub(crate) fn confirm(
        &self,
        principal: &Principal,
        message: &ClientMessage<'_>,
        consequence: &Consequence,
    ) -> Result<(), Failure> {
        let confirmations = &self.shared.confirmations;
        let request = message.unconfirmed().to_json();
        if principal.is_owner
            || message
                .confirm()
                .is_some_and(|value| confirmations.take(value, &principal.device_id, &request))
        {
            return Ok(());
        }
        let mut failure = Failure::new(ErrorCode::ConfirmationRequired, consequence.to_string())
            .sentence("Repeat the request with `confirm` to do it.");
        failure.confirm = Some(confirmations.ask(&principal.device_id, &request)?.into());
        Err(failure)
    }

    /// Who a request is from, by the token that it brings.
    pub async fn authenticate(&self, headers: &HeaderMap, peer: Peer) -> Result<Principal, Failure> {
        let Some(shown) = bearer_token(headers)? else {
            return Err(match has_old_cookie(headers) {
                true => Failure::new(ErrorCode::CookieRetired, "browsers no longer sign in with a cookie")
                    .clause("pair this browser again"),
                false => Failure::new(ErrorCode::Unauthorized, "a token is needed")
                    .clause("open a pairing link, or send `Authorization: Bearer TOKEN`"),
            });
        };
        let origin = headers.get(ORIGIN).map(|origin| origin.as_bytes());
        if let Some(principal) = self.principal(token::hash(shown), origin).await? {
            return Ok(principal);
        }
        let failure = Failure::new(ErrorCode::Unauthorized, "this token is not known, or no longer")
            .clause("pair the device again");
        Err(self.refuse(peer, FailureKind::WrongToken, "a token that is not known", failure))
    }

    /// Counts a wrong credential and notes it. A peer that sends too many gets another error.
    pub(super) fn refuse(&self, peer: Peer, kind: FailureKind, what: &str, failure: Failure) -> Failure {
        self.shared.failures.report(kind, FailureSubject::Peer(peer), what);
        match self.shared.wrong.count(peer) {
            Ok(()) => failure,
            Err(wait) => too_many("wrong tokens", wait),
        }
    }

    /// Whether a principal still has access. Checking this after a connection is registered misses no revocation.
    pub async fn is_still_authorized(&self, principal: &Principal) -> Result<bool, Failure> {
        if [OWNER, AUTOMATION].contains(&&*principal.device_id) {
            return Ok(true);
        }
        let devices = self.shared.log.devices().await?;
        let now = Time::now();
        Ok(devices.iter().any(|device| {
            device.id == principal.device_id && device.revoked.is_none() && !device.grant.has_expired(now)
        }))
    }

    async fn principal(&self, hash: Hash, origin: Option<&[u8]>) -> Result<Option<Principal>, Failure> {
        if self.shared.automation().is_some_and(|automation| token::is_same(&automation, &hash)) {
            let (device_id, name) = (AUTOMATION.into(), Some("Automation".into()));
            let grant = Grant::of(self.shared.automation_scope.get().copied().unwrap_or(Scope::Admin));
            return Ok(Some(Principal { device_id, name, kind: ActorKind::Token, grant, is_owner: false }));
        }
        let device = match self.shared.access_tokens.device_of(&hash, origin) {
            Some(device_id) => self.shared.log.device(device_id).await?,
            None => self.shared.log.device_of_token(hash).await?,
        };
        let Some(device) = device else { return Ok(None) };
        device.grant.require_time(Time::now())?;
        self.note_seen(&device).await?;
        Ok(Some(principal(device)))
    }

    pub(super) async fn note_seen(&self, device: &Device) -> Result<(), Failure> {
        let now = Time::now();
        let again = i64::try_from(SEEN_AGAIN.as_millis()).unwrap_or(i64::MAX);
        if device.last_seen.is_some_and(|seen| now.0.saturating_sub(seen.0) < again) {
            return Ok(());
        }
        match self.shared.log.saw_device(&*device.id, now).await {
            Ok(()) => Ok(()),
            Err(LogError::NoDevice { .. }) => {
                Err(Failure::new(ErrorCode::Unauthorized, "this device was just revoked"))
            }
            // A full disk does not prevent authentication.
            Err(error) => {
                self.shared.failures.report_storage(&error, FailureSubject::Device(&device.id));
                Ok(())
            }
        }
    }

    /// Pairs a device or a program that sends a pairing code: one, once, in time. A device that has a key signs in with it;
    /// any other gets a token, which is returned here and nowhere else.
    ///
    /// Only wrong codes count as attempts. Codes have 80 random bits, so they can't be guessed at any pace; and a client that
    /// shares an address with an attacker, such as behind a proxy, still pairs with a right one.
    pub async fn pair(
        &self,
        request: &PairRequest<'_>,
        peer: Peer,
        now: Time,
    ) -> Result<(Principal, Option<Token>), Failure> {
        let problem = match PairingCode::parse(&request.code) {
            Some(code) => match self.shared.log.pairing_problem(code.hash(), now).await? {
                Some(problem) => problem,
                None => match self.use_code(&code, request, peer, now).await? {
                    Ok(paired) => return Ok(paired),
                    Err(problem) => problem,
                },
            },
            None => PairingOutcome::Unknown,
        };
        let problem = match problem {
            PairingOutcome::Used => "was used before",
            PairingOutcome::Expired => "is too old",
            PairingOutcome::Unknown | PairingOutcome::Now { .. } => "is not known",
        };
        let failure = FailureSubject::Peer(peer);
        self.shared.failures.report(FailureKind::Pairing, failure, format_args!("the code {problem}"));
        if let Err(wait) = self.shared.pairings.count(peer) {
            return Err(too_many("wrong pairing codes", wait));
        }
        Err(Failure::new(ErrorCode::PairingFailed, format!("the pairing code {problem}"))
            .clause("make a new link with `aqueduct pair`"))
    }

    /// Uses up a code that was valid when it was checked; the inner error has the reason why it no longer is.
    async fn use_code(
        &self,
        code: &PairingCode,
        request: &PairRequest<'_>,
        peer: Peer,
        now: Time,
    ) -> Result<Result<(Principal, Option<Token>), PairingOutcome>, Failure> {
        let public_key = match request.public_key.as_deref().map(PublicKey::parse) {
            Some(None) => {
                let message = "`publicKey` must be an uncompressed point of P-256 in base64url, 65 bytes";
                return Err(Failure::new(ErrorCode::InvalidMessage, message));
            }
            Some(Some(key)) => Some(key.into_bytes()),
            None => None,
        };
        // A device with a key gets one too, since the column takes no null; it is never disclosed.
        let token = Token::random()?;
        let kind = match request.kind {
            Some(ActorKind::Token) => ActorKind::Token,
            _ => ActorKind::Device,
        };
        let device = NewDevice {
            id: Uuid::new_v4().to_string(),
            kind: kind.as_str().to_owned(),
            name: tidy(request.name.as_deref().unwrap_or_default()),
            token_hash: token.hash(),
            public_key,
            // The pairing determines its grant.
            grant: Grant::of(Scope::Watch),
        };
        let has_key = device.public_key.is_some();
        let device_id = device.id.clone();
        let PairingOutcome::Now { name, grant } = self.shared.log.pair(code.hash(), device, now).await?
        else {
            return Ok(Err(PairingOutcome::Used));
        };
        trace::device_paired(&device_id, &name, format_args!("{peer}"));
        let principal = Principal { device_id, name: Some(name), kind, grant, is_owner: false };
        Ok(Ok((principal, (!has_key).then_some(token))))
    }
}

fn principal(device: Device) -> Principal {
    let kind = match device.kind == ActorKind::Token.as_str() {
        true => ActorKind::Token,
        false => ActorKind::Device,
    };
    let Device { id: device_id, name, grant, .. } = device;
    Principal { device_id, name: Some(name), kind, grant, is_owner: false }
}

fn too_many(what: &str, wait: Duration) -> Failure {
    let seconds = wait.as_secs_f64().ceil();
    let message = format!("too many {what} from this address");
    let mut failure =
        Failure::new(ErrorCode::TooManyRequests, message).clause(format!("wait {seconds} seconds"));
    failure.retry_after_ms = Some(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).max(1));
    failure
}
