use aqueduct_wire::json::Str;

use crate::message::table::request;

request! {
    /// List what a folder provides that changes what agents do there, such as hooks, allow rules, variables and MCP
    /// servers, and whether the user trusts it.
    GetTrust<'a> {
        essential {
            /// The folder. It must be under one of the bridge's roots.
            project_path = "projectPath": Str<'a>,
        }
    }
}

request! {
    /// Trust what a folder provides. Agents that start there from now on use it; those that run continue without it.
    TrustFolder<'a> {
        essential {
            /// The folder. It must be under one of the bridge's roots.
            project_path = "projectPath": Str<'a>,
            /// The digest of the `trust` that was shown. `trust_changed` is the error if the folder provides something else
            /// by now.
            digest: Str<'a>,
        }
    }
}

request! {
    /// Stop trusting what a folder provides. Agents that start there from now on leave it out.
    DistrustFolder<'a> {
        essential {
            /// The folder. It must be under one of the bridge's roots.
            project_path = "projectPath": Str<'a>,
        }
    }
}
