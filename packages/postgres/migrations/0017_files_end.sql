-- When a file was read to its end. Null for topics, and for a file that is being read or was given up.
ALTER TABLE log.source ADD COLUMN ended_at timestamptz;
-- Of files that were read before, nobody knows any more.
UPDATE log.source SET ended_at = now() WHERE topic LIKE 'file:%';
