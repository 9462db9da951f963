use aqueduct_wire::recording::RecordingDirection;

/// Which way a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dir {
    /// From the host to the agent.
    In,
    /// From the agent to the host.
    Out,
    /// The agent's stderr.
    Err,
    /// A remark of the recorder.
    Note,
}

impl From<Dir> for RecordingDirection<'_> {
    fn from(dir: Dir) -> Self {
        match dir {
            Dir::In => RecordingDirection::In,
            Dir::Out => RecordingDirection::Out,
            Dir::Err => RecordingDirection::Err,
            Dir::Note => RecordingDirection::Note,
        }
    }
}
