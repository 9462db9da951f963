//! The report of a check, for people.

use std::io::{self, Write};

use super::findings::{Class, Drift, LineProblemKind, WireFindings};
use crate::output::TerminalInfo;
use crate::terminal::{Ink, fit, grouped, plain, width as columns};

/// How many faults are listed; input that is not a stream has one a line.
const LISTED: usize = 40;

pub(super) fn write(
    findings: &WireFindings,
    strict: bool,
    screen: &TerminalInfo,
    out: &mut impl Write,
) -> io::Result<()> {
    let ink = Ink::new(screen.colour);
    let drift = findings.sorted_drift();
    summary(findings, &drift, ink, out)?;
    kinds(findings, ink, out)?;
    for (class, title) in [
        (Class::UnknownField, "Unknown members"),
        (Class::UnknownName, "Unknown names"),
        (Class::UnexpectedShape, "Members of another shape"),
        (Class::UnknownKind, "Unknown kinds"),
        (Class::Misfit, "Known kinds that lack something"),
    ] {
        let listed: Vec<_> = drift.iter().copied().filter(|drift| drift.class == class).collect();
        section(title, &listed, ink, screen.width, out)?;
    }
    faults(findings, ink, out)?;
    closing(findings, &drift, strict, ink, out)
}

fn summary(findings: &WireFindings, drift: &[&Drift], ink: Ink, out: &mut impl Write) -> io::Result<()> {
    let places = drift.iter().filter(|drift| !drift.class.is_fault()).count();
    let faults = findings.all_faults();
    let verdict = match faults {
        0 => ink.green("no fault"),
        _ => ink.red(&counted(faults, "fault", "faults")),
    };
    writeln!(
        out,
        "{}, {}, {}; {verdict}; {}",
        counted(findings.lines, "line", "lines"),
        counted(findings.frames, "frame", "frames"),
        counted(findings.sorted_kinds().len() as u64, "kind", "kinds"),
        match places {
            0 => "no drift".to_owned(),
            _ => ink.yellow(&format!("drift in {}", counted(places as u64, "place", "places"))),
        },
    )
}

fn kinds(findings: &WireFindings, ink: Ink, out: &mut impl Write) -> io::Result<()> {
    let kinds = findings.sorted_kinds();
    let width = kinds.iter().map(|(_, _, seen)| digits(seen.count)).max().unwrap_or(0);
    let mut last = None;
    for (side, kind, seen) in kinds {
        if last != Some(side) {
            writeln!(out, "\n{}", ink.bold(&format!("From the {}", side.name())))?;
            last = Some(side);
        }
        writeln!(out, "  {:>width$}  {}", grouped(seen.count), plain(kind), width = width)?;
    }
    Ok(())
}

fn section(title: &str, listed: &[&Drift], ink: Ink, width: usize, out: &mut impl Write) -> io::Result<()> {
    if listed.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", ink.bold(title))?;
    let rows: Vec<_> = listed.iter().map(|drift| (place(drift), seen(drift))).collect();
    let places = rows.iter().map(|(place, _)| columns(place)).max().unwrap_or(0);
    let counts = rows.iter().map(|(_, seen)| columns(seen)).max().unwrap_or(0);
    let mut last = "";
    for (drift, (place, seen)) in listed.iter().zip(&rows) {
        if drift.kind.as_ref() != last {
            writeln!(out, "  {}", plain(&drift.kind))?;
            last = &drift.kind;
        }
        let room = width.saturating_sub(places + counts + 8).max(30);
        let (what, seen) = (fit(&what(drift), room), ink.dim(&format!("{seen:<counts$}")));
        writeln!(out, "    {place:<places$}  {seen}  {what}")?;
    }
    Ok(())
}

fn place(drift: &Drift) -> String {
    if drift.path.is_empty() { "the frame".to_owned() } else { plain(&drift.path) }
}

fn seen(drift: &Drift) -> String {
    match drift.seen.count {
        1 => format!("line {}", drift.seen.line),
        count => format!("{} times from line {}", grouped(count), drift.seen.line),
    }
}

fn what(drift: &Drift) -> String {
    let (family, example) = (family(drift.family), plain(&drift.example));
    match drift.class {
        Class::UnknownKind if example.is_empty() => format!("no {family} at all"),
        Class::UnknownKind | Class::UnknownName => format!("{family} {example:?}"),
        Class::Misfit => format!("{family} {example:?} without {}", drift.wanted),
        Class::UnknownField | Class::UnexpectedShape => example,
    }
}

/// The name of a family of kinds in the words of the wire.
fn family(family: &'static str) -> &'static str {
    match family {
        "FromAgent" | "ToAgent" => "type",
        "SystemFrame" => "subtype",
        "HostRequest" | "AgentRequest" => "request",
        "ContentBlock" => "block",
        "StreamEvent" => "event",
        "Delta" => "delta",
        "HookInput" => "hook event",
        other => other,
    }
}

fn faults(findings: &WireFindings, ink: Ink, out: &mut impl Write) -> io::Result<()> {
    if findings.faults.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", ink.bold("Faults"))?;
    for fault in findings.faults.iter().take(LISTED) {
        let what = match &fault.what {
            LineProblemKind::BadLine(error) => plain(error),
            LineProblemKind::RoundTrip(kind, "") => format!("{} differs when written back", plain(kind)),
            LineProblemKind::RoundTrip(kind, place) => {
                format!("{}: {place} differs when written back", plain(kind))
            }
        };
        writeln!(out, "  line {}: {}", fault.line, ink.red(&what))?;
    }
    let more = findings.fault_count.saturating_sub(LISTED.min(findings.faults.len()) as u64);
    if more > 0 {
        writeln!(out, "  and {} more", grouped(more))?;
    }
    Ok(())
}

/// What to do next.
fn closing(
    findings: &WireFindings,
    drift: &[&Drift],
    strict: bool,
    ink: Ink,
    out: &mut impl Write,
) -> io::Result<()> {
    let is_round_trip =
        findings.faults.iter().any(|fault| matches!(fault.what, LineProblemKind::RoundTrip(..)));
    let is_unknown = drift.iter().any(|drift| drift.class.is_fault());
    let text = if findings.lines == 0 {
        "There was nothing to check: give a file, or pipe a stream in."
    } else if is_round_trip {
        "Next: a frame must never change on its way; report the lines above as a fault of aqueduct."
    } else if is_unknown {
        "Next: the agent sends kinds that aqueduct does not know. They are passed on unchanged; update aqueduct, or report them."
    } else if !findings.faults.is_empty() {
        "Next: look at what else writes to this stream; only frames may."
    } else if drift.is_empty() {
        "All of it is known. Nothing to do."
    } else if strict {
        "Next: the members and names above are new. They are passed on untouched; update aqueduct, or report them."
    } else {
        "Nothing is lost: the members and names above are new and are passed on untouched. Update aqueduct to have them typed."
    };
    if findings.left_out > 0 {
        writeln!(out, "\n{} further findings had no room here.", grouped(findings.left_out))?;
    }
    writeln!(out, "\n{}", ink.dim(text))
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

fn digits(count: u64) -> usize {
    grouped(count).len()
}
