use super::{Definition, Shape};

/// Every definition that the roots lead to, the roots included, each once and in the order in which they are
/// met.
pub fn reachable(roots: impl IntoIterator<Item = &'static Definition>) -> Vec<&'static Definition> {
    let mut found = Vec::new();
    for root in roots {
        visit(root, &mut found);
    }
    found
}

fn visit(definition: &'static Definition, found: &mut Vec<&'static Definition>) {
    if found.iter().any(|known| known.name() == definition.name()) {
        return;
    }
    found.push(definition);
    match definition {
        Definition::Record(record) => {
            record.fields.iter().for_each(|field| visit_shape(&(field.shape)(), found));
        }
        Definition::Union(union) => {
            union.variants.iter().for_each(|variant| visit((variant.definition)(), found));
        }
        Definition::Names(_) => {}
    }
}

fn visit_shape(shape: &Shape, found: &mut Vec<&'static Definition>) {
    match shape {
        Shape::List(item) | Shape::Map(item) => visit_shape(item, found),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| visit_shape(shape, found)),
        Shape::Defined(definition) => visit(definition, found),
        Shape::Text | Shape::Number | Shape::Whole | Shape::Bool | Shape::Any => {}
    }
}
