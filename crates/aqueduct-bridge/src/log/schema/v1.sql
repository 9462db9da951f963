-- Times are milliseconds since 1970. Names of columns are those of the Rust types.

-- Tells this log from all others.
CREATE TABLE identity (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    id   TEXT NOT NULL
) STRICT;
INSERT INTO identity VALUES (1, lower(hex(randomblob(16))));

CREATE TABLE projects (
    key  INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE sessions (
    key                INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: usage outlives its session
    id                 TEXT NOT NULL UNIQUE,
    agent_id           TEXT,
    project            INTEGER NOT NULL REFERENCES projects (key),
    agent              TEXT NOT NULL,
    model              TEXT,
    permission_mode    TEXT,
    title              TEXT,
    name               TEXT,
    first_prompt       TEXT,
    status             TEXT NOT NULL,
    options            TEXT,
    details            TEXT,
    created            INTEGER NOT NULL,
    updated            INTEGER NOT NULL,
    keeper             TEXT,
    cursor             INTEGER NOT NULL DEFAULT 0,
    last_seq           INTEGER NOT NULL DEFAULT 0,
    budget             REAL,
    cost               REAL NOT NULL DEFAULT 0,
    turns              INTEGER NOT NULL DEFAULT 0,
    input_tokens       INTEGER NOT NULL DEFAULT 0,
    output_tokens      INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens  INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    archived           INTEGER NOT NULL DEFAULT 0,
    deleted            INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_by_time ON sessions (updated, key) WHERE deleted = 0;
CREATE INDEX sessions_by_project ON sessions (project, updated, key) WHERE deleted = 0;
CREATE INDEX sessions_to_purge ON sessions (key) WHERE deleted = 1;

-- Every id that an agent gave a session: it changes when the conversation is cleared.
CREATE TABLE agent_ids (
    agent_id TEXT NOT NULL,
    session  INTEGER NOT NULL REFERENCES sessions (key),
    since    INTEGER NOT NULL,
    PRIMARY KEY (agent_id, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_ids_by_session ON agent_ids (session);

-- The ids of sessions that were deleted. Agents keep transcripts of their own, which must not be found again.
CREATE TABLE forgotten (
    id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    key        INTEGER PRIMARY KEY,
    session    INTEGER NOT NULL REFERENCES sessions (key),
    seq        INTEGER NOT NULL,
    time       INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    uuid       TEXT,
    searchable INTEGER NOT NULL,
    payload    TEXT NOT NULL -- last, so that the others are read without it
) STRICT;
CREATE UNIQUE INDEX events_by_seq ON events (session, seq);

CREATE TABLE inputs (
    key       INTEGER PRIMARY KEY,
    session   INTEGER NOT NULL REFERENCES sessions (key),
    place     INTEGER NOT NULL, -- the order in the queue
    id        TEXT NOT NULL,
    client_id TEXT,
    sender    TEXT,
    state     TEXT NOT NULL,
    created   INTEGER NOT NULL,
    changed   INTEGER NOT NULL,
    content   TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX inputs_by_id ON inputs (session, id);
CREATE UNIQUE INDEX inputs_by_client_id ON inputs (session, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX inputs_in_work ON inputs (session, place) WHERE state IN ('queued', 'sent', 'taken');

CREATE TABLE pending (
    key         INTEGER PRIMARY KEY,
    session     INTEGER NOT NULL REFERENCES sessions (key),
    request_id  TEXT NOT NULL,
    kind        TEXT NOT NULL,
    tool_use_id TEXT,
    tool_name   TEXT,
    input_hash  BLOB NOT NULL,
    created     INTEGER NOT NULL,
    state       TEXT NOT NULL,
    decided     INTEGER,
    decided_by  TEXT,
    decision    TEXT,
    suggestions TEXT,
    details     TEXT,
    input       TEXT NOT NULL
) STRICT;
CREATE INDEX pending_by_request ON pending (session, request_id, key);
CREATE UNIQUE INDEX pending_in_work ON pending (session, request_id) WHERE state IN ('open', 'decided');

-- One row a turn and model. It stays when its session is deleted: what was spent was spent. The day is the one
-- that it was where the bridge is.
CREATE TABLE usage (
    key                INTEGER PRIMARY KEY,
    day                TEXT NOT NULL,
    time               INTEGER NOT NULL,
    session            INTEGER NOT NULL,
    project            INTEGER NOT NULL REFERENCES projects (key),
    model              TEXT NOT NULL,
    turns              INTEGER NOT NULL,
    cost               REAL NOT NULL,
    input_tokens       INTEGER NOT NULL,
    output_tokens      INTEGER NOT NULL,
    cache_read_tokens  INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_by_day ON usage (day);
CREATE INDEX usage_by_session ON usage (session, day);

-- The newest note of every limit.
CREATE TABLE rate_limits (
    agent   TEXT NOT NULL,
    kind    TEXT NOT NULL,
    time    INTEGER NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (agent, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE devices (
    id         TEXT NOT NULL PRIMARY KEY,
    kind       TEXT NOT NULL,
    name       TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    created    INTEGER NOT NULL,
    last_seen  INTEGER,
    revoked    INTEGER
) STRICT;

CREATE TABLE pairings (
    code_hash BLOB NOT NULL PRIMARY KEY,
    name      TEXT,
    created   INTEGER NOT NULL,
    expires   INTEGER NOT NULL,
    used      INTEGER
) STRICT;

CREATE TABLE push_subscriptions (
    endpoint TEXT NOT NULL PRIMARY KEY,
    device   TEXT NOT NULL REFERENCES devices (id),
    p256dh   TEXT NOT NULL,
    auth     TEXT NOT NULL,
    content  INTEGER NOT NULL,
    created  INTEGER NOT NULL
) STRICT;
CREATE INDEX push_subscriptions_by_device ON push_subscriptions (device);

-- The index keeps no text: `searchable_text` makes it again from the event. `place` has a word for the
-- session and one for the project, so that a filter costs no more than a word.
CREATE VIEW event_texts AS
    SELECT events.key AS key,
           's' || events.session || ' p' || sessions.project AS place,
           searchable_text(events.payload) AS body
    FROM events JOIN sessions ON sessions.key = events.session
    WHERE events.searchable = 1;
CREATE VIRTUAL TABLE search USING fts5 (
    place, body,
    content = 'event_texts', content_rowid = 'key', columnsize = 0,
    tokenize = 'unicode61 remove_diacritics 2'
);

-- How far the index has come, and by which version of the text it was made.
CREATE TABLE indexing (
    only         INTEGER PRIMARY KEY CHECK (only = 1),
    through      INTEGER NOT NULL,
    text_version INTEGER NOT NULL
) STRICT;
INSERT INTO indexing VALUES (1, 0, 0);
