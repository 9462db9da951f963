"""Modules that `cargo xtask gen` makes. Do not edit."""
