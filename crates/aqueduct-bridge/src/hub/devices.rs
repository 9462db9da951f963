use std::time::Duration;

use hyper::HeaderMap;

use super::{Hub, Visitor};
use crate::door::Door;
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
        for device_id in self.shared.door.exposed_devices(headers).await? {
            self.revoke(&device_id).await?;
        }
        Ok(())
    }

    /// Who may come in, and who is here.
    pub(super) async fn devices(&self, visitor: &Visitor) -> Result<Devices<'static>, Failure> {
        let mut devices = self.shared.door.devices(&visitor.device_id).await?;
        devices.retain(|device| visitor.grant.manages(device.root.as_deref()));
        let holdings = self.shared.holdings();
        for device in &mut devices {
            let here = holdings.clients.values().filter(|client| client.device_id == *device.device_id);
            device.connections = Some(here.count() as u64);
        }
        Ok(Devices::new(devices))
    }

    /// Refuses a device that this credential may not see, in the words for one that does not exist.
    pub(super) async fn check_managed(&self, visitor: &Visitor, device_id: &str) -> Result<(), Failure> {
        if visitor.grant.root.is_none()
            || self.devices(visitor).await?.devices.iter().any(|device| device.device_id == device_id)
        {
            return Ok(());
        }
        let message = format!("no device has the id {device_id:.80}: `list_devices` tells them");
        Err(Failure::new(ErrorCode::DeviceNotFound, message))
    }

    /// Revokes a device's access and closes its connections. The reply says so if that is not saved yet; it is then
    /// saved as soon as possible.
    pub(super) async fn revoke(&self, device_id: &str) -> Result<Done<'static>, Failure> {
        let door = &self.shared.door;
        door.revoke(device_id, Time::now()).await?;
        self.expel(device_id);
        let mut done = Done::new();
        if let Err(error) = door.save_revocations().await {
            done.unsaved = Some(error.to_string().into());
            self.save_later(door.clone());
        }
        Ok(done)
    }

    /// Saves revocations as soon as that works.
    fn save_later(&self, door: Door) {
        self.spawn(async move {
            let mut pause = FIRST_PAUSE;
            loop {
                tokio::time::sleep(pause).await;
                match door.save_revocations().await {
                    Ok(()) | Err(LogError::Closed) => return,
                    Err(_) => pause = (pause * 2).min(LONGEST_PAUSE),
                }
            }
        });
    }
}
