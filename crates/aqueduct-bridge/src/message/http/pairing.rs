use aqueduct_wire::json::Str;
use aqueduct_wire::table::record;

use crate::message::bridge::{ActorKind, DeviceInfo};

record! {
    /// Comes in with a pairing code. The only request that needs no token.
    PairRequest<'a> {
        essential {
            /// What is behind `#pair=` in the link.
            code: Str<'a>,
        }
        "1" {
            /// What to call the device.
            optional name: Str<'a>,
            /// What it is: `device` if absent, `token` for a program.
            optional kind: ActorKind<'a>,
            /// Whether to set the token as a cookie and not to tell it: what browsers want.
            optional cookie: bool,
        }
    }
}

record! {
    /// The device may come in.
    Paired<'a> {
        essential { device: DeviceInfo<'a> }
        "1" {
            /// The device's token, where no cookie was asked for. It is told this once.
            optional token: Str<'a>,
        }
    }
}
