use std::time::Duration;

use aqueduct_wire::hint::HintedError as _;
use hyper::HeaderMap;

use super::Hub;
use crate::auth::Authenticator;
use crate::auth::Principal;
use crate::failure::Failure;
use crate::log::{LogError, Time};
use crate::message::ErrorCode;
use crate::message::bridge::{Devices, Done};

/// After how long saving a revocation is tried again, at first and at last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl Hub {
    /// Revokes the devices whose tokens a browser still sends in a cookie, as earlier versions had it: any other server
    /// on this host name may have received them.
    pub async fn revoke_exposed(&self, headers: &HeaderMap) -> Result<(), Failure> {
        for device_id in self.shared.auth.exposed_devices(headers).await? {
            self.revoke(&device_id).await?;
        }
        Ok(())
    }

    /// The devices that have access, and which of them are connected.
    pub(super) async fn devices(&self, principal: &Principal) -> Result<Devices<'static>, Failure> {
        let mut devices = self.shared.auth.devices(&principal.device_id).await?;
        devices.retain(|device| principal.grant.manages(device.root.as_deref()));
        let registry = self.shared.registry();
        for device in &mut devices {
            let here = registry.clients.values().filter(|client| client.device_id == *device.device_id);
            device.connections = Some(here.count() as u64);
        }
        Ok(Devices::new(devices))
    }

    /// Refuses a device that this credential may not see, in the words for one that does not exist.
    pub(super) async fn check_managed(&self, principal: &Principal, device_id: &str) -> Result<(), Failure> {
        if principal.grant.root.is_none()
            || self.devices(principal).await?.devices.iter().any(|device| device.device_id == device_id)
        {
            return Ok(());
        }
        let message = format!("no device has the id {device_id:.80}");
        Err(Failure::new(ErrorCode::DeviceNotFound, message).clause("`list_devices` lists them"))
    }

    /// Revokes a device's access and closes its connections. The reply reports it if that is not saved yet;
    /// it is then saved as soon as possible.
    pub(super) async fn revoke(&self, device_id: &str) -> Result<Done<'static>, Failure> {
        let auth = &self.shared.auth;
        auth.revoke(device_id, Time::now()).await?;
        self.disconnect(device_id);
        let mut done = Done::new();
        if let Err(error) = auth.save_revocations().await {
            done.unsaved = Some(error.advised().into());
            self.save_later(auth.clone());
        }
        Ok(done)
    }

    /// Saves revocations as soon as that works.
    fn save_later(&self, auth: Authenticator) {
        self.spawn(async move {
            let mut pause = FIRST_PAUSE;
            loop {
                tokio::time::sleep(pause).await;
                match auth.save_revocations().await {
                    Ok(()) | Err(LogError::Closed) => return,
                    Err(_) => pause = (pause * 2).min(LONGEST_PAUSE),
                }
            }
        });
    }
}
