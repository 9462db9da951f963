use std::collections::{BTreeMap, BTreeSet};

use aqueduct_wire::FromAgent;
use aqueduct_wire::table::{Definition, Presence, Record, Shape, Union, Variant};

use crate::message::http::{BODIES, TAKEN_BODIES};
use crate::message::refusal::OPEN_LISTS;
use crate::message::{BridgeMessage, ClientMessage};

/// Who writes what a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The bridge. It may send names and kinds that a client does not know.
    Sent,
    /// A client. The bridge refuses names and kinds that it does not know.
    Taken,
}

/// How the types of the document are used.
#[derive(Default)]
pub(super) struct Reach {
    /// All types.
    met: BTreeSet<&'static str>,
    /// What the bridge sends.
    sent: BTreeSet<&'static str>,
    /// Records that are a member, an item or a body by themselves, without a discriminator.
    plain: BTreeSet<&'static str>,
    /// By the record: the kinds that have its members.
    kinds: BTreeMap<&'static str, Vec<(&'static Union, &'static Variant)>>,
}

impl Reach {
    pub(super) fn new() -> Self {
        let mut reach = Reach::default();
        let is_taken = |body: &Definition| TAKEN_BODIES.iter().any(|taken| taken.name() == body.name());
        reach.plain.extend(BODIES.iter().map(|body| body.name()));
        reach.visit(BridgeMessage::DEFINITION);
        BODIES.iter().filter(|body| !is_taken(body)).for_each(|body| reach.visit(body));
        reach.sent = reach.met.clone();
        if let Definition::Union(union) = ClientMessage::DEFINITION {
            for variant in union.variants {
                if let Definition::Record(record) = (variant.definition)() {
                    reach.visit_members(record);
                }
            }
        }
        TAKEN_BODIES.iter().for_each(|body| reach.visit(body));
        reach
    }

    fn visit(&mut self, definition: &'static Definition) {
        if !self.met.insert(definition.name()) || is_opaque(definition) {
            return;
        }
        match definition {
            Definition::Record(record) => self.visit_members(record),
            Definition::Union(union) => {
                for variant in union.variants {
                    let inner = (variant.definition)();
                    self.kinds.entry(inner.name()).or_default().push((union, variant));
                    self.visit(inner);
                }
            }
            _ => {}
        }
    }

    fn visit_members(&mut self, record: &'static Record) {
        record.fields.iter().for_each(|field| self.visit_shape(&(field.shape)()));
    }

    fn visit_shape(&mut self, shape: &Shape) {
        match shape {
            Shape::List(item) | Shape::Map(item) => self.visit_shape(item),
            Shape::Either(shapes) => shapes.iter().for_each(|shape| self.visit_shape(shape)),
            Shape::Defined(definition) => {
                self.plain.insert(definition.name());
                self.visit(definition);
            }
            _ => {}
        }
    }

    /// The only kind with the members of a record, if the record is used for nothing else. Its schema has the discriminator.
    pub(super) fn only_kind(&self, record: &str) -> Option<(&'static Union, &'static Variant)> {
        match self.kinds.get(record).map(Vec::as_slice) {
            Some([only]) if !self.plain.contains(record) => Some(*only),
            _ => None,
        }
    }

    /// The name of a type's schema. What is sent and what is taken have two where they differ.
    pub(super) fn name(&self, definition: &'static Definition, direction: Direction) -> String {
        let name = definition.name();
        let is_other = direction == Direction::Taken
            && self.sent.contains(name)
            && differs(definition, &mut BTreeSet::new());
        if is_other { format!("{name}Param") } else { name.to_owned() }
    }

    /// The name of a kind's schema: the record's where it has only one use.
    pub(super) fn kind_name(
        &self,
        definition: &'static Definition,
        variant: &'static Variant,
        direction: Direction,
    ) -> String {
        let inner = (variant.definition)();
        match self.only_kind(inner.name()) {
            Some(_) => self.name(inner, direction),
            None => format!("{}{}", pascal(variant.tag), self.name(definition, direction)),
        }
    }
}

/// Whether a type is passed on as it came: frames of agents have a schema of their own.
pub(super) fn is_opaque(definition: &Definition) -> bool {
    definition.name() == FromAgent::DEFINITION.name()
}

/// Whether a list of names also takes names that are not in it.
pub(super) fn takes_others(names: &str) -> bool {
    OPEN_LISTS.contains(&names)
}

/// Whether what is taken differs from what is sent.
fn differs(definition: &'static Definition, seen: &mut BTreeSet<&'static str>) -> bool {
    if is_opaque(definition) || !seen.insert(definition.name()) {
        return false;
    }
    match definition {
        Definition::Names(names) => !takes_others(names.name),
        Definition::Union(_) => true,
        Definition::Record(record) => record.fields.iter().any(|field| {
            is_certain(field.since) && field.presence == Presence::Optional
                || shape_differs(&(field.shape)(), seen)
        }),
        _ => false,
    }
}

fn shape_differs(shape: &Shape, seen: &mut BTreeSet<&'static str>) -> bool {
    match shape {
        Shape::List(item) | Shape::Map(item) => shape_differs(item, seen),
        Shape::Either(shapes) => shapes.iter().any(|shape| shape_differs(shape, seen)),
        Shape::Defined(definition) => differs(definition, seen),
        _ => false,
    }
}

/// Whether a member is exactly as its table states: the bridge's own are. Agents of other versions may leave one out, or
/// send `null`.
pub(super) fn is_certain(since: &str) -> bool {
    since == "1"
}

/// `tool_result` and `addRules` as `ToolResult` and `AddRules`.
fn pascal(tag: &str) -> String {
    tag.split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect()
}
