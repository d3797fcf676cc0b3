import { isDeepStrictEqual } from 'node:util';
import { exactJson } from '@milepost/domain/exact-json';
import { MAX_RECORD_BYTES, parseRecord } from '@milepost/domain/records';
import type { TripProcessed } from '@milepost/domain/vocabulary';
import { standardTrip } from '@milepost/sample-fleet';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPath } from '../../../test/support/arbitrary-path.ts';
import { anyTripEvents } from '../../../test/support/arbitrary-records.ts';
import { changed } from '../../../test/support/change-field.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../../../test/support/records.ts';
import { prepareRecord, readQuickly, readRecord } from './prepare.ts';

const NOW = Date.UTC(2025, 0, 20);
const FLEET = { seed: 3, drivers: 5, days: 5, endDate: '2025-01-15' };

const slowly = (raw: Uint8Array) => prepareRecord(parseRecord(raw, NOW), raw);

/** Compares as strictly as `toStrictEqual`, but calls that much slower function only to show a difference. */
function expectSame(raw: Uint8Array, expected = slowly(raw)): void {
  const read = readRecord(raw, NOW);
  if (!isDeepStrictEqual(read, expected)) expect(read).toStrictEqual(expected);
}

/** Generates a value in one of `times` draws on average, and null in the others. */
function rarely<Value>(times: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, arbitrary);
}

const space = fc.oneof({ weight: 8, arbitrary: fc.constant('') }, fc.stringMatching(/^[ \n\r\t]{1,3}$/));
const usualNumber = fc.oneof(
  fc.integer({ min: 1e12, max: 2e12 }).map(String),
  fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value.toFixed(6)),
  fc.integer({ min: 0, max: 3599 }).map((tenths) => String(tenths / 10)),
);
const oddNumber = fc.oneof(
  fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{0,20})?([eE][+-]?[0-9]{1,2})?$/),
  fc.constantFrom('-0', '0.00', '-0.0', '007', '1.', '1e400', 'null', '"1"', '1E2', '0.1234567890'),
);
const NAMES = ['timestamp', 'latitude', 'longitude', 'course'];

/**
 * Generates trail paths as JSON. Most paths have the trackers' format; some have an unusual number, name or order of
 * names.
 */
const trailPath = fc
  .record({
    names: fc.oneof({ weight: 3, arbitrary: fc.constant(NAMES) }, fc.shuffledSubarray(NAMES, { minLength: 4 })),
    numbers: fc.array(fc.tuple(fc.integer({ min: -1e12, max: 2e12 }), usualNumber, usualNumber, usualNumber), {
      maxLength: 6,
    }),
    gaps: fc.tuple(space, space, space, space),
    odd: rarely(3, fc.tuple(fc.nat(), fc.nat(3), oddNumber)),
    extra: fc.option(fc.tuple(fc.nat(), fc.constantFrom(...NAMES, 'speed', 'trail_path', 'course\\u0020')), {
      freq: 4,
    }),
    missing: rarely(20, fc.tuple(fc.nat(), fc.nat(3))),
  })
  .map(({ names, numbers, gaps: [afterName, afterColon, afterNumber, afterComma], odd, extra, missing }) => {
    const hit = (place: readonly [number, ...unknown[]] | null, index: number) =>
      place !== null && place[0] % numbers.length === index;
    const points = numbers.map((values, index) => {
      const fields = names.flatMap((name) => {
        const field = NAMES.indexOf(name);
        if (hit(missing, index) && missing?.[1] === field) return [];
        const text = hit(odd, index) && odd?.[1] === field ? odd[2] : String(values[field]);
        return [`"${name}"${afterName}:${afterColon}${text}`];
      });
      if (hit(extra, index)) fields.push(`"${extra?.[1]}":1`);
      return `{${afterComma}${fields.join(`${afterNumber},${afterComma}`)}${afterNumber}}`;
    });
    return `[${afterName}${points.join(`,${afterComma}`)}${afterNumber}]`;
  });

/** Generates members that look like the trail path, or that contain another member. */
const decoy = fc.constantFrom(
  '"trail_path":[]',
  '"trail_path": [ ]',
  '"trail_path":null',
  '"trail\\u005fpath":[]',
  '"\\u0074rail_path":[{"timestamp":1,"latitude":2,"longitude":3,"course":4}]',
  '"x":{"trail_path":[]}',
  '"x":"trail_path"',
  '"x":"\\"trail_path\\":[]"',
  '"trail_path',
  'trail_path":[]',
  '"x":"a"trail_path":[]',
  '"x\\\\":1',
  '"kind":"trip.deleted"',
  '"revision":0',
  '"driver_id":"é\\n"',
  '"driver_id":"Zoë 🚚"',
  '"__proto__":{"trail_path":[]}',
  '"trip_end_time":1000000000000',
  '"trip_start_time":9999999999999',
  '"events":[]',
  '"events":[{"event_type":3}]',
  '"speed":[1,{"a":"]"}]',
);

