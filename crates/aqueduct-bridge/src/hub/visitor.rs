use crate::log::Grant;
use crate::message::bridge::{Actor, ActorKind, DeviceInfo};

/// Who speaks to the bridge.
#[derive(Debug, Clone, PartialEq)]
pub struct Visitor {
    /// The device's id.
    pub device_id: String,
    /// What people call it.
    pub name: Option<String>,
    /// A device, or a program with a token of its own.
    pub kind: ActorKind<'static>,
    /// What it may do.
    pub grant: Grant,
    /// Whether it is the person whose bridge it is, at a terminal of its machine.
    pub is_owner: bool,
}

impl Visitor {
    /// As the one who did something.
    pub(crate) fn actor(&self) -> Actor<'static> {
        let mut actor = Actor::new(self.kind.clone());
        actor.device_id = Some(self.device_id.clone().into());
        actor.name = self.name.clone().map(Into::into);
        actor
    }

    /// As one who may come in.
    pub(crate) fn info(&self) -> DeviceInfo<'static> {
        let name = self.name.clone().unwrap_or_else(|| self.device_id.clone());
        let mut info = DeviceInfo::new(self.device_id.clone(), name, self.kind.clone());
        info.current = Some(true);
        self.grant.describe(&mut info);
        info
    }
}
