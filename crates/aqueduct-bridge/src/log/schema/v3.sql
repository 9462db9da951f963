-- A browser proves who it is with a key that it can use and not read. The bridge keeps the public half: the
-- uncompressed point of a P-256 key. A device without one has a bearer token.
ALTER TABLE devices ADD COLUMN public_key BLOB;
