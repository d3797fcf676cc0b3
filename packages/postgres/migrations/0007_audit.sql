-- Results of audits: what the log implies against what the live read tables hold. Append-only by grant.
CREATE TABLE projection.audit (
  audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- Where the log ended.
  position bigint NOT NULL,
  -- Nothing was found.
  equal boolean NOT NULL,
  seconds double precision NOT NULL,
  report jsonb NOT NULL
);

GRANT SELECT, INSERT ON projection.audit TO milepost_projector;
GRANT SELECT ON projection.audit TO milepost_operator;
