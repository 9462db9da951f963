use std::fmt::Write;

use qrcode::{Color, EcLevel, QrCode};

/// Light around the code, without which cameras do not find it.
const MARGIN: usize = 4;

/// A text as a QR code, in SVG: one path, a unit a square. `None` if it is too long for one.
pub(super) fn svg(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (at, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let (x, y) = (MARGIN + at % width, MARGIN + at / width);
            // Writing to a string does not fail.
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    let size = width + 2 * MARGIN;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/><path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_a_drawing() {
        let link = "http://127.0.0.1:8765/#pair=0123-4567-89AB-CDEF";
        let drawing = svg(link).unwrap();
        let dark = QrCode::with_error_correction_level(link, EcLevel::M).unwrap().to_colors();
        let dark = dark.into_iter().filter(|color| *color == Color::Dark).count();
        assert_eq!(drawing.matches("h1v1h-1z").count(), dark);
        assert!(drawing.starts_with("<svg ") && drawing.contains("viewBox=\"0 0 41 41\""), "{drawing:.200}");
        assert_eq!(svg(&"x".repeat(5000)), None);
    }
}
