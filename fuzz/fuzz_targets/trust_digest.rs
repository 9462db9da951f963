//! Any JSON text as what a project folder provides: its encoding depends on what it means and on nothing else, two
//! different meanings never share one, and fields never run into each other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

#[allow(dead_code)]
#[path = "../../crates/aqueduct-agent/src/provision/digest.rs"]
mod digest;

use digest::{FieldEncoding, ProvisionDigest};

fuzz_target!(|data: &[u8]| {
    let cut = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (one, other) = (&data[..cut], data.get(cut + 1..).unwrap_or_default());
    texts(one, other);
    if let Ok(text) = std::str::from_utf8(one) {
        // Text that is not a digest is rejected, and a digest is written as it was read.
        if let Some(digest) = ProvisionDigest::parse(text) {
            assert_eq!(digest.to_string(), text.to_ascii_lowercase());
        }
    }
    let (Ok(one), Ok(other)) = (serde_json::from_slice::<Value>(one), serde_json::from_slice::<Value>(other))
    else {
        return;
    };
    // -0.0 is 0.0 to a comparison, and another text: that difference may be seen.
    if encoded(&one) == encoded(&other) {
        assert_eq!(one, other);
        assert_eq!(encoded(&one).digest(), encoded(&other).digest());
    }
    let Ok(pretty) = serde_json::to_string_pretty(&one) else { return };
    let Ok(again) = serde_json::from_str::<Value>(&pretty) else { panic!("JSON is read back") };
    // serde_json reads some numbers with a fraction or an exponent one unit in the last place off, such as `27E233`, so
    // that another spelling may be another number.
    assert_eq!(one == again, encoded(&one) == encoded(&again));
    assert!(one == again || has_fraction(&one));
});

fn encoded(value: &Value) -> FieldEncoding {
    let mut encoding = FieldEncoding::new("fuzz");
    encoding.value(value);
    encoding
}

fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(items) => items.iter().any(has_fraction),
        Value::Object(members) => members.values().any(has_fraction),
        _ => false,
    }
}

/// The same bytes cut into other fields are something else.
fn texts(one: &[u8], other: &[u8]) {
    let fields = |fields: &[&[u8]]| {
        let mut encoding = FieldEncoding::new("fuzz");
        fields.iter().for_each(|field| encoding.bytes(field));
        encoding
    };
    assert_eq!(one == other, fields(&[one, other]) == fields(&[other, one]));
    assert_ne!(fields(&[one, other]), fields(&[&[one, other].concat()]));
    let half = one.len() / 2;
    if half > 0 {
        assert_ne!(fields(&[one, other]), fields(&[&one[..half], &[&one[half..], other].concat()]));
    }
}
