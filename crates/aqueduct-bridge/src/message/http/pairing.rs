use aqueduct_wire::json::Str;
use aqueduct_wire::table::record;

use crate::message::bridge::{ActorKind, DeviceInfo};

record! {
    /// Pair with a pairing code. Needs no token.
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
            /// The public half of an ECDSA key on P-256 that the device signs in with: the uncompressed point (WebCrypto's
            /// `raw`), in base64url without padding. A device with a key gets no token.
            optional public_key = "publicKey": Str<'a>,
        }
    }
}

record! {
    /// The device has access.
    Paired<'a> {
        essential { device: DeviceInfo<'a> }
        "1" {
            /// The device's token, unless it has a key. It is returned only here.
            optional token: Str<'a>,
        }
    }
}
