//! Fake agents: shell scripts that implement just enough of the protocol to fail in one way each.

use aqueduct_client::{Builder, Session};

/// What every script can use.
const PRELUDE: &str = r#"
# ask: reads a line of the host into $line, and the id it carries into $id.
ask() {
    IFS= read -r line || exit 0
    id=${line#*\"request_id\":\"}; id=${id%%\"*}
    uuid=${line#*\"uuid\":\"}; uuid=${uuid%%\"*}
}
# answer [PAYLOAD]: answers the request that was read last.
answer() { printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":%s}}\n' "$id" "${1:-{\}}"; }
# result [TEXT]: ends a turn.
result() { printf '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"%s"}\n' "${1:-done}"; }
case "$1" in --version) echo "${VERSION:-2.1.325} (fake)"; exit 0;; esac
"#;

/// A fake agent, to be started by `sh`.
#[derive(Debug, Clone)]
pub(crate) struct Script(String);

impl Script {
    /// An agent that answers `initialize` and then runs the script. At its end it waits until its input
    /// is closed.
    pub(crate) fn new(script: &str) -> Self {
        Script::raw(&format!("ask; answer\n{script}\ncat > /dev/null"))
    }

    /// An agent that runs the script and nothing else.
    pub(crate) fn raw(script: &str) -> Self {
        Script(format!("{PRELUDE}{script}"))
    }

    /// A session with this agent, not started yet.
    pub(crate) fn builder(&self) -> Builder {
        Session::builder().program("/bin/sh").leading_arguments(["-c", &self.0, "fake-agent"])
    }
}
