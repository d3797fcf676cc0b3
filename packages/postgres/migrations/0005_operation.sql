-- Who changed what, when, by which way, and what came of it. Append-only by grant.
CREATE TABLE access.operation (
  operation_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The end of the operation, not the beginning of the transaction that records it.
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL CHECK (char_length(actor) BETWEEN 1 AND 128),
  via text COLLATE "C" NOT NULL CHECK (via IN ('http', 'cli')),
  -- What was asked for, such as keys.create
  action text COLLATE "C" NOT NULL CHECK (char_length(action) BETWEEN 1 AND 64),
  parameters jsonb NOT NULL CHECK (octet_length(parameters::text) <= 16384),
  -- refused: the request was wrong, and nothing changed; failed: it broke on the way
  outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('done', 'refused', 'failed')),
  -- Of what was refused or failed: why
  detail text CHECK (char_length(detail) <= 1000)
);

GRANT SELECT, INSERT ON access.operation TO milepost_operator;
