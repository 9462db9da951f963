use crate::log::Grant;
use crate::message::bridge::{Actor, ActorKind, DeviceInfo};

/// The device, program or user that sends a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Principal {
    /// The device's id.
    pub device_id: String,
    /// Its display name.
    pub name: Option<String>,
    /// A device, or a program with a token of its own.
    pub kind: ActorKind<'static>,
    /// What it may do.
    pub grant: Grant,
    /// Whether it is the owner of the bridge, at a terminal of its machine.
    pub is_owner: bool,
}

impl Principal {
    /// As the author of an action.
    pub(crate) fn actor(&self) -> Actor<'static> {
        let mut actor = Actor::new(self.kind.clone());
        actor.device_id = Some(self.device_id.clone().into());
        actor.name = self.name.clone().map(Into::into);
        actor
    }

    /// As an entry in a list of devices.
    pub(crate) fn info(&self) -> DeviceInfo<'static> {
        let name = self.name.clone().unwrap_or_else(|| self.device_id.clone());
        let mut info = DeviceInfo::new(self.device_id.clone(), name, self.kind.clone());
        info.current = Some(true);
        self.grant.describe(&mut info);
        info
    }
}
