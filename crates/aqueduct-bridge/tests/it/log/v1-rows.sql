INSERT INTO projects VALUES (1, '/proj/attic');
INSERT INTO sessions (key, id, agent_id, project, agent, model, permission_mode, title, status, created, updated,
                      keeper, cursor, last_seq, cost, turns, input_tokens)
VALUES (1, 'session-1', 'agent-1', 1, 'builtin', 'opus', 'default', 'Tidy up', 'running', 1750000000000,
        1750000001000, '/home/ada/keepers/1', 420, 2, 0.25, 1, 12);
INSERT INTO agent_ids VALUES ('agent-1', 1, 1750000000000);
INSERT INTO events VALUES (1, 1, 1, 1750000000000, 'user_input', 'u1', 1, '{"text":"Tidy up the attic"}');
INSERT INTO events VALUES (2, 1, 2, 1750000001000, 'status', NULL, 0, '{"status":"running"}');
INSERT INTO inputs VALUES (1, 1, 1, 'input-1', 'client-1', 'phone', 'taken', 1750000000000, 1750000001000, '"Tidy up"');
INSERT INTO pending (session, request_id, kind, input_hash, created, state, input)
VALUES (1, 'request-1', 'permission', zeroblob(32), 1750000001000, 'open', '{"command":"ls"}'),
       (1, 'bridge-2', 'plan', zeroblob(32), 1750000001000, 'decided', '{}'),
       (1, 'bridge-3', 'question', zeroblob(32), 1750000001000, 'open', '{}'),
       (1, 'bridge-4', 'budget', zeroblob(32), 1750000001000, 'open', '{}');
UPDATE pending SET decided = 1750000002000, decided_by = '{}', decision = '{}' WHERE state = 'decided';
INSERT INTO usage VALUES (1, '2025-06-15', 1750000001000, 1, 1, 'opus', 1, 0.25, 12, 0, 0, 0);
INSERT INTO rate_limits VALUES ('builtin', 'five_hour', 1750000001000, '{}');
INSERT INTO devices VALUES ('device-1', 'device', 'phone', zeroblob(32), 1750000000000, NULL, NULL);
INSERT INTO pairings VALUES (zeroblob(32), NULL, 1750000000000, 1750000600000, NULL);
INSERT INTO push_subscriptions VALUES ('https://push.example/1', 'device-1', 'key', 'auth', 1, 1750000000000);
PRAGMA application_id = 1095846983;
PRAGMA user_version = 1;
