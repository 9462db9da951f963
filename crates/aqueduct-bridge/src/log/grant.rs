use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use super::Time;
use crate::message::Scope;

/// What a credential allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// How much.
    pub scope: Scope,
    /// Until when.
    pub expires: Option<Time>,
    /// The folder that it is limited to, with symlinks resolved.
    pub root: Option<String>,
}

impl ToSql for Scope {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

/// A scope that this version does not know is an error, never some other scope.
impl FromSql for Scope {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Scope::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}
