-- Erasures whose old row versions are still to be removed from the files.

CREATE TABLE cleanup (
  cleanup_id bigint GENERATED ALWAYS AS IDENTITY,
  fleet_id text COLLATE "C" NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- The transactions that may still read the old versions: those that ran after the erasure. Null: not known yet.
  waits_for text[],
  -- When all of them had ended. A later VACUUM removes the old versions.
  ready_at timestamptz,
  cleaned_at timestamptz,
  fault text,
  CONSTRAINT cleanup_pkey PRIMARY KEY (cleanup_id)
);
CREATE INDEX cleanup_open ON cleanup (cleanup_id) WHERE cleaned_at IS NULL;

GRANT INSERT (fleet_id) ON cleanup TO milepost_eraser;
GRANT SELECT ON cleanup TO milepost_projector;
GRANT UPDATE (waits_for, ready_at, cleaned_at, fault) ON cleanup TO milepost_projector;
GRANT SELECT ON cleanup TO milepost_operator;
