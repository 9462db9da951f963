use crate::json::Str;
use crate::table::record;

record! {
    /// Files of the session were put into the file store.
    FilesPersisted<'a> {
        essential { files: Vec<PersistedFile<'a>> }
        "2.1.50" {
            always failed: Vec<PersistFailure<'a>>,
            always processed_at: Str<'a>,
            always uuid: Str<'a>,
            always session_id: Str<'a>,
        }
    }
}

record! {
    /// A file in the file store.
    PersistedFile<'a> {
        essential { filename: Str<'a> }
        "2.1.50" {
            always file_id: Str<'a>,
        }
    }
}

record! {
    /// A file that could not be stored.
    PersistFailure<'a> {
        essential { filename: Str<'a> }
        "2.1.50" {
            always error: Str<'a>,
        }
    }
}
