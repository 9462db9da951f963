use aqueduct_wire::hint::HintedError as _;
use aqueduct_wire::json::Str;
use uuid::Uuid;

use super::{Authenticator, PAIRING_TIME, PairingCode, Token, qr};
use crate::failures::{FailureKind, FailureSubject};
use crate::log::{Grant, LogError, NewDevice, Time};
use crate::message::ErrorCode;
use crate::message::bridge::{ActorKind, CredentialKind, DeviceInfo, Pairing};
use crate::{Failure, trace};

/// What the fragment of a pairing link begins with.
const FRAGMENT: &str = "#pair=";

/// The longest name of a device, in characters.
const NAME: usize = 80;

impl Authenticator {
    /// Makes a link that pairs one device, once, in the next ten minutes, to do everything.
    pub async fn create_pairing(&self, name: Option<&str>, now: Time) -> Result<Pairing<'static>, Failure> {
        self.create_pairing_for(name, Grant::full(), now).await
    }

    /// The same for a device that gets no more than this.
    pub async fn create_pairing_for(
        &self,
        name: Option<&str>,
        grant: Grant,
        now: Time,
    ) -> Result<Pairing<'static>, Failure> {
        let code = PairingCode::random()?;
        let time = i64::try_from(PAIRING_TIME.as_millis()).unwrap_or(i64::MAX);
        let expires = Time(now.0.saturating_add(time));
        let name = name.filter(|name| !name.trim().is_empty()).map(tidy);
        let scope = grant.scope;
        self.shared.log.add_pairing(code.hash(), name, grant, now, expires).await?;
        let link = format!("{}{FRAGMENT}{}", self.shared.address(), code.reveal());
        let mut pairing = Pairing::new(link, code.reveal(), u64::try_from(expires.0).unwrap_or_default());
        pairing.scope = Some(scope.into());
        pairing.qr = qr::svg(&pairing.link).map(Into::into);
        Ok(pairing)
    }

    /// The devices that have access, oldest first. `current` is the one that sends the request.
    pub async fn devices(&self, current: &str) -> Result<Vec<DeviceInfo<'static>>, Failure> {
        let devices = self.shared.log.devices().await?;
        let welcome = devices.into_iter().filter(|device| device.revoked.is_none());
        let info = welcome.map(|device| {
            let is_current = device.id == current;
            let credential = match device.public_key {
                Some(_) => CredentialKind::Key,
                None => CredentialKind::Bearer,
            };
            let mut info = DeviceInfo::new(device.id, device.name, ActorKind::from(Str::from(device.kind)));
            info.created_at = u64::try_from(device.created.0).ok();
            info.seen_at = device.last_seen.and_then(|seen| u64::try_from(seen.0).ok());
            info.current = is_current.then_some(true);
            info.push = Some(device.push);
            info.credential = Some(credential);
            device.grant.describe(&mut info);
            info
        });
        Ok(info.collect())
    }

    /// Creates a token with full access for a program. The token is returned here and stored nowhere.
    pub async fn add_token(&self, name: &str, now: Time) -> Result<Token, Failure> {
        self.add_token_with(name, Grant::full(), now).await
    }

    /// The same for a program that gets no more than this.
    pub async fn add_token_with(&self, name: &str, grant: Grant, now: Time) -> Result<Token, Failure> {
        let token = Token::random()?;
        let device = NewDevice {
            id: Uuid::new_v4().to_string(),
            kind: ActorKind::Token.as_str().to_owned(),
            name: name.to_owned(),
            token_hash: token.hash(),
            public_key: None,
            grant,
        };
        let device_id = device.id.clone();
        self.shared.log.add_device(device, now).await?;
        trace::token_created(&device_id, name);
        Ok(token)
    }

    /// Revokes a device's access in memory, at once. Its open connections are for the caller to close, and
    /// [`Authenticator::save_revocations`] makes it last.
    pub async fn revoke(&self, device_id: &str, now: Time) -> Result<(), Failure> {
        match self.shared.log.revoke_device(device_id, now).await {
            Ok(()) => {
                self.shared.access_tokens.revoke(device_id);
                self.shared.tickets.revoke(device_id);
                trace::device_revoked(device_id);
                Ok(())
            }
            Err(error) => Err(unknown(device_id, error)),
        }
    }

    /// Saves all revocations. Those that can't be saved stay in effect until the bridge ends.
    pub async fn save_revocations(&self) -> Result<(), LogError> {
        let saved = self.shared.log.save_revocations().await;
        if let Err(error) = &saved {
            let why = error.advised();
            self.shared.failures.report(FailureKind::RevocationUnsaved, FailureSubject::Bridge, why);
        }
        saved
    }

    /// Calls a device something else.
    pub async fn rename(&self, device_id: &str, name: &str) -> Result<(), Failure> {
        let name = tidy(name);
        match self.shared.log.rename_device(device_id, name.clone()).await {
            Ok(()) => {
                trace::device_renamed(device_id, &name);
                Ok(())
            }
            Err(error) => Err(unknown(device_id, error)),
        }
    }
}

/// A name as it is kept: short, in one line, and never nothing.
pub(super) fn tidy(name: &str) -> String {
    let name: String = name.chars().filter(|character| !character.is_control()).take(NAME).collect();
    match name.trim() {
        "" => "Device".to_owned(),
        name => name.to_owned(),
    }
}

fn unknown(device_id: &str, error: LogError) -> Failure {
    match error {
        LogError::NoDevice { .. } => {
            let message = format!("no device has the id {device_id:.80}");
            Failure::new(ErrorCode::DeviceNotFound, message).clause("`list_devices` lists them")
        }
        error => error.into(),
    }
}
