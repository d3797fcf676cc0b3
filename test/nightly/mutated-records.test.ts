import { runAudit } from '@milepost/audit';
import { PROJECTIONS } from '@milepost/projections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { perSuite } from '../support/fixtures.ts';
import { deliver, openPipeline, projectAll } from '../support/pipeline.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

/** `MUTATED_RECORDS=100000` tests many more records. `FUZZ_SEED` repeats a failed run. */
const RECORDS = Number(process.env['MUTATED_RECORDS'] ?? 15_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const BATCH = 250;

const original = fc.record({ number: fc.nat(RECORDS), kind: fc.nat(9) }).map(({ number, kind }) => {
  const ids = { source_trip_id: `trip-${number}`, driver_id: `driver-${number % 7}` };
  if (kind === 0) return driverProfile({ driver_id: ids.driver_id, revision: 1 + number });
  if (kind === 1) return tripDeleted({ source_trip_id: ids.source_trip_id, revision: 2 + number });
  return tripProcessed({ ...ids, revision: 1 + (number % 5), trip_start_time: Date.UTC(2025, 0, 6 + (number % 14)) });
});

/** Strings that can replace a JSON value. */
const replacement = fc.oneof(
  fc.constantFrom('null', 'true', '""', '[]', '{}', '[[]]', '"\\u0000"', '"\\ud800"', '"🚗"', '-0', '1e309', '1e-400'),
  fc.constantFrom('9007199254740991', '9007199254740992', '-1', '0.1', '8640000000000001', '[null]', '{"a":1}'),
  fc.nat(300).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)),
);

/** Replaces one value, repeats one field, or damages bytes. */
const mutated = fc
  .record({
    record: original,
    how: fc.constantFrom('value', 'repeat', 'bytes', 'cut', 'none', 'none', 'none'),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    replacement,
    bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
  })
  .map(({ record, how, at, replacement: text, bytes }): Buffer => {
    const json = JSON.stringify(record);
    const fields = Object.entries(record);
    const [name = '', value] = fields[Math.floor(at * fields.length)] ?? [];
    const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const place = Math.floor(at * json.length);
    if (how === 'value') return Buffer.from(json.replace(field, () => `${JSON.stringify(name)}:${text}`));
    if (how === 'repeat') return Buffer.from(json.replace(field, () => `${field},${JSON.stringify(name)}:${text}`));
    if (how === 'bytes')
      return Buffer.concat([Buffer.from(json.slice(0, place)), bytes, Buffer.from(json.slice(place + 1))]);
    if (how === 'cut') return Buffer.from(json.slice(0, place));
    return Buffer.from(json);
  });

describeWithPostgres(`the event log, with ${RECORDS} mutated records from FUZZ_SEED=${SEED},`, () => {
  const log = perSuite(openPipeline);

  it('counts each record once, keeps refused ones byte for byte, and has tables that pass an audit', async () => {
    const records = fc.sample(mutated, { seed: SEED, numRuns: RECORDS });
    for (let from = 0; from < records.length; from += BATCH) {
      await deliver(log.ingest, records.slice(from, from + BATCH));
    }
    const { rows } = await log.owner.query<Record<'read' | 'stored' | 'duplicates' | 'refused', number>>(
      `SELECT records_read::int AS read, records_stored::int AS stored, records_duplicate::int AS duplicates,
              records_dead_letter::int AS refused FROM log_source`,
    );
    const [{ read, stored, duplicates, refused } = { read: 0, stored: 0, duplicates: 0, refused: 0 }] = rows;
    expect(read).toBe(RECORDS);
    expect(stored + duplicates + refused).toBe(RECORDS);
    expect(Math.min(stored, duplicates, refused), JSON.stringify(rows)).toBeGreaterThan(RECORDS / 100);

    const letters = await log.owner.query<{ source_offset: number; raw: Buffer }>(
      'SELECT source_offset, raw FROM dead_letter ORDER BY source_offset',
    );
    expect(letters.rows).toHaveLength(refused);
    const changed = letters.rows.filter(({ source_offset, raw }) => !records[source_offset]?.equals(raw));
    expect(changed).toEqual([]);

    await projectAll(log);
    const { report } = await runAudit(log.projector, PROJECTIONS);
    expect(report.faults).toEqual([]);
    expect(report.equal).toBe(true);
  });
});
