//! `cargo xtask tidy`: the rules of the project that a compiler does not check.
//!
//! One small function a check, each in the file of its noun, all in the table below.

mod arrows;
mod bans;
mod code;
mod crate_docs;
mod cycles;
mod early_returns;
mod finding;
mod fixtures;
mod layout;
mod leftovers;
mod licences;
mod links;
mod manifests;
mod markdown;
mod modules;
mod named_files;
mod packaging;
mod places;
mod printing;
mod publishing;
mod purity;
mod retired_words;
mod sizes;
mod system;
mod threat_model;
mod tree;
mod type_names;

use anyhow::{Result, bail};

use self::finding::{Finding, Weight};
use self::tree::Tree;
use crate::conformance;
use crate::generate;
use crate::metadata::Metadata;
use crate::terminal;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run only these checks; `cargo xtask tidy --list` names them
    checks: Vec<String>,
    /// List the checks and end
    #[arg(long)]
    list: bool,
}

/// What checks look at, read once.
struct Evidence<'a> {
    workspace: &'a Workspace,
    tree: Tree,
    metadata: Metadata,
}

struct Check {
    name: &'static str,
    about: &'static str,
    run: fn(&Evidence<'_>) -> Result<Vec<Finding>>,
}

const CHECKS: &[Check] = &[
    Check {
        name: "arrows",
        about: "our crates depend on each other as on the map",
        run: |e| Ok(arrows::check(&e.metadata)),
    },
    Check {
        name: "pure-deps",
        about: "pure crates bring in nothing that does I/O",
        run: |e| purity::dependencies(e.workspace, &e.tree),
    },
    Check {
        name: "pure-code",
        about: "pure crates touch no file, clock, environment or process",
        run: |e| Ok(purity::sources(&e.tree)),
    },
    Check {
        name: "system-deps",
        about: "only aqueduct-os and aqueduct-sandbox depend on rustix, libc, landlock and seccompiler",
        run: |e| Ok(system::dependencies(&e.metadata)),
    },
    Check {
        name: "system-code",
        about: "only aqueduct-os and aqueduct-sandbox assume Linux",
        run: |e| Ok(system::sources(&e.tree)),
    },
    Check {
        name: "manifests",
        about: "versions and lints come from the workspace",
        run: |e| Ok(manifests::check(&e.tree)),
    },
    Check {
        name: "publishing",
        about: "published packages have their metadata, licence files and a README with a tested example",
        run: |e| Ok(publishing::check(&e.tree)),
    },
    Check {
        name: "licences",
        about: "every dependency's licence is allowed",
        run: |e| Ok(licences::check(&e.metadata)),
    },
    Check { name: "bans", about: "no banned crate", run: |e| Ok(bans::banned(&e.metadata)) },
    Check {
        name: "duplicates",
        about: "crates in several versions (notes only)",
        run: |e| Ok(bans::duplicates(&e.metadata)),
    },
    Check { name: "sizes", about: "one noun a file", run: |e| Ok(sizes::check(&e.tree)) },
    Check { name: "modules", about: "no Rust file is forgotten", run: |e| Ok(modules::check(&e.tree)) },
    Check {
        name: "cycles",
        about: "modules of a crate depend on each other in one direction",
        run: |e| Ok(cycles::check(&e.tree)),
    },
    Check {
        name: "type-names",
        about: "a type name is defined once, unless it is the same idea",
        run: |e| Ok(type_names::check(&e.tree)),
    },
    Check {
        name: "fixtures",
        about: "every fixture is read by a test",
        run: |e| Ok(fixtures::check(&e.tree)),
    },
    Check {
        name: "early-returns",
        about: "no test passes without testing",
        run: |e| Ok(early_returns::check(&e.tree)),
    },
    Check {
        name: "links",
        about: "links and anchors in the docs lead somewhere",
        run: |e| Ok(links::check(&e.tree)),
    },
    Check {
        name: "named-files",
        about: "every file that a document names exists",
        run: |e| Ok(named_files::check(&e.tree)),
    },
    Check {
        name: "conformance",
        about: "docs/conformance.md has the tables of the code",
        run: |e| Ok(conformance_docs(&e.tree)),
    },
    Check {
        name: "crate-docs",
        about: "every crate documents its purpose",
        run: |e| Ok(crate_docs::check(&e.tree)),
    },
    Check {
        name: "layout",
        about: "the programs' linker scripts name functions that exist",
        run: |e| Ok(layout::check(&e.tree)),
    },
    Check { name: "leftovers", about: "nothing unfinished", run: |e| Ok(leftovers::check(&e.tree)) },
    Check {
        name: "retired-words",
        about: "the established terms are used, not the retired ones",
        run: |e| Ok(retired_words::check(&e.tree)),
    },
    Check {
        name: "places",
        about: "no path of one machine, no registry's host",
        run: |e| Ok(places::check(&e.tree)),
    },
    Check { name: "printing", about: "only the output module prints", run: |e| Ok(printing::check(&e.tree)) },
    Check {
        name: "packaging",
        about: "the Dockerfile copies files that exist; workflows use fixed versions and few rights",
        run: |e| Ok(packaging::check(&e.tree)),
    },
    Check {
        name: "threat-model",
        about: "every test that docs/threat-model.md names exists",
        run: |e| Ok(threat_model::check(&e.tree)),
    },
    Check { name: GENERATED, about: "generated files are up to date", run: |e| generated(e.workspace) },
];

/// The one check that has to build something.
pub(crate) const GENERATED: &str = "generated";

fn generated(workspace: &Workspace) -> Result<Vec<Finding>> {
    let stale = generate::compare(workspace)?.stale;
    Ok(stale.iter().map(|file| Finding::error(&file.path, None, file.what_to_do())).collect())
}

fn conformance_docs(tree: &Tree) -> Vec<Finding> {
    let page = tree.get(conformance::DOCS).map_or("", |page| page.text.as_str());
    conformance::check_docs(page)
        .map(|what| Finding::error(conformance::DOCS, None, what))
        .into_iter()
        .collect()
}

/// A check that was made.
pub(crate) struct Checked {
    name: &'static str,
    about: &'static str,
    findings: Vec<Finding>,
}

impl Checked {
    pub(crate) fn failed(&self) -> bool {
        self.findings.iter().any(|finding| finding.weight == Weight::Error)
    }

