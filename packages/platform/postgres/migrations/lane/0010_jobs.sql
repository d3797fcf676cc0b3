-- The jobs that run at intervals, and when an operator requests them.

CREATE TABLE job (
  kind text COLLATE "C" NOT NULL,
  -- True from the request of an operator until a worker has done the job.
  requested boolean NOT NULL DEFAULT false,
  -- The id that the report of the requested audit will have.
  audit_id bigint,
  -- The end of the last run. Null: the job has not run yet.
  ended_at timestamptz,
  CONSTRAINT job_pkey PRIMARY KEY (kind),
  CONSTRAINT job_kind CHECK (kind IN ('audit', 'retention'))
);
INSERT INTO job (kind) VALUES ('audit'), ('retention');

GRANT SELECT ON job TO milepost_operator, milepost_projector;
GRANT UPDATE (requested, audit_id) ON job TO milepost_operator;
GRANT UPDATE (requested, audit_id, ended_at) ON job TO milepost_projector;
