//! The tables hang together.

use std::collections::BTreeMap;

use aqueduct_bridge::message::bridge::{Assistant, PASSING_FRAMES, SessionDeleted, StatusChange, TextGrowth};
use aqueduct_bridge::message::client::{InputImage, Start};
use aqueduct_bridge::message::{BridgeMessage, ClientMessage, Delivery, ERROR_CODES, ErrorCode};
use aqueduct_wire::FromAgent;
use aqueduct_wire::message::AssistantMessage;
use aqueduct_wire::table::{Definition, Shape, Union};

fn kinds(definition: &'static Definition) -> &'static Union {
    match definition {
        Definition::Union(union) => union,
        other => panic!("{} is not a union", other.name()),
    }
}

/// A definition's description of itself, to distinguish two of the same name.
fn face(definition: &Definition) -> String {
    match definition {
        Definition::Record(record) => {
            format!("{:?} {:?}", record.doc, record.fields.iter().map(|field| field.key).collect::<Vec<_>>())
        }
        Definition::Union(union) => format!("{:?} {}", union.doc, union.variants.len()),
        Definition::Names(names) => format!("{:?} {:?}", names.doc, names.values),
        _ => panic!("a definition of a kind that this test does not know"),
    }
}

fn meet(definition: &'static Definition, met: &mut BTreeMap<(&'static str, String), ()>) {
    if met.insert((definition.name(), face(definition)), ()).is_some() {
        return;
    }
    match definition {
        Definition::Record(record) => {
            record.fields.iter().for_each(|field| meet_shape(&(field.shape)(), met));
        }
        Definition::Union(union) => union.variants.iter().for_each(|kind| meet((kind.definition)(), met)),
        _ => {}
    }
}

fn meet_shape(shape: &Shape, met: &mut BTreeMap<(&'static str, String), ()>) {
    match shape {
        Shape::List(item) | Shape::Map(item) => meet_shape(item, met),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| meet_shape(shape, met)),
        Shape::Defined(definition) => meet(definition, met),
        _ => {}
    }
}

#[test]
fn no_two_types_have_one_name() {
    let mut met = BTreeMap::new();
    meet(ClientMessage::DEFINITION, &mut met);
    meet(BridgeMessage::DEFINITION, &mut met);
    let names: Vec<&str> = met.keys().map(|(name, _)| *name).collect();
    let twice: Vec<&&str> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty(), "in TypeScript and the docs these would be one type: {twice:?}");
}

#[test]
fn every_request_has_a_request_id_and_a_reply_that_repeats_it() {
    for variant in kinds(ClientMessage::DEFINITION).variants {
        let Definition::Record(record) = (variant.definition)() else {
            panic!("{} is not a record", variant.tag)
        };
        assert!(record.fields.iter().any(|field| field.key == "requestId"), "{}", variant.tag);
    }
    for (request, replies) in ClientMessage::REPLIES {
        for reply in *replies {
            let kind = kinds(BridgeMessage::DEFINITION).variants.iter().find(|kind| kind.tag == *reply);
            let kind =
                kind.unwrap_or_else(|| panic!("{request} is answered with {reply}, which does not exist"));
            let Definition::Record(record) = (kind.definition)() else { panic!("{reply} is not a record") };
            assert!(record.fields.iter().any(|field| field.key == "requestId"), "{reply}");
        }
    }
}

#[test]
fn messages_carry_what_their_delivery_promises() {
    for (kind, delivery) in BridgeMessage::DELIVERIES {
        let variant = kinds(BridgeMessage::DEFINITION).variants.iter().find(|row| row.tag == *kind).unwrap();
        let Definition::Record(record) = (variant.definition)() else { panic!("{kind} is not a record") };
        let has = |key: &str| record.fields.iter().any(|field| field.key == key);
        let stored = *delivery == Delivery::Stored;
        assert_eq!(has("seq") && has("time") && has("sessionId"), stored, "{kind}");
        if *delivery == Delivery::Live {
            assert!(has("sessionId"), "{kind}");
        }
    }
}

#[test]
fn a_stamp_marks_session_and_place() {
    let mut answer = BridgeMessage::from(Assistant::new(AssistantMessage::new(Vec::new())));
    answer.stamp("s-1", || (7, 1793404800000));
    assert_eq!(
        answer.to_json(),
        r#"{"type":"assistant","message":{"content":[],"stop_reason":null,"stop_sequence":null},"sessionId":"s-1","seq":7,"time":1793404800000}"#
    );

    let never = || -> (u64, u64) { panic!("only what is stored has a place") };
    let mut delta = BridgeMessage::from(TextGrowth::new("so"));
    delta.stamp("s-1", never);
    assert_eq!(delta.to_json(), r#"{"type":"stream_delta","text":"so","sessionId":"s-1"}"#);

    let mut notice = BridgeMessage::from(SessionDeleted::new("s-2"));
    notice.stamp("s-1", never);
    assert_eq!(notice.to_json(), r#"{"type":"session_deleted","sessionId":"s-2"}"#);
    assert_eq!(BridgeMessage::from(StatusChange::new("idle")).delivery(), Some(Delivery::Live));
}

#[test]
fn a_start_includes_its_first_input() {
    let mut start = Start::new("/proj/api");
    assert_eq!(start.first_input(), None);
    start.text = Some(" ".into());
    assert_eq!(start.first_input(), None);

    start.text = Some("Run the tests".into());
    start.client_message_id = Some("c-1".into());
    start.images = Some(vec![InputImage::new("image/png", "iVBORw0KGgo=")]);
    let input = start.first_input().map(|input| ClientMessage::from(input).to_json());
    assert_eq!(
        input.as_deref(),
        Some(
            r#"{"type":"input","text":"Run the tests","clientMessageId":"c-1","images":[{"mediaType":"image/png","data":"iVBORw0KGgo="}]}"#
        )
    );
}

#[test]
fn error_codes_have_a_status_and_a_description() {
    for (code, status, doc) in ERROR_CODES {
        assert!(!doc.is_empty(), "{code}");
        assert!((400..600).contains(status), "{code}");
        assert_eq!(ErrorCode::from(*code).http_status(), *status);
    }
    assert_eq!(ErrorCode::from("brand_new").http_status(), 500);
}

#[test]
fn passing_frames_are_frames() {
    for (kind, subtype) in PASSING_FRAMES {
        let frames = kinds(FromAgent::DEFINITION).variants;
        let frame = frames.iter().find(|frame| frame.tag == *kind).unwrap_or_else(|| panic!("{kind}"));
        if !subtype.is_empty() {
            let subtypes = kinds((frame.definition)()).variants;
            assert!(subtypes.iter().any(|frame| frame.tag == *subtype), "{kind}/{subtype}");
        }
    }
}