const header = fc.oneof(
  { weight: 8, arbitrary: fc.constant<object>(tripProcessed()) },
  fc.constantFrom<object>(tripDeleted(), driverProfile(), tripProcessed({ events: [] })),
);

/**
 * Generates a record's text with its trail path at any place among its members. In some records, the trail path is in
 * another object or absent.
 */
const recordText = fc
  .record({
    header,
    trailPath,
    decoys: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(decoy, { maxLength: 2 })),
    places: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    nested: fc.integer({ min: 0, max: 15 }),
    gaps: fc.tuple(space, space),
  })
  .map(({ header: given, trailPath: trail, decoys, places, nested, gaps: [before, after] }) => {
    const members = Object.entries(given)
      .filter(([name]) => name !== 'trail_path')
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
    const member = `"trail_path"${before}:${after}${trail}`;
    const added = [nested === 0 ? `"x":{${member}}` : nested === 1 ? '"x":0' : member, ...decoys];
    for (const [index, text] of added.entries()) {
      members.splice((places[index] ?? 0) % (members.length + 1), 0, text);
    }
    return `{${members.join(',')}}`;
  });

/** Generates damage: a truncation, a changed byte or an additional byte. */
const damage = rarely(
  3,
  fc.record({ at: fc.nat(), how: fc.constantFrom('cut', 'change', 'insert'), byte: fc.integer({ min: 0, max: 255 }) }),
);

function damaged(whole: Buffer, { at, how, byte }: { at: number; how: string; byte: number }): Buffer {
  const place = at % whole.length;
  if (how === 'cut') return whole.subarray(0, place);
  return Buffer.concat([
    whole.subarray(0, place),
    Buffer.of(byte),
    whole.subarray(how === 'insert' ? place : place + 1),
  ]);
}

/** Yields copies of a trip, each with a different value in one field. */
function* everyChange(trip: TripProcessed): Generator<object> {
  const fixed = ['kind', 'event_type', 'event_name'];
  for (const [pointer, value] of leavesOf(trip)) {
    if (fixed.some((name) => pointer.endsWith(`/${name}`))) continue;
    yield changed(trip, pointer, typeof value === 'number' ? value + 1 : `${value}x`);
  }
  yield { ...trip, events: trip.events.toReversed() };
  yield { ...trip, events: trip.events.slice(1) };
  yield { ...trip, events: [] };
  yield { ...trip, trail_path: trip.trail_path.toReversed() };
  yield { ...trip, trail_path: trip.trail_path.slice(1) };
  yield { ...trip, trail_path: [] };
}

/** Returns the JSON pointers and the values of all strings and numbers in a value. */
function leavesOf(value: unknown, pointer = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]];
  return Object.entries(value).flatMap(([name, child]) => leavesOf(child, `${pointer}/${name}`));
}

