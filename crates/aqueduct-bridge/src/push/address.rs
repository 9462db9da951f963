use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is one of the open internet. Everything else is of this machine, of the network around it, or of
/// nobody.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = match a {
        // This network, private, loopback.
        0 | 10 | 127 => true,
        // Carriers' own networks.
        100 => (64..128).contains(&b),
        // Link-local, where clouds have their metadata.
        169 => b == 254,
        172 => (16..32).contains(&b),
        // Private; of protocols; documentation; a relay that is no more.
        192 => b == 168 || (b == 0 && (c == 0 || c == 2)) || (b == 88 && c == 99),
        // Benchmarks; documentation.
        198 => b == 18 || b == 19 || (b == 51 && c == 100),
        203 => b == 0 && c == 113,
        // Multicast, reserved, broadcast.
        _ => a >= 224,
    };
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let parts = address.segments();
    // Addresses that a translator makes of those of IPv4.
    if parts[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        let [high, low] = [parts[6].to_be_bytes(), parts[7].to_be_bytes()];
        return is_public_v4(Ipv4Addr::new(high[0], high[1], low[0], low[1]));
    }
    let is_global = parts[0] & 0xe000 == 0x2000;
    // Of protocols, among them tunnels; documentation; tunnels that have an address of IPv4 in them.
    let is_special = match parts[0] {
        0x2001 => parts[1] < 0x200 || parts[1] == 0xdb8,
        0x2002 => true,
        0x3fff => parts[1] < 0x1000,
        _ => false,
    };
    is_global && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_open_internet_is_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.254",
            "2606:4700::1111",
            "2a00:1450:4001::200e",
            "2001:200::1",
            "::ffff:8.8.8.8",
            "64:ff9b::808:808",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.170",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::808:808",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
