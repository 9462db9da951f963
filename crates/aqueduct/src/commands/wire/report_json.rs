//! The report of a check as one JSON object.
//!
//! Members are only ever added. `ok` matches the exit code; `faults` counts lines and frames that are
//! wrong; in every list `line` is the first line and `count` how often. `kind` is a frame's type with its
//! subtype and inner kind, `path` the way from the frame to a member.

use std::io::Write;

use serde_json::{Value, json};

use super::findings::{Class, Drift, LineProblemKind, WireFindings};

pub(super) fn write(findings: &WireFindings, strict: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let drift = findings.sorted_drift();
    let list = |class: Class| -> Vec<Value> {
        drift.iter().filter(|drift| drift.class == class).map(|drift| of_drift(drift)).collect()
    };
    let kinds: Vec<_> = findings
        .sorted_kinds()
        .into_iter()
        .map(|(side, kind, seen)| json!({"from": side.name(), "kind": kind, "count": seen.count, "line": seen.line}))
        .collect();
    let (mut bad_lines, mut round_trip) = (Vec::new(), Vec::new());
    for fault in &findings.faults {
        match &fault.what {
            LineProblemKind::BadLine(error) => bad_lines.push(json!({"line": fault.line, "error": error})),
            LineProblemKind::RoundTrip(kind, path) => {
                round_trip.push(json!({"line": fault.line, "kind": kind, "path": path}));
            }
        }
    }
    let report = json!({
        "ok": !findings.failed(strict),
        "lines": findings.lines,
        "bytes": findings.bytes,
        "frames": findings.frames,
        "faults": findings.all_faults(),
        "kinds": kinds,
        "bad_lines": bad_lines,
        "round_trip_faults": round_trip,
        "unknown_kinds": list(Class::UnknownKind),
        "misfits": list(Class::Misfit),
        "unknown_fields": list(Class::UnknownField),
        "unexpected_shapes": list(Class::UnexpectedShape),
        "unknown_names": list(Class::UnknownName),
        "left_out": findings.left_out,
    });
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)?;
    Ok(())
}

fn of_drift(drift: &Drift) -> Value {
    let mut value = json!({
        "kind": drift.kind,
        "path": drift.path,
        "count": drift.seen.count,
        "line": drift.seen.line,
    });
    let name = match drift.class {
        Class::UnknownKind | Class::Misfit | Class::UnknownName => "name",
        Class::UnknownField | Class::UnexpectedShape => "example",
    };
    value[name] = drift.example.as_str().into();
    if !drift.family.is_empty() {
        value["family"] = drift.family.into();
    }
    if !drift.wanted.is_empty() {
        value["wanted"] = drift.wanted.into();
    }
    value
}