describe('a record read from its bytes', () => {
  it('equals the fully parsed record, or is refused for the same reason', () => {
    const counts = { quickly: 0, stored: 0, refused: 0 };
    fc.assert(
      fc.property(recordText, damage, (text, harm) => {
        const raw = harm === null ? Buffer.from(text) : damaged(Buffer.from(text), harm);
        const expected = slowly(raw);
        expectSame(raw, expected);
        if (readQuickly(raw, NOW) !== null) counts.quickly++;
        counts[expected.storable ? 'stored' : 'refused']++;
      }),
      { numRuns: 6000 },
    );
    // Each of the three outcomes must have occurred in many of the runs.
    expect(Math.min(counts.quickly, counts.stored - counts.quickly, counts.refused)).toBeGreaterThan(300);
  });

  it('equals the same record without a schema registry header', () => {
    const { value } = standardTrip(2, { ...FLEET, points: 3 });
    const framed = Buffer.concat([Buffer.from([0, 0x22, 0x74, 0x5c, 0xff]), Buffer.from(value)]);
    expect(readRecord(framed, NOW)).toStrictEqual(readRecord(Buffer.from(value), NOW));
    expectSame(framed);
    expect(readQuickly(Buffer.concat([Buffer.from([0, 0, 0, 1, 2]), Buffer.from(value)]), NOW)).not.toBeNull();
  });

  it('equals the fully parsed record after any one byte is replaced by one that is significant in JSON', () => {
    const { value } = standardTrip(2, { ...FLEET, points: 3 });
    for (let at = 0; at < value.length; at++) {
      for (const byte of ['"', '\\', '0', '-', '.', ']', '}', ',', ' ', '\ufeff']) {
        expectSame(Buffer.from(value.slice(0, at) + byte + value.slice(at + 1)));
      }
      expectSame(Buffer.from(value.slice(0, at)));
    }
  });

  it('takes the fast path in the format of trackers, with or without white space, whichever member is last', () => {
    for (const points of [2, 10, 300]) {
      for (let index = 0; index < 20; index++) {
        const { value } = standardTrip(index, { ...FLEET, points });
        const { trail_path, ...rest } = JSON.parse(value);
        const turned = JSON.stringify({ trail_path, ...rest });
        // Python's json.dumps adds these spaces. No string in these records contains a comma or a colon.
        const spaced = value.replaceAll(/[:,]/g, '$& ');
        for (const text of [value, `${value}\n`, turned, spaced]) {
          const raw = Buffer.from(text);
          expect(readQuickly(raw, NOW)).toStrictEqual(slowly(raw));
        }
      }
    }
  });

  it('is read from part of a larger buffer, as the Kafka client returns it', () => {
    const { value } = standardTrip(1, { ...FLEET, points: 10 });
    const larger = new Uint8Array(Buffer.from(`"trail_path":[]\\${value}"trail_path":[]\\`));
    const raw = larger.subarray(16, 16 + value.length);
    expect(readQuickly(raw, NOW)).toStrictEqual(slowly(raw));
  });

  it('can have as many points as the rule allows, and is refused with one more', () => {
    const [point] = tripProcessed().trail_path;
    const raw = (length: number) =>
      Buffer.from(JSON.stringify({ ...tripProcessed(), trail_path: Array.from({ length }, () => point) }));
    const most = raw(50_000);
    expect([slowly(most).storable, readQuickly(most, NOW)?.storable]).toEqual([true, true]);
    const refusal = { reason: 'invalid_field', field: '/trail_path' };
    const tooMany = raw(50_001);
    for (const read of [slowly(tooMany), readRecord(tooMany, NOW)]) expect(read).toMatchObject({ refusal });
  });

  it('is refused when it is too large, even if it would be valid without its trail path', () => {
    const point = '{"timestamp":1,"latitude":2,"longitude":3,"course":4}';
    const trailPath = `"trail_path":[${' '.repeat(MAX_RECORD_BYTES)}${point}]`;
    const text = JSON.stringify({ ...tripProcessed(), trail_path: 0 }).replace('"trail_path":0', trailPath);
    expectSame(Buffer.from(text));
    expect(readRecord(Buffer.from(text), NOW)).toMatchObject({ refusal: { reason: 'record_too_large' } });
  });

  const hashOf = (json: string) => {
    const prepared = readRecord(Buffer.from(json), NOW);
    if (!prepared.storable) throw new Error(prepared.refusal.message);
    return prepared.draft.contentHash;
  };

  it('has an unchanged content hash, by which the log recognizes a redelivered record', () => {
    const other = tripProcessed({ events: [], driver_id: 'Zoë 🚚' });
    const records = [tripProcessed(), other, tripDeleted(), driverProfile()];
    expect(records.map((record) => hashOf(JSON.stringify(record)))).toMatchInlineSnapshot(`
      [
        "bb72249e881066dafdb5b7eeed77fb4c",
        "0c32f5bb70e563132a13820b5c74aa93",
        "708db1988b33ea10ce397cad22e93de2",
        "30c221b3e7549309edb4809dacff9adc",
      ]
    `);
  });

  it('has the same content hash for any formatting of its JSON, with or without explicit defaults', () => {
    const trips = fc.record({ trail_path: anyPath, events: anyTripEvents }).map(tripProcessed);
    fc.assert(
      fc.property(trips, fc.constantFrom('', ' ', '\t\n'), (trip, gap) => {
        const hash = hashOf(exactJson(trip));
        const isNumber = /(?<=[:[,])-?\d+(?:\.\d+)?(?=[,}\]])/g;
        const { tracking_id: _tracked, insurance_period: _period, ...withoutNulls } = trip;
        const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
        const respelled = [
          exactJson(trip).replaceAll(/[:,[\]{}]/g, (mark) => gap + mark + gap),
          exactJson(reversed(trip)),
          exactJson(withoutNulls),
          exactJson({ ...trip, events: trip.events.map(reversed) }),
          exactJson({ ...trip, unknown: true, events: trip.events.map((event) => ({ ...event, unknown: [] })) }),
          exactJson(trip).replaceAll(isNumber, (number) => `${number}${number.includes('.') ? '000' : 'e0'}`),
        ];
        for (const text of respelled) expect(hashOf(text)).toBe(hash);
      }),
      { numRuns: 500 },
    );
    const { event_summary: _, ...unsummarized } = tripProcessed();
    expect(hashOf(JSON.stringify(unsummarized))).toBe(hashOf(JSON.stringify(tripProcessed())));
  });

  it('has a different content hash when any number or text differs', () => {
    const trip = tripProcessed({ tracking_id: 'tracking-1', insurance_period: 1 });
    const hash = hashOf(JSON.stringify(trip));
    const hashes = new Set([hash]);
    let changes = 0;
    for (const change of everyChange(trip)) {
      hashes.add(hashOf(JSON.stringify(change)));
      changes++;
    }
    expect(changes).toBeGreaterThan(50);
    expect(hashes.size).toBe(changes + 1);
  });
});
