-- What a credential allows. Those that exist were made when there was one scope for all.
ALTER TABLE devices ADD COLUMN scope TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE devices ADD COLUMN expires INTEGER;
ALTER TABLE devices ADD COLUMN root TEXT;

-- What the device gets that is paired.
ALTER TABLE pairings ADD COLUMN scope TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE pairings ADD COLUMN access_expires INTEGER;
ALTER TABLE pairings ADD COLUMN root TEXT;
