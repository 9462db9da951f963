use hyper::HeaderMap;

use super::{Hub, Visitor};
use crate::failure::Failure;
use crate::log::Time;
use crate::message::bridge::Devices;

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
        let holdings = self.shared.holdings();
        for device in &mut devices {
            let here = holdings.clients.values().filter(|client| client.device_id == *device.device_id);
            device.connections = Some(here.count() as u64);
        }
        Ok(Devices::new(devices))
    }

    /// Lets a device in no more, and ends its connections.
    pub(super) async fn revoke(&self, device_id: &str) -> Result<(), Failure> {
        self.shared.door.revoke(device_id, Time::now()).await?;
        self.expel(device_id);
        Ok(())
    }
}
