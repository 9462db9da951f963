use rusqlite::{Connection, OptionalExtension, Row};

use super::{Grant, Hash, Log, LogError, Time};

/// A device to be given access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDevice {
    /// The device's id.
    pub id: String,
    /// What it is: a device, a program's token. The log only keeps it.
    pub kind: String,
    /// What to call it.
    pub name: String,
    /// The hash of its token. The token itself never comes here.
    pub token_hash: Hash,
    /// The public key it signs in with. A device that has one has no use for the token.
    pub public_key: Option<Vec<u8>>,
    /// What it may do.
    pub grant: Grant,
}

/// A principal that has access: a phone, a browser, a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// The device's id.
    pub id: String,
    /// What it is.
    pub kind: String,
    /// What to call it.
    pub name: String,
    /// When it was given access.
    pub created: Time,
    /// When it was last here.
    pub last_seen: Option<Time>,
    /// When it was shut out.
    pub revoked: Option<Time>,
    /// Whether it gets Web Push messages.
    pub push: bool,
    /// The public key it signs in with, if it has no token.
    pub public_key: Option<Vec<u8>>,
    /// What it may do.
    pub grant: Grant,
}

/// The outcome of a pairing code that a device presented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairingOutcome {
    /// The device is in.
    Now {
        /// Its name: from the pairing, or else its own.
        name: String,
        /// Its grant, from the pairing.
        grant: Grant,
    },
    /// The code was used before.
    Used,
    /// The code is too old.
    Expired,
    /// The code does not exist.
    Unknown,
}

impl Log {
    /// Lets a device in.
    pub async fn add_device(&self, device: NewDevice, now: Time) -> Result<(), LogError> {
        self.write(0, move |connection| insert(connection, &device, now)).await
    }

    /// The device with this id, unless it was revoked.
    pub async fn device(&self, id: impl Into<String>) -> Result<Option<Device>, LogError> {
        let id = id.into();
        let found = self.read(move |connection| {
            let sql = format!("SELECT {COLUMNS} FROM devices WHERE id = ?1 AND revoked IS NULL");
            Ok(connection.prepare_cached(&sql)?.query_row([id], from_row).optional()?)
        });
        let found: Option<Device> = found.await?;
        Ok(found.filter(|device| !self.revocations().has(&device.id)))
    }

