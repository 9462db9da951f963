//! Devices in a table.

use std::fmt::Write as _;
use std::time::{Duration, SystemTime};

use aqueduct_bridge::message::bridge::DeviceInfo;

use crate::commands::sessions::ago;
use crate::output::Screen;
use crate::terminal::{Ink, plain, width};

/// How much of an id is shown: enough to tell devices apart.
const ID: usize = 8;

/// Devices, a line each.
pub(super) fn table(devices: &[DeviceInfo<'_>], now: SystemTime, screen: &Screen) -> String {
    let ink = Ink::new(screen.colour);
    let titles = ["id", "kind", "added", "last seen"].map(str::to_owned);
    let rows: Vec<[String; 4]> = devices.iter().map(|device| row(device, now)).collect();
    let widest =
        |column: usize| rows.iter().chain([&titles]).map(|row| width(&row[column])).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2), widest(3)];
    let line = |row: &[String; 4]| {
        let mut line = String::new();
        for (text, wide) in row.iter().zip(widths) {
            line.push_str(text);
            line.extend(std::iter::repeat_n(' ', wide.saturating_sub(width(text)) + 2));
        }
        line
    };
    let mut table = format!("{}\n", ink.dim(&format!("{}name", line(&titles))));
    for (row, device) in rows.iter().zip(devices) {
        let _ = writeln!(table, "{}{}", line(row), ink.bold(&plain(&device.name)));
    }
    table
}

fn row(device: &DeviceInfo<'_>, now: SystemTime) -> [String; 4] {
    let id: &str = &device.device_id;
    let moment = |millis: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(millis);
    let seen = match (device.connections, device.seen_at) {
        (Some(1), _) => "here now".to_owned(),
        (Some(count), _) if count > 1 => format!("here now, {count} times"),
        (_, Some(seen)) => ago(moment(seen), now),
        (_, None) => "never".to_owned(),
    };
    let added = device.created_at.map_or_else(String::new, |created| ago(moment(created), now));
    [plain(id.get(..ID).unwrap_or(id)), plain(device.kind.as_str()), added, seen]
}

#[cfg(test)]
mod tests {
    use aqueduct_bridge::message::bridge::ActorKind;

    use super::*;

    #[test]
    fn a_table_says_who_and_when() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let mut phone = DeviceInfo::new("3f2a91c0-1111", "Ada's phone\x1b[2J", ActorKind::Device);
        (phone.created_at, phone.seen_at) = (Some(900_000_000), Some(999_990_000));
        phone.connections = Some(2);
        let mut job = DeviceInfo::new("90aa11ff-2222", "nightly", ActorKind::Token);
        (job.created_at, job.connections) = (Some(999_000_000), Some(0));
        let screen = Screen {
            is_terminal: false,
            colour: false,
            notes_colour: false,
            width: 80,
            notes_are_terminal: false,
            progress: false,
        };
        insta::assert_snapshot!(table(&[phone, job], now, &screen), @r"
        id        kind    added       last seen          name
        3f2a91c0  device  1 d ago     here now, 2 times  Ada's phone\x1b[2J
        90aa11ff  token   17 min ago  never              nightly
        ");
    }
}
