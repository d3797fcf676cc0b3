-- A container's health check acts in the role of its process: what it compares is the status, checkpoints included.
GRANT USAGE ON SCHEMA projection TO milepost_ingest;
GRANT SELECT ON projection.generation TO milepost_ingest;
