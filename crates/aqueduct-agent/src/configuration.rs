//! Settings files of all scopes.
