use tracing::Subscriber;
use tracing::subscriber::SetGlobalDefaultError;
use tracing_subscriber::Registry;
use tracing_subscriber::layer::SubscriberExt as _;

use super::layer::LineLayer;
use super::{LogFilter, LogFormat, LogSink};

/// A subscriber that writes the events that pass the filter as lines.
pub fn subscriber(filter: LogFilter, format: LogFormat, sink: LogSink) -> impl Subscriber + Send + Sync {
    Registry::default().with(filter.into_targets()).with(LineLayer { format, sink })
}

/// Writes the events of this process, from now on. Without anything to write, nothing is installed, and events cost
/// nothing. It fails if a subscriber is installed already.
pub fn install(filter: LogFilter, format: LogFormat, sink: LogSink) -> Result<(), SetGlobalDefaultError> {
    match filter.is_off() {
        true => Ok(()),
        false => tracing::subscriber::set_global_default(subscriber(filter, format, sink)),
    }
}
