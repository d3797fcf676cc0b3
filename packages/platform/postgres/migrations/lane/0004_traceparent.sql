-- The trace that a record belongs to, as its Kafka header says: it leads from an answer to the publisher's spans.
ALTER TABLE stored_event ADD COLUMN traceparent text COLLATE "C";

-- An erasure removes it, because the spans may name the driver.
GRANT UPDATE (traceparent) ON stored_event TO milepost_eraser;