    /// The check and what it found, for a person.
    pub(crate) fn text(&self) -> String {
        let paint = terminal::stdout();
        let mark = if self.failed() { paint.red("failed") } else { paint.green("ok") };
        let mut lines = vec![format!("{mark} {}: {}", self.name, self.about)];
        lines.extend(self.findings.iter().map(|finding| match finding.weight {
            Weight::Error => format!("   {finding}"),
            Weight::Note => format!("   {}", paint.dim(&format!("note: {finding}"))),
        }));
        lines.join("\n")
    }
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<bool> {
    if args.list {
        let row = |check: &Check| vec![check.name.to_owned(), check.about.to_owned()];
        let rows: Vec<_> = CHECKS.iter().map(row).collect();
        println!("{}", terminal::table(&["check", "what it holds"], &rows));
        return Ok(true);
    }
    if let Some(unknown) = args.checks.iter().find(|name| !CHECKS.iter().any(|check| check.name == **name)) {
        bail!("unknown check {unknown}: `cargo xtask tidy --list` names them all");
    }
    let wanted = |name: &str| args.checks.is_empty() || args.checks.iter().any(|check| check == name);
    let checked = inspect(workspace, wanted)?;
    for check in &checked {
        println!("{}", check.text());
    }
    let failed = checked.iter().filter(|check| check.failed()).count();
    println!("{} checks passed, {failed} failed", checked.len() - failed);
    Ok(failed == 0)
}

/// Makes the wanted checks.
pub(crate) fn inspect(workspace: &Workspace, wanted: impl Fn(&str) -> bool) -> Result<Vec<Checked>> {
    let evidence = Evidence { workspace, tree: Tree::read(workspace)?, metadata: Metadata::read(workspace)? };
    let make = |check: &Check| {
        // A check that could not be made has not passed; the others still report their findings.
        let findings = (check.run)(&evidence).unwrap_or_else(|error| {
            vec![Finding::error(check.name, None, format!("could not be checked: {error:#}"))]
        });
        Checked { name: check.name, about: check.about, findings }
    };
    Ok(CHECKS.iter().filter(|check| wanted(check.name)).map(make).collect())
}
