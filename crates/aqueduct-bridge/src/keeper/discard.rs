use std::path::PathBuf;

use super::{AttachError, KeeperEvent, OffsetError, ShutdownLadder, attach, delete};

/// Ends a keeper that no session refers to, however long it takes to answer, and removes its folder.
pub(crate) async fn discard(folder: PathBuf) {
    let attached = match attach(&folder, 0).await {
        Err(AttachError::Misplaced(OffsetError::Gone { oldest })) => attach(&folder, oldest).await,
        attached => attached,
    };
    if let Ok(mut attached) = attached {
        // An error means that the keeper has already ended.
        let _ = attached.handle.end(ShutdownLadder::default()).await;
        while let Some(event) = attached.events.next().await {
            if let KeeperEvent::Line(line) = event {
                let _ = attached.handle.ack(line.next);
            }
        }
    }
    // A folder that can't be removed now is removed when the next bridge starts.
    let _ = tokio::task::spawn_blocking(move || delete(&folder)).await;
}
