//! Places that are reached without a proxy.

use std::net::IpAddr;

/// Whether a list in the form of `NO_PROXY` names a place. Entries are separated by commas or spaces: `*` for
/// all, a host with its subdomains, with or without a dot or `*.` before it, an address, or a network such as
/// `10.0.0.0/8`. With a port behind it an entry is for that port alone.
pub(super) fn names(list: &str, host: &str, port: u16) -> bool {
    let host = plain(host);
    let entries = list.split([',', ' ', '\t', '\n']).filter(|entry| !entry.is_empty());
    entries.into_iter().any(|entry| is_for(&entry.to_ascii_lowercase(), &host, port))
}

fn is_for(entry: &str, host: &str, port: u16) -> bool {
    let (entry, wanted) = split_port(entry);
    if wanted.is_some_and(|wanted| wanted != port) {
        return false;
    }
    if entry == "*" {
        return true;
    }
    let entry = plain(entry);
    let address = host.parse::<IpAddr>().ok();
    if let Some((network, bits)) = entry.split_once('/') {
        let network = network.parse().ok().zip(bits.parse().ok());
        return network.zip(address).is_some_and(|((network, bits), address)| is_in(address, network, bits));
    }
    if let Some(address) = address {
        return entry.parse() == Ok(address);
    }
    let entry = entry.strip_prefix('*').unwrap_or(&entry);
    let entry = entry.strip_prefix('.').unwrap_or(entry);
    let before = host.strip_suffix(entry).filter(|_| !entry.is_empty());
    before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// An entry without its port. What has several colons and no brackets is an address of the new kind.
fn split_port(entry: &str) -> (&str, Option<u16>) {
    let Some((host, port)) = entry.rsplit_once(':') else { return (entry, None) };
    match port.parse() {
        Ok(port) if host.ends_with(']') || !host.contains(':') => (host, Some(port)),
        _ => (entry, None),
    }
}

/// A host without brackets, without the dot that ends a full name, in small letters.
fn plain(host: &str) -> String {
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// Whether the first bits of both addresses are the same.
fn is_in(address: IpAddr, network: IpAddr, bits: u32) -> bool {
    let (differ, width) = match (address, network) {
        (IpAddr::V4(address), IpAddr::V4(network)) => (u128::from(address.to_bits() ^ network.to_bits()), 32),
        (IpAddr::V6(address), IpAddr::V6(network)) => (address.to_bits() ^ network.to_bits(), 128),
        _ => return false,
    };
    bits <= width && differ.checked_shr(width - bits).unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn entries_name_places() {
        for (list, host, port) in [
            ("*", "api.example.com", 443),
            ("api.example.com", "api.example.com", 443),
            ("API.Example.com.", "api.example.COM", 443),
            ("example.com", "api.example.com", 443),
            (".example.com", "api.example.com", 443),
            (".example.com", "example.com", 443),
            ("*.example.com", "api.example.com", 443),
            ("a, b example.com:8443", "api.example.com", 8443),
            ("localhost,127.0.0.1", "127.0.0.1", 80),
            ("127.0.0.1:8080", "127.0.0.1", 8080),
            ("10.0.0.0/8", "10.200.3.4", 80),
            ("0.0.0.0/0", "8.8.8.8", 80),
            ("10.1.2.3/32", "10.1.2.3", 80),
            ("::1", "[::1]", 80),
            ("[::1]:8080", "[::1]", 8080),
            ("fd00::/8", "[fd12:3456::1]", 80),
            ("::/0", "[2001:db8::1]", 80),
            ("*:8080", "api.example.com", 8080),
        ] {
            assert!(names(list, host, port), "{list} names {host}:{port}");
        }
    }

    #[test]
    fn entries_name_nothing_else() {
        for (list, host, port) in [
            ("", "api.example.com", 443),
            (" , ,", "api.example.com", 443),
            (".", "api.example.com", 443),
            ("*.", "api.example.com", 443),
            ("example.com", "badexample.com", 443),
            ("example.com", "example.com.evil.net", 443),
            ("example.com:8443", "example.com", 443),
            ("127.0.0.1:8080", "127.0.0.1", 8081),
            ("10.0.0.0/8", "11.0.0.1", 80),
            ("10.0.0.0/33", "10.0.0.1", 80),
            ("10.0.0.0/x", "10.0.0.1", 80),
            ("10.0.0.0/8", "api.example.com", 80),
            ("1", "127.0.0.1", 80),
            ("::/0", "8.8.8.8", 80),
            ("fd00::/8", "[fe80::1]", 80),
            ("::1", "[::2]", 80),
        ] {
            assert!(!names(list, host, port), "{list} does not name {host}:{port}");
        }
    }
}
