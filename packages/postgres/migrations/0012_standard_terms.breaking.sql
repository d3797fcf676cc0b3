-- Standard terms: a chunk of a replay's work, and the cutoff before which rows are not kept.
-- Breaking: an earlier release asks for the old names.
ALTER TABLE projection.replay_part RENAME TO replay_chunk;
ALTER TABLE projection.replay_chunk RENAME COLUMN part TO chunk;
ALTER INDEX projection.replay_part_open RENAME TO replay_chunk_open;
ALTER TABLE projection.replay RENAME COLUMN horizon TO cutoff;
ALTER TABLE projection.generation RENAME COLUMN horizon TO cutoff;

-- Reports that are kept say it too.
UPDATE projection.replay SET verification = verification - 'horizon' || jsonb_build_object('cutoff', verification -> 'horizon')
  WHERE verification ? 'horizon';
UPDATE projection.audit SET report = jsonb_set(report, '{projections}', (
    SELECT coalesce(jsonb_agg(item - 'horizon' || jsonb_build_object('cutoff', item -> 'horizon') ORDER BY number), '[]')
    FROM jsonb_array_elements(report -> 'projections') WITH ORDINALITY AS listed (item, number)))
  WHERE report @> '{"projections": [{}]}';
