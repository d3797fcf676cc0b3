import fc from 'fast-check';
import { expect, it } from 'vitest';
import { driverProfile, tripDeleted, tripProcessed } from '../../../test/support/records.ts';
import { fleetOf, gatherBytes, type PreparedRecord, prepareTrip, readRecord } from './prepare.ts';

const NOW = Date.UTC(2026, 0, 1);

const read = (record: object) => readRecord(Buffer.from(JSON.stringify(record)), NOW);

/** Creates a trip with these bytes. Each array is a view of a larger buffer, like an array returned by an encoder. */
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

it('gatherBytes moves the bytes of all records into one buffer, and changes no byte', () => {
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

it('prepareTrip returns different content hashes for different lists whose concatenated bytes are equal', () => {
  const withEvents = tripProcessed();
  const { body, contentHash } = prepareTrip(withEvents, Buffer.from('path'));
  const tripEvents = body?.tripEvents ?? new Uint8Array();
  expect(tripEvents.byteLength).toBeGreaterThan(0);
  const allInPath = prepareTrip({ ...withEvents, events: [] }, Buffer.concat([tripEvents, Buffer.from('path')]));
  expect(allInPath.contentHash).not.toBe(contentHash);
});

const namedBy = (text: string) => {
  const record = readRecord(Buffer.from(text), NOW);
  expect(record.storable).toBe(true);
  return typeof record.named === 'object' ? { drivers: record.named.drivers, trips: record.named.trips } : null;
};

it('a storable record names no more ids than its fields', () => {
  for (const record of [tripProcessed(), tripDeleted(), driverProfile()]) {
    expect(namedBy(JSON.stringify(record))).toBeNull();
  }
});

it('a storable record names the ids in its bytes that its fields do not contain', () => {
  const [trip, deleted, profile] = [tripProcessed(), tripDeleted(), driverProfile()];
  expect(namedBy(JSON.stringify({ ...deleted, driver_id: 'ann' }))?.drivers).toEqual(['ann']);
  expect(namedBy(JSON.stringify({ ...profile, source_trip_id: 'way' }))?.trips).toEqual(['way']);
  const twice = `{"driver_id":"ann",${JSON.stringify(trip).slice(1)}`;
  expect(namedBy(twice)?.drivers).toEqual(expect.arrayContaining(['ann', trip.driver_id]));
});

// For JSON.parse, `driver\u005fid` and `driver_id` are the same name, and it keeps only the last of these members.
it('a storable record names the ids of members with escaped names, although its fields have those of later ones', () => {
  const members = JSON.stringify(tripProcessed()).slice(1);
  expect(namedBy(`{"driver\\u005fid":"ann",${members}`)?.drivers).toEqual(expect.arrayContaining(['ann']));
  expect(namedBy(`{"source\\u005ftrip\\u005fid":"way",${members}`)?.trips).toEqual(expect.arrayContaining(['way']));
});

it.each([
  ['of a storable record', JSON.stringify(tripDeleted({ fleet_id: 'acme' })), 'acme'],
  ['of a refused record', '{"fleet_id":"acme","driver_id":"ann"}', 'acme'],
  ['null for a record with two fleets', '{"fleet_id":"acme","fleet_id":"globex"}', null],
  ['null for a record without a fleet', '{"driver_id":"ann"}', null],
  ['null for a record whose names are unclear', '\0\0\0\0\u0001', null],
])('fleetOf returns the fleet %s', (_, text, fleet) => {
  expect(fleetOf(readRecord(Buffer.from(text), NOW))).toBe(fleet);
});
