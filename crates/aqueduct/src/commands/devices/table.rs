//! Devices in a table.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use aqueduct_bridge::message::bridge::DeviceInfo;

use crate::commands::sessions::ago;
use crate::output::TerminalInfo;
use crate::terminal::{Ink, plain, width};

/// How much of an id is shown: enough to distinguish devices.
const ID: usize = 8;

/// Devices, a line each.
pub(super) fn table(devices: &[DeviceInfo<'_>], now: SystemTime, screen: &TerminalInfo) -> String {
    let ink = Ink::new(screen.colour);
    let titles = ["id", "kind", "scope", "expires", "added", "last seen"].map(str::to_owned);
    let rows: Vec<[String; 6]> = devices.iter().map(|device| row(device, now)).collect();
    let widest =
        |column: usize| rows.iter().chain([&titles]).map(|row| width(&row[column])).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(widest);
    let line = |row: &[String; 6]| {
        let mut line = String::new();
        for (text, wide) in row.iter().zip(widths) {
            line.push_str(text);
            line.extend(std::iter::repeat_n(' ', wide.saturating_sub(width(text)) + 2));
        }
        line
    };
    let mut table = format!("{}\n", ink.dim(&format!("{}name", line(&titles))));
    for (row, device) in rows.iter().zip(devices) {
        let root = device.root.as_deref().map(|root| ink.dim(&format!("  only {}", plain(root))));
        let name = ink.bold(&plain(&device.name));
        let _ = writeln!(table, "{}{name}{}", line(row), root.unwrap_or_default());
    }
    table
}

fn row(device: &DeviceInfo<'_>, now: SystemTime) -> [String; 6] {
    let id: &str = &device.device_id;
    let time = |millis: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    let seen = match (device.connections, device.seen_at) {
        (Some(1), _) => "here now".to_owned(),
        (Some(count), _) if count > 1 => format!("here now, {count} times"),
        (_, Some(seen)) => ago(time(seen), now),
        (_, None) => "never".to_owned(),
    };
    let added = device.created_at.map_or_else(String::new, |created| ago(time(created), now));
    let scope = device.scope.as_ref().map_or("", |scope| scope.as_str());
    let expires = device.expires_at.map_or_else(|| "never".to_owned(), |expires| left(time(expires), now));
    [plain(id.get(..ID).unwrap_or(id)), plain(device.kind.as_str()), plain(scope), expires, added, seen]
}

/// How long something still lasts, in the largest unit that applies.
fn left(end: SystemTime, now: SystemTime) -> String {
    let Ok(left) = end.duration_since(now) else { return "expired".to_owned() };
    match left.as_secs() {
        0 => "expired".to_owned(),
        seconds @ 1..3600 => format!("in {} min", seconds.div_ceil(60)),
        seconds @ 3600..172_800 => format!("in {} h", (seconds + 1800) / 3600),
        seconds => format!("in {} d", (seconds + 43_200) / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use aqueduct_bridge::message::Scope;
    use aqueduct_bridge::message::bridge::ActorKind;

    use super::*;

    #[test]
    fn a_table_shows_who_and_when() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let mut phone = DeviceInfo::new("3f2a91c0-1111", "Ada's phone\x1b[2J", ActorKind::Device);
        (phone.created_at, phone.seen_at) = (Some(900_000_000), Some(999_990_000));
        phone.connections = Some(2);
        phone.scope = Some(Scope::Admin.into());
        let mut job = DeviceInfo::new("90aa11ff-2222", "nightly", ActorKind::Token);
        (job.created_at, job.connections) = (Some(999_000_000), Some(0));
        (job.scope, job.expires_at) = (Some(Scope::Decide.into()), Some(1_000_000_000 + 30 * 86_400_000));
        job.root = Some("/proj/api".into());
        let mut old = DeviceInfo::new("aa11ff90-3333", "kiosk", ActorKind::Device);
        (old.scope, old.expires_at) = (Some(Scope::Watch.into()), Some(999_000_000));
        let screen = TerminalInfo {
            is_terminal: false,
            colour: false,
            notes_colour: false,
            width: 80,
            notes_are_terminal: false,
            progress: false,
            is_dumb: false,
            links: false,
        };
        insta::assert_snapshot!(table(&[phone, job, old], now, &screen), @r"
        id        kind    scope   expires  added       last seen          name
        3f2a91c0  device  admin   never    1 d ago     here now, 2 times  Ada's phone\x1b[2J
        90aa11ff  token   decide  in 30 d  17 min ago  never              nightly  only /proj/api
        aa11ff90  device  watch   expired              never              kiosk
        ");
    }
}
