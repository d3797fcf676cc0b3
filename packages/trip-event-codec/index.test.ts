import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTripEvents, unpackTripEvents } from './index.ts';

const [DEFLATED, SHARED] = [1, 3];

const OVERSPEEDING =
  '{"event_type":9,"event_name":"OVERSPEEDING","event_start_timestamp":1795218436235,"event_end_timestamp":1795218448221,"event_start_latitude":39.158553,"event_start_longitude":-94.658441,"event_end_latitude":39.146186,"event_end_longitude":-94.653074,"event_data":{"user_speed_mph":41.3,"speed_limit_mph":30,"max_user_speed_mph":44.01}}';

/** Alike and unlike their neighbours, of which some are whole numbers, some begin another, and some are longer than is shared. */
const alike = fc.constantFrom(0, 1, -1, 39.158553, 39.15855, 39.1585531234567, -0.5, 1e21, 1e-7, 1795218436235);
const finite = fc.oneof(alike, fc.double({ noNaN: true, noDefaultInfinity: true }));
const speeds = { user_speed_mph: finite, speed_limit_mph: finite, max_user_speed_mph: finite };
const event = fc
  .constantFrom([1, 'RAPID_ACCELERATION'], [2, 'HARD_BRAKE'], [7, 'PHONE_USE'], [9, 'OVERSPEEDING'])
  .chain(([event_type, event_name]) =>
    fc.record({
      event_type: fc.constant(event_type),
      event_name: fc.constant(event_name),
      event_start_timestamp: fc.maxSafeInteger(),
      event_end_timestamp: fc.maxSafeInteger(),
      event_start_latitude: finite,
      event_start_longitude: finite,
      event_end_latitude: finite,
      event_end_longitude: finite,
      event_data: event_type === 9 ? fc.record(speeds) : fc.constant({}),
    }),
  );
const tripEvents = fc.array(event, { minLength: 1, maxLength: 6 }).map((events) => JSON.stringify(events));

function expectLossless(json: string): void {
  expect(unpackTripEvents(packTripEvents(json))).toBe(json);
}

describe('packed trip events', () => {
  it('come back to the letter as phrases, whatever their numbers', () => {
    fc.assert(
      fc.property(tripEvents, (json) => {
        expect(packTripEvents(json)[0]).toBe(SHARED);
        expectLossless(json);
      }),
      { numRuns: 1000 },
    );
    expectLossless(`[${Array.from({ length: 5_000 }, () => OVERSPEEDING).join(',')}]`);
  });

  it('come back to the letter, whatever else was given', () => {
    fc.assert(fc.property(fc.json(), expectLossless));
    const damaged = fc.tuple(tripEvents, fc.nat(), fc.nat(), fc.string());
    fc.assert(
      fc.property(damaged, ([json, from, length, instead]) => {
        const at = from % json.length;
        expectLossless(json.slice(0, at) + instead + json.slice(at + (length % 40)));
      }),
      { numRuns: 1000 },
    );
  });

  it('take less than an eighth of their JSON, one event alone included', () => {
    expect(packTripEvents(`[${OVERSPEEDING}]`).byteLength).toBeLessThan(OVERSPEEDING.length / 8);
  });

  it('once stored stay readable: the bytes of all formats never change', () => {
    const [events, deflated] = [`[${OVERSPEEDING},${OVERSPEEDING}]`, '[{"event_type":"unknown"}]'];
    const stored = {
      phrased: '029e1e9725813426531e9725814428123ea9515835be496a8544e1931a6481e69ba45603474ea1e3034ea4100e',
      shared:
        '039e1e9725813426538e8422e1931a8555e39ba45648144e6481e63670e4143a3ee0410af1998e6332e54828124e8555e38644e14416686e03471ea1e3e2410ae1',
      deflated: '018b460d10a5d2bcecbcfcf23ca5da5800',
    };
    expect(Buffer.from(packTripEvents(events)).toString('hex')).toBe(stored.shared);
    expect(unpackTripEvents(Buffer.from(stored.shared, 'hex'))).toBe(events);
    expect(unpackTripEvents(Buffer.from(stored.phrased, 'hex'))).toBe(`[${OVERSPEEDING}]`);
    expect(packTripEvents(deflated)[0]).toBe(DEFLATED);
    expect(unpackTripEvents(Buffer.from(stored.deflated, 'hex'))).toBe(deflated);
  });

  it('are refused when they are damaged or of an unknown format', () => {
    for (const packed of [packTripEvents(`[${OVERSPEEDING}]`), packTripEvents('[{"event_type":"unknown"}]')]) {
      for (let length = 0; length < packed.byteLength; length++) {
        expect(() => unpackTripEvents(packed.subarray(0, length)), `${length}`).toThrow();
      }
    }
    const packed = packTripEvents(`[${OVERSPEEDING}]`);
    expect(() => unpackTripEvents(Uint8Array.of(...packed, 0))).toThrow('damaged');
    expect(() => unpackTripEvents(Uint8Array.of(4, ...packed.subarray(1)))).toThrow('format 4');
    expect(() => unpackTripEvents(new Uint8Array())).toThrow('cannot be read');
  });
});
