-- What ingest finds wrong at Kafka: why it reads nothing, or not a topic, and warnings about the configuration of topics.
CREATE TABLE kafka_finding (
  -- Empty: the finding is about the connection or the group, and so about all topics.
  topic text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  -- True: records are read all the same.
  is_warning boolean NOT NULL,
  message text NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT kafka_finding_pkey PRIMARY KEY (topic, code)
);

-- Ingest replaces the findings when it connects again.
GRANT SELECT, INSERT, UPDATE, DELETE ON kafka_finding TO milepost_ingest;
GRANT SELECT ON kafka_finding TO milepost_operator;
