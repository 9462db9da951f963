use qrcode::{Color, EcLevel, QrCode};

/// The light border that cameras need, in modules.
const BORDER: i32 = 2;

/// A text as a QR code of half-block characters; none where it is too long for one.
///
/// The colours are set, so that it is dark on light whatever colours the terminal has.
pub(crate) fn qr(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let width = i32::try_from(code.width()).ok()?;
    let is_dark = |x: i32, y: i32| {
        let inside = (0..width).contains(&x) && (0..width).contains(&y);
        match (inside, usize::try_from(x), usize::try_from(y)) {
            (true, Ok(x), Ok(y)) => code[(x, y)] == Color::Dark,
            _ => false,
        }
    };
    let mut picture = String::new();
    let mut y = -BORDER;
    while y < width + BORDER {
        picture.push_str("  \x1b[30;107m");
        for x in -BORDER..width + BORDER {
            picture.push(match (is_dark(x, y), is_dark(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        picture.push_str("\x1b[0m\n");
        y += 2;
    }
    Some(picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_square_with_a_border() {
        let picture = qr("http://127.0.0.1:8765/#pair=0123-4567-89AB-CDEF").unwrap();
        let lines: Vec<&str> = picture.lines().collect();
        let bare = |line: &str| line.replace("\x1b[30;107m", "").replace("\x1b[0m", "");
        let width = bare(lines[0]).strip_prefix("  ").unwrap().chars().count();
        assert!(lines.iter().all(|line| line.starts_with("  \x1b[30;107m") && line.ends_with("\x1b[0m")));
        assert!(lines.len().abs_diff(width.div_ceil(2)) <= 1, "{} lines of {width}", lines.len());
        assert!(bare(lines[0]).trim().is_empty(), "the border is light");
        assert!(width < 40, "it fits beside other things: {width}");
        assert_eq!(qr(&"x".repeat(4000)), None);
    }
}
