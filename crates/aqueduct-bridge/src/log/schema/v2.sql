-- A question's id is the bridge's own. The agent's id of its request is kept beside it: answers to the agent name it.
-- It is NULL where the bridge itself asks.
--
-- Rows of before have the agent's id as theirs, and keep it, since clients may have seen it.
ALTER TABLE pending ADD COLUMN agent_request_id TEXT;
UPDATE pending SET agent_request_id = request_id
WHERE NOT (kind IN ('budget', 'retry') OR (kind = 'question' AND request_id GLOB 'bridge-*'));
CREATE INDEX pending_by_agent_request ON pending (session, agent_request_id)
    WHERE agent_request_id IS NOT NULL AND state IN ('open', 'decided');
