-- Stored events that an operator has set aside, because a projection cannot apply them. The events stay in the log.
CREATE TABLE set_aside (
  position bigint NOT NULL,
  reason text NOT NULL,
  set_aside_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT set_aside_pkey PRIMARY KEY (position),
  CONSTRAINT set_aside_reason CHECK (char_length(reason) BETWEEN 1 AND 1000)
);

-- Ingest stores events that were set aside in the log from which they were copied.
GRANT INSERT ON set_aside TO milepost_ingest;
GRANT SELECT ON set_aside TO milepost_projector;
GRANT SELECT, INSERT, DELETE ON set_aside TO milepost_operator;
