//! Where an image's or a document's bytes are.

use crate::block::Content;
use crate::json::Str;
use crate::table::{record, union};

union! {
    /// Where an image's or a document's bytes are.
    MediaSource<'a> by "type" {
        "base64" => Base64(Base64Source<'a>) since "2.1.37",
        "url" => Url(UrlSource<'a>) since "2.1.37",
        "text" => Text(TextSource<'a>) since "2.1.37",
        "content" => Content(ContentSource<'a>) since "2.1.37",
        "file" => File(FileSource<'a>) since "2.1.37",
    }
}

record! {
    /// Bytes in the frame itself.
    Base64Source<'a> {
        essential { data: Str<'a> }
        "2.1.37" {
            always media_type: Str<'a>,
        }
    }
}

record! {
    /// Bytes elsewhere.
    UrlSource<'a> {
        essential { url: Str<'a> }
    }
}

record! {
    /// A document that is plain text.
    TextSource<'a> {
        essential { data: Str<'a> }
        "2.1.37" {
            always media_type: Str<'a>,
        }
    }
}

record! {
    /// A document made of blocks.
    ContentSource<'a> {
        essential { content: Content<'a> }
    }
}

record! {
    /// A file that was uploaded before.
    FileSource<'a> {
        essential { file_id: Str<'a> }
    }
}
