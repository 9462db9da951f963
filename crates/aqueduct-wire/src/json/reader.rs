use super::{Expected, Extra, Fault, Json, MAX_DEPTH, ParseError, Raw, Str, Tags, scan};

/// Walks a line from left to right. Its position is the first byte of a value, or between two.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    rereads: u8,
}

/// How many objects of a line are read a second time because their discriminator occurs in them twice. No
/// known program writes such objects; without a bound, ones inside each other would double the work with each
/// level.
const MAX_REREADS: u8 = 8;

/// A place to come back to.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// A reader on the first value of `text`.
    pub fn new(text: &'a str) -> Self {
        Reader { text, at: scan::space(text.as_bytes(), 0), depth: 0, rereads: 0 }
    }

    #[inline(always)]
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    /// The byte at the reader's position.
    #[inline(always)]
    pub fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// This place, to come back to with [`Reader::reset`].
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark { at: self.at, depth: self.depth }
    }

    /// Goes back.
    #[inline]
    pub fn reset(&mut self, mark: Mark) {
        self.at = mark.at;
        self.depth = mark.depth;
    }

    /// Whether one more object may be read a second time. If not, it is kept as it came.
    pub fn may_read_again(&mut self) -> bool {
        let may = self.rereads < MAX_REREADS;
        self.rereads += u8::from(may);
        may
    }

    /// Checks that nothing but white space follows.
    pub fn end(&self) -> Result<(), ParseError> {
        match scan::space(self.bytes(), self.at) {
            at if at == self.text.len() => Ok(()),
            at => Err(ParseError::Syntax { offset: at, expected: Expected::End }),
        }
    }

    #[inline]
    fn enter(&mut self, bracket: u8, what: &'static str) -> Result<(), Fault> {
        if self.peek() != Some(bracket) {
            return Err(self.misfit(what));
        }
        if self.depth == MAX_DEPTH {
            return Err(ParseError::TooDeep { offset: self.at }.into());
        }
        self.depth += 1;
        self.at = scan::space(self.bytes(), self.at + 1);
        Ok(())
    }

    /// There is something else than `what` here: a mismatch if it is a value at all.
    #[cold]
    fn misfit(&self, what: &'static str) -> Fault {
        match scan::value(self.bytes(), self.at, self.depth) {
            Ok(_) => Fault::Misfit(what),
            Err(error) => Fault::Parse(error),
        }
    }

    /// Steps into an object. Its members follow with [`Reader::next_key`].
    #[inline]
    pub fn open_object(&mut self) -> Result<(), Fault> {
        self.enter(b'{', "an object")
    }

    /// The next member's name, with the reader on its value; `None` after the last, with the reader
    /// behind the object.
    #[inline]
    pub fn next_key(&mut self, first: bool) -> Result<Option<Str<'a>>, ParseError> {
        // The way nearly every member is written: no white space, no escape.
        let bytes = self.bytes();
        let quote = self.at + usize::from(!first);
        if (first || bytes.get(self.at) == Some(&b',')) && bytes.get(quote) == Some(&b'"') {
            let end = scan::next_special(bytes, quote + 1);
            if let Some([b'"', b':', value]) = bytes.get(end..end + 3)
                && *value > b' '
            {
                self.at = end + 2;
                return Ok(Some(Str::from_token(&self.text[quote + 1..end], false)));
            }
        }
        self.next_key_in_any_form(first)
    }

    fn next_key_in_any_form(&mut self, first: bool) -> Result<Option<Str<'a>>, ParseError> {
        let bytes = self.bytes();
        let mut at = scan::space(bytes, self.at);
        match bytes.get(at) {
            Some(b'}') => {
                self.at = at + 1;
                self.depth -= 1;
                return Ok(None);
            }
            Some(b',') if !first => at = scan::space(bytes, at + 1),
            _ if first => {}
            _ => return Err(ParseError::Syntax { offset: at, expected: Expected::CommaOrEnd }),
        }
        if bytes.get(at) != Some(&b'"') {
            return Err(ParseError::Syntax { offset: at, expected: Expected::Key });
        }
        let (end, escaped) = scan::string(bytes, at + 1)?;
        let token = &self.text[at + 1..end];
        at = scan::space(bytes, end + 1);
        if bytes.get(at) != Some(&b':') {
            return Err(ParseError::Syntax { offset: at, expected: Expected::Colon });
        }
        self.at = scan::space(bytes, at + 1);
        Ok(Some(Str::from_token(token, escaped)))
    }

    /// Steps into an array. Its items follow with [`Reader::next_item`].
    #[inline]
    pub fn open_array(&mut self) -> Result<(), Fault> {
        self.enter(b'[', "an array")
    }

    /// Whether another item follows, with the reader on it; if not, the reader is behind the array.
    #[inline]
    pub fn next_item(&mut self, first: bool) -> Result<bool, ParseError> {
        let bytes = self.bytes();
        let at = scan::space(bytes, self.at);
        match bytes.get(at) {
            Some(b']') => {
                self.at = at + 1;
                self.depth -= 1;
                Ok(false)
            }
            Some(b',') if !first => {
                self.at = scan::space(bytes, at + 1);
                Ok(true)
            }
            _ if first => Ok(true),
            _ => Err(ParseError::Syntax { offset: at, expected: Expected::CommaOrEnd }),
        }
    }

    /// The string here.
    #[inline]
    pub fn string(&mut self) -> Result<Str<'a>, Fault> {
        if self.peek() != Some(b'"') {
            return Err(self.misfit("a string"));
        }
        let start = self.at + 1;
        let (end, escaped) = scan::string(self.bytes(), start)?;
        self.at = end + 1;
        Ok(Str::from_token(&self.text[start..end], escaped))
    }

    /// The digits of the number here.
    #[inline]
    pub fn number(&mut self) -> Result<&'a str, Fault> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.misfit("a number"));
        }
        let start = self.at;
        self.at = scan::number(self.bytes(), start)?;
        Ok(&self.text[start..self.at])
    }

    /// The boolean here.
    #[inline]
    pub fn boolean(&mut self) -> Result<bool, Fault> {
        let rest = self.bytes().get(self.at..).unwrap_or_default();
        for (word, value) in [("true", true), ("false", false)] {
            if rest.starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.misfit("true or false"))
    }

    /// Steps over `null`, if that is here.
    #[inline]
    pub fn null(&mut self) -> bool {
        let is_null = self.bytes().get(self.at..).is_some_and(|rest| rest.starts_with(b"null"));
        if is_null {
            self.at += 4;
        }
        is_null
    }

    /// Steps over the value here, looking no closer than it takes to find its end.
    #[inline]
    pub(crate) fn skim(&mut self) -> Result<(), ParseError> {
        match self.peek() {
            Some(b'"' | b'{' | b'[') => self.at = scan::skim(self.bytes(), self.at)?,
            _ => self.skip()?,
        }
        Ok(())
    }

    /// Steps over the value here, checking it.
    #[inline]
    pub fn skip(&mut self) -> Result<(), ParseError> {
        self.at = scan::value(self.bytes(), self.at, self.depth)?;
        Ok(())
    }

    /// The value here as its text, checked.
    #[inline]
    pub fn raw(&mut self) -> Result<Raw<'a>, ParseError> {
        let start = self.at;
        self.skip()?;
        Ok(Raw::from_value(&self.text[start..self.at]))
    }

    /// Reads an optional member into its slot. `null` is noted and a value of another shape is kept beside
    /// the typed ones, so that both are written back.
    ///
    /// A function of its own for each type of member: a copy for each member doubles the time to compile.
    #[inline(never)]
    pub fn member<T: Json<'a>>(
        &mut self,
        slot: &mut Option<T>,
        extra: &mut Extra<'a>,
        index: usize,
        key: Str<'a>,
    ) -> Result<(), Fault> {
        if self.null() {
            *slot = None;
            extra.note_null(index, key);
            return Ok(());
        }
        let start = self.mark();
        match T::read(self) {
            Ok(value) => *slot = Some(value),
            Err(Fault::Parse(error)) => return Err(error.into()),
            Err(_) => {
                self.reset(start);
                *slot = None;
                extra.push(key, self.raw()?);
            }
        }
        Ok(())
    }

    /// Reads an essential member into its slot.
    #[inline]
    pub fn essential<T: Json<'a>>(&mut self, slot: &mut Option<T>) -> Result<(), Fault> {
        *slot = Some(T::read(self)?);
        Ok(())
    }

    /// Reads a member that a record has no field for: one of its discriminators, or one to keep.
    pub fn other_member(
        &mut self,
        tags: &Tags<'_>,
        extra: &mut Extra<'a>,
        key: Str<'a>,
    ) -> Result<(), Fault> {
        if !tags.consume(&key, self)? {
            extra.push(key, self.raw()?);
        }
        Ok(())
    }

    /// The discriminator, if it is the very next thing: `first` is how an object that begins with it looks,
    /// `next` how it looks as a further member of an object the reader is `inside` of. Nearly all frames
    /// are written that way. Moves behind it, into the object.
    #[inline]
    pub fn next_tag(&mut self, inside: bool, first: &str, next: &str) -> Option<&'a str> {
        let prefix = if inside { next } else { first };
        let rest = self.bytes().get(self.at..)?;
        if !rest.starts_with(prefix.as_bytes()) || self.depth == MAX_DEPTH {
            return None;
        }
        let start = self.at + prefix.len();
        let end = scan::next_special(self.bytes(), start);
        if self.bytes().get(end) != Some(&b'"') {
            return None;
        }
        self.depth += usize::from(!inside);
        self.at = end + 1;
        Some(&self.text[start..end])
    }

    /// The string under `key` in the object here, without moving: the first one, or the last. Another kind of
    /// value under that name counts as none. What is skipped is checked when it is read.
    pub fn find_tag(&self, key: &str, last: bool) -> Result<Option<Str<'a>>, Fault> {
        let mut ahead = self.clone();
        ahead.open_object()?;
        let mut first = true;
        let mut found = None;
        while let Some(name) = ahead.next_key(first)? {
            first = false;
            if name != key {
                ahead.skim()?;
                continue;
            }
            found = if ahead.peek() == Some(b'"') {
                Some(ahead.string()?)
            } else {
                ahead.skim()?;
                None
            };
            if !last {
                break;
            }
        }
        Ok(found)
    }
}
