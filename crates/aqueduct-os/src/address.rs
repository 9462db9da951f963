//! Which addresses are on the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IPv4 that are not public: the address, and how many bits of it count.
const NOT_PUBLIC_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // The clouds' metadata services are here.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Networks of IPv6 within the public ones (2000::/3) that are not public.
const NOT_PUBLIC_V6: &[(Ipv6Addr, u32)] = &[
    // Teredo, benchmarks, ORCHID and what else is set apart here.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Endings of names that denote this machine or the network around it.
const PRIVATE_ENDINGS: &[&str] =
    &[".localhost", ".local", ".localdomain", ".internal", ".intranet", ".lan", ".home.arpa", ".onion"];

/// Whether an address is on the public internet.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let bits = u32::from(address);
            !NOT_PUBLIC_V4
                .iter()
                .any(|(network, length)| bits >> (32 - length) == u32::from(*network) >> (32 - length))
        }
        IpAddr::V6(address) => match embedded(address) {
            Some(inner) => is_public(IpAddr::V4(inner)),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = u128::from(address);
    let is_global = bits >> 125 == 1;
    let is_in = |(network, length): &(Ipv6Addr, u32)| {
        bits >> (128 - length) == u128::from(*network) >> (128 - length)
    };
    is_global && !NOT_PUBLIC_V6.iter().any(is_in)
}

/// The IPv4 address that an IPv6 address leads to: mapped, translated (NAT64) or tunnelled (6to4).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let last = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => Some(last(g, h)),
        // An older way to write it; `::` and `::1` are not such addresses, and not public ones either.
        [0, 0, 0, 0, 0, 0] => Some(last(g, h)),
        [0, 0, 0, 0, 0xffff, 0] => Some(last(g, h)),
        [0x2002, high, low, ..] => Some(last(high, low)),
        _ => None,
    }
}

/// Whether an address is this machine, or the link that it hangs on, where the clouds' metadata services are.
pub fn is_own(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_loopback()
                || address.is_link_local()
                || address.octets()[0] == 0
                || address.is_broadcast()
        }
        IpAddr::V6(address) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unicast_link_local()
                || embedded(address).is_some_and(|inner| is_own(IpAddr::V4(inner)))
        }
    }
}

/// Whether a host's name alone shows that it is not on the public internet.
pub fn is_private_name(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    !host.contains('.') || PRIVATE_ENDINGS.iter().any(|ending| host.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The ways to write an IPv4 address as an IPv6 one, with what follows a 6to4 prefix.
    fn written(inner: Ipv4Addr, rest: u64) -> [Ipv6Addr; 5] {
        let [high, low] = [(u32::from(inner) >> 16) as u16, u32::from(inner) as u16];
        let [e, f, g, h] = [48, 32, 16, 0].map(|shift| (rest >> shift) as u16);
        [
            Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low),
            Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, high, low),
            Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
            Ipv6Addr::new(0x2002, high, low, h, e, f, g, h),
        ]
    }

    proptest! {
        /// An IPv6 address that carries an IPv4 address is as public as that, 6to4 included.
        #[test]
        fn an_embedded_address_decides(bits in any::<u32>(), rest in any::<u64>()) {
            let inner = Ipv4Addr::from(bits);
            for outer in written(inner, rest) {
                prop_assert_eq!(is_public(outer.into()), is_public(inner.into()), "{} in {}", inner, outer);
                prop_assert!(is_own(outer.into()) || !is_own(inner.into()), "{} in {}", inner, outer);
            }
        }

        /// An address of a network that is not public is not public in any way to write it.
        #[test]
        fn private_addresses_are_never_public(bits in any::<u32>(), network in 0..NOT_PUBLIC_V4.len(), rest in any::<u64>()) {
            let (address, length) = NOT_PUBLIC_V4[network];
            let inner = Ipv4Addr::from(u32::from(address) | bits & (u32::MAX >> length));
            prop_assert!(!is_public(inner.into()), "{}", inner);
            for outer in written(inner, rest) {
                prop_assert!(!is_public(outer.into()), "{} in {}", inner, outer);
            }
        }

        /// This machine is not on the public internet.
        #[test]
        fn own_addresses_are_not_public(bits in any::<u128>()) {
            let address = IpAddr::V6(Ipv6Addr::from(bits));
            prop_assert!(!(is_own(address) && is_public(address)), "{}", address);
        }
    }

    #[test]
    fn what_is_not_public() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.170",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "2002:a9fe:a9fe::",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().expect(address)), "{address}");
        }
    }

    #[test]
    fn what_is_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2001:200::1",
            "2a00:1450:4001::200e",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
            "2002:808:808::1",
        ] {
            assert!(is_public(address.parse().expect(address)), "{address}");
        }
    }

    #[test]
    fn what_is_this_machine() {
        for address in [
            "127.0.0.1",
            "0.0.0.0",
            "169.254.169.254",
            "::1",
            "::",
            "fe80::1",
            "::ffff:127.0.0.1",
            "64:ff9b::a9fe:a9fe",
        ] {
            assert!(is_own(address.parse().expect(address)), "{address}");
        }
        for address in ["10.0.0.1", "192.168.0.1", "fd00::1", "8.8.8.8", "2606:4700::1"] {
            assert!(!is_own(address.parse().expect(address)), "{address}");
        }
    }

    #[test]
    fn names_that_denote_local_hosts() {
        for name in
            ["localhost", "LOCALHOST.", "a.localhost", "printer", "db.internal", "nas.local", "x.home.arpa"]
        {
            assert!(is_private_name(name), "{name}");
        }
        for name in ["example.com", "localhost.example.com", "internal.example.org.", "mylocal.net"] {
            assert!(!is_private_name(name), "{name}");
        }
    }
}
