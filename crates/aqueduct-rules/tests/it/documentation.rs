//! The examples on the page about permissions are decided as it states.

use crate::world::{decided, input, named, with_rules};

#[test]
fn the_page_is_correct() {
    let page = include_str!("../../../../docs/permissions.md");
    let blocks: Vec<&str> =
        page.split("```decide\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 7, "the page has lost its examples");
    for block in blocks {
        let mut lines = block.lines();
        let set = lines.next().expect("a mode and rules");
        let (mode, rules) = set.split_once("; ").unwrap_or((set, ""));
        let rules: Vec<&str> = rules.split("; ").filter(|rule| !rule.is_empty()).collect();
        let context = with_rules(mode, &rules);
        for line in lines {
            let mut fields = line.splitn(3, ' ');
            let (decision, tool) = (fields.next().expect("a decision"), fields.next().expect("a tool"));
            let input = input(tool, fields.next().unwrap_or_default());
            let found = decided(&context, tool, &input);
            assert_eq!(found.behavior, named(decision), "{set}: {line}: {}", found.reason);
        }
    }
}
