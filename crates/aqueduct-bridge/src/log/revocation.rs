use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Device, Log, LogError, Time};

/// Devices that were revoked since the log was opened.
///
/// A revocation takes effect here before anything is written, so that it works on a full disk. It stays here after it
/// is saved: what was read just before must not pass for an answer. The end of the process loses what is not saved.
#[derive(Debug, Default)]
pub(super) struct Revocations {
    devices: Mutex<HashMap<String, Revocation>>,
}

#[derive(Debug, Clone, Copy)]
struct Revocation {
    time: Time,
    is_saved: bool,
}

impl Revocations {
    fn devices(&self) -> MutexGuard<'_, HashMap<String, Revocation>> {
        self.devices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a device was revoked.
    pub(super) fn has(&self, id: &str) -> bool {
        self.devices().contains_key(id)
    }

    /// Fails for a device that is revoked.
    pub(super) fn check(&self, id: &str) -> Result<(), LogError> {
        match self.has(id) {
            true => Err(LogError::NoDevice { id: id.to_owned() }),
            false => Ok(()),
        }
    }

    /// The time of the last revocation. Pairing codes that were made up to then are void: the device may have
    /// made them.
    pub(super) fn latest(&self) -> Time {
        self.devices().values().map(|revocation| revocation.time).max().unwrap_or(Time(i64::MIN))
    }

    fn unsaved(&self) -> Vec<(String, Time)> {
        let devices = self.devices();
        let unsaved = devices.iter().filter(|(_, revocation)| !revocation.is_saved);
        unsaved.map(|(id, revocation)| (id.clone(), revocation.time)).collect()
    }

    /// Marks devices that are revoked.
    pub(super) fn mark(&self, devices: &mut [Device]) {
        let revoked = self.devices();
        for device in devices {
            if let Some(revocation) = revoked.get(&device.id) {
                device.revoked = device.revoked.or(Some(revocation.time));
                device.push = false;
            }
        }
    }
}

impl Log {
    /// Revokes a device in memory: from now on its token is refused, it receives nothing, and pairing codes that were
    /// made before are void. Nothing is written; [`Log::save_revocations`] does that.
    pub async fn revoke_device(&self, id: &str, now: Time) -> Result<(), LogError> {
        // What can't be read is revoked all the same: a broken disk must not prevent it.
        if let Ok(devices) = self.devices().await
            && !devices.iter().any(|device| device.id == id && device.revoked.is_none())
        {
            return Err(LogError::NoDevice { id: id.to_owned() });
        }
        self.revocations().devices().insert(id.to_owned(), Revocation { time: now, is_saved: false });
        Ok(())
    }

    /// Saves the revocations that are not saved yet. The error has the reason if some still are not; they
    /// stay in effect as long as the log is open.
    pub async fn save_revocations(&self) -> Result<(), LogError> {
        let unsaved = self.revocations().unsaved();
        for (id, time) in unsaved {
            self.save_revocation(id.clone(), time).await?;
            if let Some(revocation) = self.revocations().devices().get_mut(&id) {
                revocation.is_saved = true;
            }
        }
        Ok(())
    }

    /// Removes a device's token and push subscriptions for good, and voids pairing codes that it may have made.
    async fn save_revocation(&self, id: String, time: Time) -> Result<(), LogError> {
        self.write(0, move |connection| {
            let sql = "UPDATE devices SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL";
            connection.prepare_cached(sql)?.execute((&id, time))?;
            connection.prepare_cached("DELETE FROM push_subscriptions WHERE device = ?1")?.execute([&id])?;
            let sql = "UPDATE pairings SET expires = min(expires, ?1) WHERE used IS NULL AND created <= ?1";
            connection.prepare_cached(sql)?.execute([time])?;
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{NewDevice, PushSubscription};

    const NOON: Time = Time(1_000_000);
    const HASH: [u8; 32] = [7; 32];

    fn push() -> PushSubscription {
        let text = |text: &str| text.to_owned();
        PushSubscription {
            device_id: text("phone"),
            endpoint: text("https://push.example/1"),
            p256dh: text("key"),
            auth: text("secret"),
            content: true,
        }
    }

    #[tokio::test]
    async fn a_revocation_that_cannot_be_saved_is_in_effect() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::open(&folder.path().join("data")).unwrap();
        let device = NewDevice {
            id: "phone".into(),
            kind: "device".into(),
            name: "Phone".into(),
            token_hash: HASH,
            public_key: None,
            grant: super::super::Grant::full(),
        };
        log.add_device(device, NOON).await.unwrap();
        log.put_push(push(), NOON).await.unwrap();
        log.write(0, |connection| Ok(connection.pragma_update(None, "query_only", true)?)).await.unwrap();

        log.revoke_device("phone", NOON).await.unwrap();
        assert_eq!(log.save_revocations().await, Err(LogError::ReadOnly));
        assert_eq!(log.device_of_token(HASH).await.unwrap(), None);
        assert_eq!(log.devices().await.unwrap()[0].revoked, Some(NOON));
        assert_eq!(log.pushes().await.unwrap(), []);
        let gone = Err(LogError::NoDevice { id: "phone".into() });
        assert_eq!(log.revoke_device("phone", NOON).await, gone);

        assert_eq!(log.saw_device("phone", NOON).await, gone);
        assert_eq!(log.rename_device("phone", "Ghost".into()).await, gone);
        assert_eq!(log.put_push(push(), NOON).await, gone);
        assert_eq!(log.revocations().unsaved(), [("phone".to_owned(), NOON)]);
    }
}
