import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driverProfile, tripProcessed } from '../../test/support/records.ts';
import { gatherBytes, type PreparedRecord } from './prepare.ts';
import { readRecord } from './read-record.ts';

const NOW = Date.UTC(2026, 0, 1);

const read = (record: object) => readRecord(Buffer.from(JSON.stringify(record)), NOW);

/** Creates a trip with these bytes. Each array is a view of a larger buffer, as encoders return it. */
function trip(trailPath: Uint8Array, tripEvents: Uint8Array | null): PreparedRecord {
  const record = read(tripProcessed());
  if (!record.storable) throw new Error('The trip is not storable.');
  const part = (bytes: Uint8Array) => Uint8Array.of(255, ...bytes, 255).subarray(1, 1 + bytes.length);
  const body = { trailPath: part(trailPath), tripEvents: tripEvents && part(tripEvents) };
  return { storable: true, draft: { ...record.draft, body } };
}

const prepared = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.uint8Array(), fc.option(fc.uint8Array())).map((lists) => trip(...lists)) },
  fc.constantFrom(driverProfile(), {}).map(read),
);

describe('gatherBytes', () => {
  it('moves the bytes of all records into one buffer, and changes no byte', () => {
    fc.assert(
      fc.property(fc.array(prepared), (records) => {
        const before = structuredClone(records);
        const buffer = gatherBytes(records);
        expect(records).toEqual(before);
        // A buffer that was transferred to another thread is detached in this one.
        const moved = structuredClone(records, { transfer: [buffer] });
        expect(moved).toEqual(before);
        const left = records.flatMap((record) =>
          record.storable && record.draft.body !== null
            ? [record.draft.body.trailPath, record.draft.body.tripEvents ?? new Uint8Array()]
            : [],
        );
        expect(left.every((bytes) => bytes.byteLength === 0)).toBe(true);
      }),
    );
  });
});
