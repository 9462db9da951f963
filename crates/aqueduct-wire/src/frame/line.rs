//! From a line to a frame and back.

/// Gives a family of frames its reader and writer.
macro_rules! frame {
    ($name:ident) => {
        impl<'a> $name<'a> {
            /// Reads a frame from its line. Any JSON object is a frame: one that can't be typed is
            /// `Unknown` and keeps everything. The frame borrows from the line; `into_owned` copies what
            /// it borrows.
            pub fn parse(line: &'a str) -> Result<Self, crate::json::ParseError> {
                let mut reader = crate::json::Reader::new(line);
                let is_object = reader.peek() == Some(b'{');
                let frame = <Self as crate::json::Json>::read(&mut reader).map_err(|fault| match fault {
                    crate::json::Fault::Parse(error) => error,
                    crate::json::Fault::Misfit(_) | crate::json::Fault::Retag => {
                        crate::json::ParseError::NotAnObject
                    }
                })?;
                reader.end()?;
                if is_object { Ok(frame) } else { Err(crate::json::ParseError::NotAnObject) }
            }

            /// Reads a frame from the bytes of its line.
            pub fn parse_bytes(line: &'a [u8]) -> Result<Self, crate::json::ParseError> {
                match std::str::from_utf8(line) {
                    Ok(line) => Self::parse(line),
                    Err(error) => Err(crate::json::ParseError::NotUtf8 { offset: error.valid_up_to() }),
                }
            }

            /// Reads a frame and keeps the line beside it.
            pub fn parse_kept(
                line: &'a str,
            ) -> Result<crate::frame::FrameWithLine<'a, Self>, crate::json::ParseError> {
                Ok(crate::frame::FrameWithLine { frame: Self::parse(line)?, line: line.into() })
            }

            /// The frame as a line, without the line end. It contains no other line end, not even
            /// one of Unicode's.
            pub fn to_line(&self) -> String {
                self.to_line_in(512)
            }

            /// The same where it is known about how long the line gets: a large one then never moves while it
            /// grows, and is not held twice.
            pub fn to_line_in(&self, capacity: usize) -> String {
                let mut line = String::with_capacity(capacity);
                crate::json::Json::write(self, &mut line);
                crate::json::protect_line_ends(line)
            }

            /// Visits everything in the frame that was kept without a type.
            pub fn leftovers(&self, visit: &mut dyn FnMut(crate::json::Leftover<'_>)) {
                crate::json::Json::leftovers(self, &mut crate::json::Walk::new(visit));
            }
        }
    };
}

pub(crate) use frame;
