-- Kept audits show rows that differed, and so may tell of a driver who is erased: of those the report is rewritten.
GRANT USAGE ON SCHEMA projection TO milepost_eraser;
GRANT SELECT (audit_id, equal, report), UPDATE (report) ON projection.audit TO milepost_eraser;
