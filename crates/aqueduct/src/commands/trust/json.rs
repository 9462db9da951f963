//! Trust for programs.

use aqueduct_agent::trust::{FolderItem, FolderReport, TrustedFolder};
use serde_json::{Value, json};

pub(super) fn report(report: &FolderReport) -> anyhow::Result<String> {
    let item = |item: &FolderItem| {
        json!({
            "kind": item.kind,
            "name": item.name,
            "detail": item.detail,
            "source": item.source,
            "change": item.change.name(),
            "granted": item.is_granted,
        })
    };
    text(&json!({
        "folder": report.folder.to_string_lossy(),
        "state": report.state.name(),
        "digest": report.digest,
        "by": report.by,
        "at": report.at,
        "items": report.items.iter().map(item).collect::<Vec<_>>(),
        "problems": report.problems,
    }))
}

pub(super) fn list(folders: &[TrustedFolder]) -> anyhow::Result<String> {
    let folder = |trusted: &TrustedFolder| {
        json!({
            "folder": trusted.folder.to_string_lossy(),
            "digest": trusted.digest,
            "by": trusted.by,
            "at": trusted.at,
            "items": trusted.provisions,
        })
    };
    text(&json!({ "folders": folders.iter().map(folder).collect::<Vec<_>>() }))
}

pub(super) fn removed(was_trusted: bool) -> anyhow::Result<String> {
    text(&json!({ "removed": was_trusted }))
}

fn text(value: &Value) -> anyhow::Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(value)?))
}