    /// The device that has this token, unless it was revoked. A device with a key has none.
    pub async fn device_of_token(&self, token_hash: Hash) -> Result<Option<Device>, LogError> {
        let found = self.read(move |connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM devices WHERE token_hash = ?1 AND public_key IS NULL AND revoked IS NULL"
            );
            Ok(connection.prepare_cached(&sql)?.query_row([token_hash], from_row).optional()?)
        });
        let found: Option<Device> = found.await?;
        Ok(found.filter(|device| !self.revocations().has(&device.id)))
    }

    /// All devices, those that were revoked too.
    pub async fn devices(&self) -> Result<Vec<Device>, LogError> {
        let found = self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM devices ORDER BY created, id");
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement.query_map((), from_row)?;
            Ok(found.collect::<Result<_, _>>()?)
        });
        let mut devices: Vec<Device> = found.await?;
        self.revocations().mark(&mut devices);
        Ok(devices)
    }

    /// Notes that a device was here. A device that was revoked in the meantime is an error.
    pub async fn saw_device(&self, id: impl Into<String>, now: Time) -> Result<(), LogError> {
        let sql = "UPDATE devices SET last_seen = max(coalesce(last_seen, ?2), ?2) WHERE id = ?1 AND revoked IS NULL";
        let id = id.into();
        self.revocations().check(&id)?;
        self.write(0, move |connection| {
            let found = connection.prepare_cached(sql)?.execute((&id, now))?;
            if found == 1 { Ok(()) } else { Err(LogError::NoDevice { id }) }
        })
        .await
    }

    /// Calls a device something else.
    pub async fn rename_device(&self, id: impl Into<String>, name: String) -> Result<(), LogError> {
        let sql = "UPDATE devices SET name = ?2 WHERE id = ?1 AND revoked IS NULL";
        let id = id.into();
        self.revocations().check(&id)?;
        self.write(0, move |connection| {
            let found = connection.prepare_cached(sql)?.execute((&id, &name))?;
            if found == 1 { Ok(()) } else { Err(LogError::NoDevice { id }) }
        })
        .await
    }

    /// Makes a code that pairs one device, once, before it expires. It gets the name, if there is one, and the grant.
    pub async fn add_pairing(
        &self,
        code_hash: Hash,
        name: Option<String>,
        grant: Grant,
        now: Time,
        expires: Time,
    ) -> Result<(), LogError> {
        self.write(0, move |connection| {
            // After a day, the reason why a code is invalid is not needed any more.
            let old = Time(now.0.saturating_sub(24 * 60 * 60 * 1000));
            connection.prepare_cached("DELETE FROM pairings WHERE expires < ?1")?.execute([old])?;
            let sql = "INSERT INTO pairings (code_hash, name, created, expires, scope, access_expires, root) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let Grant { scope, expires: access_expires, root } = grant;
            connection.prepare_cached(sql)?.execute((
                code_hash,
                name,
                now,
                expires,
                scope,
                access_expires,
                root,
            ))?;
            Ok(())
        })
        .await
    }

    /// Why a pairing code is refused; `None` if it can be used. Only reads, so that wrong codes cost little.
    pub async fn pairing_problem(
        &self,
        code_hash: Hash,
        now: Time,
    ) -> Result<Option<PairingOutcome>, LogError> {
        let void = self.revocations().latest();
        self.read(move |connection| {
            let sql =
                "SELECT used IS NULL AND expires > ?2 AND created > ?3 FROM pairings WHERE code_hash = ?1";
            let mut find = connection.prepare_cached(sql)?;
            let usable: Option<bool> = find.query_row((code_hash, now, void), |row| row.get(0)).optional()?;
            match usable {
                Some(true) => Ok(None),
                _ => problem(connection, code_hash).map(Some),
            }
        })
        .await
    }

    /// Grants access to a device with a pairing code. If several present it at once, one succeeds. What it
    /// may do is what the pairing grants, regardless of what the device requests.
    pub async fn pair(
        &self,
        code_hash: Hash,
        device: NewDevice,
        now: Time,
    ) -> Result<PairingOutcome, LogError> {
        let void = self.revocations().latest();
        self.write(0, move |connection| {
            let sql = "UPDATE pairings SET used = ?2 \
                       WHERE code_hash = ?1 AND used IS NULL AND expires > ?2 AND created > ?3 \
                       RETURNING name, scope, access_expires, root";
            let mut take = connection.prepare_cached(sql)?;
            let taken = take.query_row((code_hash, now, void), |row| Ok((row.get(0)?, grant_of(row, 1)?)));
            if let Some((name, grant)) = taken.optional()? {
                let name: Option<String> = name;
                let device = NewDevice { name: name.unwrap_or(device.name), grant, ..device };
                insert(connection, &device, now)?;
                return Ok(PairingOutcome::Now { name: device.name, grant: device.grant });
            }
            problem(connection, code_hash)
        })
        .await
    }
}

/// Why a code that can't be used can't be.
fn problem(connection: &Connection, code_hash: Hash) -> Result<PairingOutcome, LogError> {
    let sql = "SELECT used IS NOT NULL FROM pairings WHERE code_hash = ?1";
    let used = connection.prepare_cached(sql)?.query_row([code_hash], |row| row.get(0)).optional()?;
    Ok(match used {
        Some(true) => PairingOutcome::Used,
        Some(false) => PairingOutcome::Expired,
        None => PairingOutcome::Unknown,
    })
}

const COLUMNS: &str = "id, kind, name, created, last_seen, revoked, \
     EXISTS (SELECT 1 FROM push_subscriptions WHERE device = devices.id), public_key, scope, expires, root";

fn from_row(row: &Row<'_>) -> rusqlite::Result<Device> {
    Ok(Device {
        id: row.get(0)?,
        kind: row.get(1)?,
        name: row.get(2)?,
        created: row.get(3)?,
        last_seen: row.get(4)?,
        revoked: row.get(5)?,
        push: row.get(6)?,
        public_key: row.get(7)?,
        grant: grant_of(row, 8)?,
    })
}

/// The grant in three columns.
fn grant_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Grant> {
    Ok(Grant { scope: row.get(first)?, expires: row.get(first + 1)?, root: row.get(first + 2)? })
}

fn insert(connection: &Connection, device: &NewDevice, now: Time) -> Result<(), LogError> {
    let sql = "INSERT INTO devices (id, kind, name, token_hash, created, public_key, scope, expires, root) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let NewDevice { id, kind, name, token_hash, public_key, grant: Grant { scope, expires, root } } = device;
    let values = (id, kind, name, token_hash, now, public_key, scope, expires, root);
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(())
}
