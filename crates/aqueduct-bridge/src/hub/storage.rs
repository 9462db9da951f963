//! What the data folder takes of its disk.

use std::fs;
use std::io;
use std::path::Path;

use aqueduct_os::resources::{DiskSpace, disk_space};

use super::Hub;

/// The database and the files beside it.
const DATABASE: [&str; 3] = ["log.sqlite3", "log.sqlite3-wal", "log.sqlite3-shm"];

/// The sizes of what is in the data folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct StorageSizes {
    /// The event log's database.
    pub(crate) database: u64,
    /// The output of agents that keepers hold.
    pub(crate) spools: u64,
    /// The disk; nothing if it can't be examined.
    pub(crate) disk: Option<DiskSpace>,
}

impl Hub {
    /// Measures the data folder.
    pub(crate) async fn storage(&self) -> StorageSizes {
        let data = self.shared.settings.data.clone();
        let measured = tokio::task::spawn_blocking(move || StorageSizes::of(&data));
        // It fails only while the runtime ends.
        measured.await.unwrap_or_default()
    }
}

impl StorageSizes {
    fn of(data: &Path) -> Self {
        let database = DATABASE.iter().filter_map(|name| fs::metadata(data.join(name)).ok());
        StorageSizes {
            database: database.map(|file| file.len()).sum(),
            spools: spools(&data.join("keepers")).unwrap_or_default(),
            disk: disk_space(data).ok(),
        }
    }
}

/// The size of all spools. A keeper may delete its folder meanwhile.
fn spools(keepers: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for keeper in fs::read_dir(keepers)? {
        let Ok(segments) = fs::read_dir(keeper?.path().join("spool")) else { continue };
        let sizes = segments.filter_map(|segment| Some(segment.ok()?.metadata().ok()?.len()));
        bytes += sizes.sum::<u64>();
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_and_spools_are_measured() {
        let data = tempfile::tempdir().unwrap();
        assert_eq!(StorageSizes::of(data.path()).database, 0);
        fs::write(data.path().join("log.sqlite3"), [0; 100]).unwrap();
        fs::write(data.path().join("log.sqlite3-wal"), [0; 20]).unwrap();
        for keeper in ["a", "b"] {
            let spool = data.path().join("keepers").join(keeper).join("spool");
            fs::create_dir_all(&spool).unwrap();
            fs::write(spool.join("00000000000000000000"), [0; 7]).unwrap();
        }
        fs::create_dir_all(data.path().join("keepers/starting")).unwrap();
        let sizes = StorageSizes::of(data.path());
        assert_eq!((sizes.database, sizes.spools), (120, 14));
        assert!(sizes.disk.is_some());
    }
}
