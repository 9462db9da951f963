//! Where clients find the bridge.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;

use aqueduct_bridge::auth::{Authority, KnownHost};
use aqueduct_bridge::server::Listen;

use super::Config;

/// An unassigned address, in a range that is reserved for examples.
const ELSEWHERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 9);

impl Config {
    /// The socket on which a running bridge takes requests of its owner.
    pub(crate) fn admin_socket(&self) -> PathBuf {
        self.data_dir.join("admin.sock")
    }

    /// The names by which clients come.
    pub(crate) fn hosts(&self) -> Vec<KnownHost> {
        self.host.iter().chain(&self.url).cloned().collect()
    }

    /// Where pairing links lead: the configured address, or the first that is listened on. None where the
    /// port is not known yet, and where nothing but sockets in the file system are listened on.
    pub(crate) fn address(&self) -> Option<String> {
        if let Some(url) = &self.url {
            return Some(format!("{url}/"));
        }
        let address = self.listen.iter().find_map(|place| match place {
            Listen::Tcp(address) => Some(*address),
            Listen::Unix(_) => None,
        })?;
        if address.port() == 0 {
            return None;
        }
        let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
        let named = self.host.first().filter(|_| address.ip().is_unspecified());
        let shown = match named {
            Some(origin) if origin.secure.is_some() => return Some(format!("{origin}/")),
            Some(KnownHost { authority: Authority { host, port }, .. }) => {
                Authority { host: host.clone(), port: Some(port.unwrap_or(address.port())) }.to_string()
            }
            None if address.ip().is_unspecified() => {
                SocketAddr::new(outward().unwrap_or(Ipv4Addr::LOCALHOST.into()), address.port()).to_string()
            }
            None => address.to_string(),
        };
        Some(format!("{scheme}://{shown}/"))
    }
}

/// The address that this machine has towards others. Nothing is sent: the system only reports by which route
/// it would be.
fn outward() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|address| !address.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::super::{ConfigLayer, SettingOrigin, UserEnvironment};
    use super::*;

    fn address(listen: &[&str], more: &[(&'static str, &str)]) -> Option<String> {
        let mut flags = ConfigLayer::default();
        let mut give = |name: &'static str, values: &[&str]| {
            let values = values.iter().map(Into::into).collect();
            flags.give(name, values, SettingOrigin::Flag(name.to_owned()));
        };
        give("listen", listen);
        more.iter().for_each(|(name, value)| give(name, &[value]));
        let environment =
            UserEnvironment { home: Some("/home/ada".into()), cwd: "/proj".into(), ..Default::default() };
        Config::load(&environment, &flags, None).unwrap().address()
    }

    #[test]
    fn links_lead_to_where_clients_can_come() {
        let reported = |text: &str| Some(text.to_owned());
        assert_eq!(address(&["127.0.0.1:8765"], &[]), reported("http://127.0.0.1:8765/"));
        assert_eq!(address(&["unix:/s", "[::1]:9"], &[("tls_cert", "c")]), reported("https://[::1]:9/"));
        assert_eq!(address(&["0.0.0.0:9"], &[("host", "box")]), reported("http://box:9/"));
        assert_eq!(address(&["0.0.0.0:9"], &[("host", "box:443")]), reported("http://box:443/"));
        assert_eq!(address(&["0.0.0.0:9"], &[("host", "https://box")]), reported("https://box/"));
        assert_eq!(address(&["127.0.0.1:9"], &[("url", "https://box")]), reported("https://box/"));
        assert_eq!(address(&["unix:/s"], &[]), None);
        assert_eq!(address(&["127.0.0.1:0"], &[]), None, "the system chooses");
        let wide = address(&["0.0.0.0:9"], &[]).unwrap();
        assert!(!wide.contains("0.0.0.0"), "{wide}");
    }
}
