import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { driverProfile, tripProcessed } from '../../test/support/records.ts';
import { gatherBytes } from './gather-bytes.ts';
import type { PreparedRecord } from './prepare.ts';
import { readRecord } from './read-record.ts';

const NOW = Date.UTC(2026, 0, 1);

const read = (record: object) => readRecord(Buffer.from(JSON.stringify(record)), NOW);

/** A trip with such lists, each a part of a larger buffer as encoders leave them. */
function trip(trailPath: Uint8Array, tripEvents: Uint8Array | null): PreparedRecord {
  const record = read(tripProcessed());
  if (!record.storable || record.draft.content.kind !== 'trip.processed') throw new Error('The trip is not storable.');
  const part = (bytes: Uint8Array) => Uint8Array.of(255, ...bytes, 255).subarray(1, 1 + bytes.length);
  const content = { ...record.draft.content, trailPath: part(trailPath), tripEvents: tripEvents && part(tripEvents) };
  return { storable: true, draft: { ...record.draft, content } };
}

const prepared = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.uint8Array(), fc.option(fc.uint8Array())).map((lists) => trip(...lists)) },
  fc.constantFrom(driverProfile(), {}).map(read),
);

describe('the bytes of records', () => {
  it('are all in one buffer afterwards, and are what they were', () => {
    fc.assert(
      fc.property(fc.array(prepared), (records) => {
        const before = structuredClone(records);
        const buffer = gatherBytes(records);
        expect(records).toEqual(before);
        // What is moved to another thread with its buffer can no longer be seen here.
        const moved = structuredClone(records, { transfer: [buffer] });
        expect(moved).toEqual(before);
        const left = records.flatMap((record) =>
          record.storable && record.draft.content.kind === 'trip.processed'
            ? [record.draft.content.trailPath, record.draft.content.tripEvents ?? new Uint8Array()]
            : [],
        );
        expect(left.every((bytes) => bytes.byteLength === 0)).toBe(true);
      }),
    );
  });
});
