-- A partition has fleets of several lanes. Each lane counts the records that it read and that belong to other lanes.

ALTER TABLE log_source ADD COLUMN records_elsewhere bigint NOT NULL DEFAULT 0;
ALTER TABLE log_source DROP CONSTRAINT log_source_counts;
ALTER TABLE log_source ADD CONSTRAINT log_source_counts
  CHECK (records_read = records_stored + records_duplicate + records_dead_letter + records_elsewhere);
