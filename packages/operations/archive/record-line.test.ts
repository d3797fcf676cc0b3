import { RECORD_LIMIT_BYTES } from '@milepost/domain/records';
import { expect, it } from 'vitest';
import { recordLine } from './record-line.ts';

it('writes no line that ingest could not read back', () => {
  const lineOf = (topic: string) =>
    recordLine(
      {
        kind: 2,
        position: 7,
        stored_at: '2025-01-31T00:00:00.000000Z',
        topic,
        partition: 0,
        source_offset: 0,
        effective: true,
        supersedes: null,
        erased: false,
        fleet_id: 'acme',
        source_trip_id: 'trip-1',
        revision: 1,
      },
      { from: 7, through: 7 },
    );
  const rest = Buffer.byteLength(lineOf(''));
  // é has two bytes: it is bytes that are limited, not characters.
  const longest = lineOf('é'.repeat((RECORD_LIMIT_BYTES - rest) >> 1));
  expect(RECORD_LIMIT_BYTES - Buffer.byteLength(longest)).toBeLessThan(2);
  expect(() => lineOf('é'.repeat(((RECORD_LIMIT_BYTES - rest) >> 1) + 1))).toThrow('position 7 makes a line of');
});
