-- What the last record read of a topic's partition was: a topic that was deleted and made anew has another one there. Null
-- for files, and until the next append.
ALTER TABLE log.source
  ADD COLUMN last_offset bigint,
  -- The broker's, in epoch milliseconds.
  ADD COLUMN last_timestamp bigint,
  -- SHA-256 of the record's bytes. Null after an erasure: it would confirm a guess of what the record said.
  ADD COLUMN last_hash bytea,
  -- Why nothing comes from the source, and since when.
  ADD COLUMN fault text,
  ADD COLUMN fault_at timestamptz,
  -- The fault stays until an operator settles it; any other one ends with the next append.
  ADD COLUMN stopped boolean NOT NULL DEFAULT false,
  ADD CHECK ((last_offset IS NULL) = (last_timestamp IS NULL)),
  ADD CHECK ((fault IS NULL) = (fault_at IS NULL)),
  ADD CHECK (fault IS NOT NULL OR NOT stopped);

-- Operators say from which offset a source with a fault goes on.
GRANT UPDATE (next_offset, epoch, last_offset, last_timestamp, last_hash, fault, fault_at, stopped)
  ON log.source TO milepost_operator;
GRANT UPDATE (last_hash) ON log.source TO milepost_eraser;
