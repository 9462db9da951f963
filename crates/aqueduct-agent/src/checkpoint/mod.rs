//! What files were before they were changed, and the way back.
use std::path::PathBuf;
/// The checkpoints of a session.
#[derive(Debug, Default, Clone)]
pub(crate) struct Checkpoints {}
pub(crate) struct Rewound { pub(crate) files_changed: Vec<PathBuf>, pub(crate) insertions: usize, pub(crate) deletions: usize }
impl Checkpoints {
    pub(crate) fn off() -> Self { Checkpoints {} }
    pub(crate) fn open(_: PathBuf) -> Result<Self, std::io::Error> { Ok(Checkpoints {}) }
    pub(crate) fn begin(&self, _: &str) -> Result<(), std::io::Error> { Ok(()) }
    pub(crate) fn rewind(&self, _: &str, _: bool) -> Result<Rewound, std::io::Error> { Ok(Rewound { files_changed: Vec::new(), insertions: 0, deletions: 0 }) }
}
