-- What was legal and odd in the records stored from a source. Reasons and fields are of closed lists: no name or value of a
-- record is kept here.
CREATE TABLE log.source_warning (
  source_id integer NOT NULL REFERENCES log.source,
  reason text COLLATE "C" NOT NULL,
  -- A path in the record, * for any index; empty: the record itself.
  field text COLLATE "C" NOT NULL,
  records bigint NOT NULL,
  PRIMARY KEY (source_id, reason, field)
);
GRANT SELECT, INSERT, UPDATE ON log.source_warning TO milepost_ingest;
GRANT SELECT ON log.source_warning TO milepost_operator;
