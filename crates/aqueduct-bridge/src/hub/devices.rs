use super::{Hub, Visitor};
use crate::failure::Failure;
use crate::log::Time;
use crate::message::ErrorCode;
use crate::message::bridge::Devices;

impl Hub {
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

    /// Lets a device in no more, and ends its connections.
    pub(super) async fn revoke(&self, device_id: &str) -> Result<(), Failure> {
        self.shared.door.revoke(device_id, Time::now()).await?;
        self.expel(device_id);
        Ok(())
    }
}
