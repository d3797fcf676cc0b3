-- An audit that an operator asks for gets its id before the worker begins it.
GRANT USAGE ON SEQUENCE projection.audit_audit_id_seq TO milepost_operator, milepost_projector;
