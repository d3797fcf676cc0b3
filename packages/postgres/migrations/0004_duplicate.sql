-- Records whose content was stored already, so that whoever traces a trip sees every delivery of it. `position` is the
-- stored event that held the content. Neither key nor reference: a redelivered topic adds as many rows as it has records,
-- and whoever appends has counted them under the source's lock.
CREATE TABLE log.duplicate (
  received_at timestamptz NOT NULL,
  source_id integer NOT NULL,
  source_offset bigint NOT NULL,
  position bigint NOT NULL
);
CREATE INDEX duplicate_position ON log.duplicate (position);

GRANT SELECT, INSERT ON log.duplicate TO milepost_ingest;
GRANT SELECT ON log.duplicate TO milepost_operator, milepost_projector;
