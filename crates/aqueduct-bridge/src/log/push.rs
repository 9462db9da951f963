use rusqlite::Row;

use super::{Log, LogError, Time};

/// Where a device wants Web Push messages, and how they are sealed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushSubscription {
    /// The device.
    pub device_id: String,
    /// The address of the push service.
    pub endpoint: String,
    /// The device's public key, as it came.
    pub p256dh: String,
    /// The device's secret, as it came.
    pub auth: String,
    /// Whether messages may contain text of sessions.
    pub content: bool,
}

/// How many subscriptions a device has. A browser has one; an older one that it forgot goes.
const PER_DEVICE: u32 = 4;

impl Log {
    /// Adds a subscription, in place of one with the same address.
    pub async fn put_push(&self, push: PushSubscription, now: Time) -> Result<(), LogError> {
        self.revocations().check(&push.device_id)?;
        self.write(0, move |connection| {
            let sql = "INSERT INTO push_subscriptions (device, endpoint, p256dh, auth, content, created) \
                       SELECT id, ?2, ?3, ?4, ?5, ?6 FROM devices WHERE id = ?1 AND revoked IS NULL \
                       ON CONFLICT (endpoint) DO UPDATE SET device = excluded.device, \
                       p256dh = excluded.p256dh, auth = excluded.auth, content = excluded.content, \
                       created = excluded.created";
            let PushSubscription { device_id, endpoint, p256dh, auth, content } = &push;
            if connection.prepare_cached(sql)?.execute((device_id, endpoint, p256dh, auth, content, now))?
                == 0
            {
                return Err(LogError::NoDevice { id: push.device_id });
            }
            let sql = "DELETE FROM push_subscriptions WHERE device = ?1 AND endpoint IN (SELECT endpoint \
                       FROM push_subscriptions WHERE device = ?1 AND endpoint <> ?2 \
                       ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?3)";
            connection.prepare_cached(sql)?.execute((device_id, endpoint, PER_DEVICE - 1))?;
            Ok(())
        })
        .await
    }

    /// Removes a subscription, if it is there: the push service or the device reports that it has ended.
    pub async fn remove_push(&self, endpoint: impl Into<String>) -> Result<(), LogError> {
        let endpoint = endpoint.into();
        self.write(0, move |connection| {
            connection
                .prepare_cached("DELETE FROM push_subscriptions WHERE endpoint = ?1")?
                .execute([endpoint])?;
            Ok(())
        })
        .await
    }

    /// All subscriptions.
    pub async fn pushes(&self) -> Result<Vec<PushSubscription>, LogError> {
        let found = self.read(|connection| {
            let sql = "SELECT device, endpoint, p256dh, auth, content FROM push_subscriptions \
                       ORDER BY created, endpoint";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_map((), from_row)?;
            Ok(found.collect::<Result<_, _>>()?)
        });
        self.without_revoked(found.await?)
    }

    /// The subscriptions of devices that may see sessions in this folder now.
    pub async fn pushes_for(&self, folder: &str, now: Time) -> Result<Vec<PushSubscription>, LogError> {
        let folder = folder.to_owned();
        let found = self.read(move |connection| {
            let sql = "SELECT device, endpoint, p256dh, auth, content FROM push_subscriptions \
                       JOIN devices ON devices.id = push_subscriptions.device \
                       WHERE revoked IS NULL AND (expires IS NULL OR expires > ?2) \
                       AND (root IS NULL OR root = ?1 OR substr(?1, 1, length(root) + 1) = root || '/') \
                       ORDER BY push_subscriptions.created, endpoint";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_map((folder, now), from_row)?;
            Ok(found.collect::<Result<_, _>>()?)
        });
        self.without_revoked(found.await?)
    }

    /// Leaves out devices whose revocation is not saved yet.
    fn without_revoked(&self, mut pushes: Vec<PushSubscription>) -> Result<Vec<PushSubscription>, LogError> {
        pushes.retain(|push| !self.revocations().has(&push.device_id));
        Ok(pushes)
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<PushSubscription> {
    Ok(PushSubscription {
        device_id: row.get(0)?,
        endpoint: row.get(1)?,
        p256dh: row.get(2)?,
        auth: row.get(3)?,
        content: row.get(4)?,
    })
}
