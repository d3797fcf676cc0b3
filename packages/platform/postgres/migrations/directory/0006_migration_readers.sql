-- Each process checks at its start that its release knows all breaking migrations.
GRANT SELECT ON migration TO milepost_api, milepost_ingest, milepost_projector, milepost_operator;
