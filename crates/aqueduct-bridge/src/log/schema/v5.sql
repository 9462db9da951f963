-- Inputs that their agent never got are given to the next one: they are in work too.
DROP INDEX inputs_in_work;
CREATE INDEX inputs_in_work ON inputs (session, place) WHERE state IN ('queued', 'sent', 'taken', 'returned');
