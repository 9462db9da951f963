//! The bill of materials: the libraries in the programs, in the form of CycloneDX 1.5.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::components::{self, Component};
use super::payload;
use crate::workspace::Workspace;

pub(super) fn write(workspace: &Workspace, folder: &Path) -> Result<()> {
    let version = payload::version(workspace)?;
    let document = document(&version, &components::of_programs(workspace)?);
    let path = folder.join(format!("aqueduct-{version}.cdx.json"));
    let text = format!("{}\n", serde_json::to_string_pretty(&document)?);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn document(version: &str, components: &[Component]) -> Value {
    let purl = |component: &Component| format!("pkg:cargo/{}@{}", component.name, component.version);
    let rows: Vec<Value> = components
        .iter()
        .map(|component| {
            let mut row = json!({
                "type": "library",
                "bom-ref": purl(component),
                "name": component.name,
                "version": component.version,
                "purl": purl(component),
            });
            if !component.licence.is_empty() {
                row["licenses"] = json!([{ "expression": component.licence }]);
            }
            if let Some(sum) = &component.checksum {
                row["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
            }
            if let Some(url) = &component.repository {
                row["externalReferences"] = json!([{ "type": "vcs", "url": url }]);
            }
            row
        })
        .collect();
    let own = format!("pkg:cargo/aqueduct@{version}");
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "aqueduct",
                "version": version,
                "purl": own,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": rows,
        "dependencies": [{ "ref": own, "dependsOn": components.iter().map(purl).collect::<Vec<_>>() }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_has_its_name_licence_and_checksum() {
        let component = Component {
            name: "a".to_owned(),
            version: "1.2.3".to_owned(),
            licence: "MIT OR Apache-2.0".to_owned(),
            repository: Some("https://example.org/a".to_owned()),
            folder: "a".into(),
            checksum: Some("ff".to_owned()),
        };
        let document = document("0.1.0", &[component]);
        assert_eq!(document["metadata"]["component"]["purl"], "pkg:cargo/aqueduct@0.1.0");
        assert_eq!(document["dependencies"][0]["dependsOn"][0], "pkg:cargo/a@1.2.3");
        assert_eq!(
            document["components"][0],
            json!({
                "type": "library",
                "bom-ref": "pkg:cargo/a@1.2.3",
                "name": "a",
                "version": "1.2.3",
                "purl": "pkg:cargo/a@1.2.3",
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
                "hashes": [{ "alg": "SHA-256", "content": "ff" }],
                "externalReferences": [{ "type": "vcs", "url": "https://example.org/a" }],
            })
        );
    }

    /// The libraries of the real programs: what tests alone use is not among them.
    #[test]
    fn the_programs_libraries_are_listed() {
        let workspace = Workspace::find().expect("a workspace");
        let components = components::of_programs(&workspace).expect("components");
        let has = |name: &str| components.iter().any(|component| component.name == name);
        assert!(has("tokio") && has("libsqlite3-sys") && has("clap_derive"));
        assert!(!has("proptest") && !has("insta"), "only tests use them");
        let from_registry = components.iter().filter(|component| component.checksum.is_some()).count();
        assert_eq!(from_registry, components.len(), "each has a checksum");
        assert!(components.iter().all(|component| !component.licence.is_empty()), "each has a licence");
    }
}
