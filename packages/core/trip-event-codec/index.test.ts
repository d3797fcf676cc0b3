import type { TripEvent } from '@milepost/domain/vocabulary';
import { DamagedBytesError } from '@milepost/trail-codec/bit-reader';
import { withChecksum } from '@milepost/trail-codec/bit-writer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTripEvents } from '../../../test/support/arbitrary-records.ts';
import { undetectedBits, withFlippedBits } from '../../../test/support/damage.ts';
import { tripProcessed } from '../../../test/support/records.ts';
import { encodeTripEvents } from './encode.ts';
import { tripEventsToJson } from './json.ts';

const OVERSPEEDING: TripEvent = {
  event_type: 9,
  event_name: 'OVERSPEEDING',
  event_start_timestamp: 1795218436235,
  event_end_timestamp: 1795218448221,
  event_start_latitude: 39.158553,
  event_start_longitude: -94.658441,
  event_end_latitude: 39.146186,
  event_end_longitude: -94.653074,
  event_data: { user_speed_mph: 41.3, speed_limit_mph: 30, max_user_speed_mph: 44.01 },
};

function expectLossless(events: TripEvent[]): void {
  const json = tripEventsToJson(encodeTripEvents(events));
  // toStrictEqual compares numbers with Object.is, which distinguishes 0 and -0.
  expect(JSON.parse(json)).toStrictEqual(events);
  expect(json.replaceAll(/:-0(?=[,}])/g, ':0')).toBe(JSON.stringify(events));
}

it('encoded trip events decode to the JSON text of the same events, whatever their numbers', () => {
  fc.assert(fc.property(anyTripEvents, expectLossless), { numRuns: 1000 });
  expectLossless([]);
  expectLossless(Array.from({ length: 5_000 }, () => OVERSPEEDING));
  expectLossless(tripProcessed().events);
});

it('encoded trip events have room for the longest numbers, even when they do not begin alike', () => {
  const [longest, other] = [-2.2250738585072014e-308, 1.2345678901234568e-300];
  const start = { event_start_timestamp: longest, event_start_latitude: longest, event_start_longitude: longest };
  const end = { event_end_timestamp: other, event_end_latitude: other, event_end_longitude: other };
  const event_data = { user_speed_mph: longest, speed_limit_mph: longest, max_user_speed_mph: other };
  expectLossless([{ ...OVERSPEEDING, ...start, ...end, event_data }]);
});

it.each(['user_speed_mph', 'speed_limit_mph', 'max_user_speed_mph'] as const)(
  'trip events are refused when an OVERSPEEDING one lacks %s, because no byte would represent its absence',
  (name) => {
    const { [name]: _, ...event_data } = OVERSPEEDING.event_data;
    expect(() => encodeTripEvents([OVERSPEEDING, { ...OVERSPEEDING, event_data }])).toThrow(
      new TypeError(`The data of an OVERSPEEDING trip event must have the field ${name}.`),
    );
  },
);

it('encoded trip events have the same bytes in every release, because the log stores them permanently', () => {
  const events: TripEvent[] = [
    OVERSPEEDING,
    { ...OVERSPEEDING, event_type: 2, event_name: 'HARD_BRAKE', event_end_latitude: -0, event_data: {} },
    { ...OVERSPEEDING, event_start_longitude: -94.65844123456789, event_end_longitude: -94.65844123456787 },
  ];
  expect(Buffer.from(encodeTripEvents(events)).toString('hex')).toMatchInlineSnapshot(
    `"01139725813426538f8422f1931a8555f39ba45648144f6481f63670f4143a3ff0410af1816332f54828124f8555f38644f1b0f03670f4836332f54828120f931a8555f3864421436587f9441668ff87f7113a2f1fa410ffc888896f"`,
  );
});

it('encoded trip events have bytes that depend only on their numbers', () => {
  fc.assert(
    fc.property(anyTripEvents, anyTripEvents, (events, others) => {
      const bytes = encodeTripEvents(events);
      encodeTripEvents(others);
      expect(encodeTripEvents(structuredClone(events))).toStrictEqual(bytes);
    }),
    { numRuns: 200 },
  );
});

it('encoded trip events need less than an eighth of the bytes of their JSON, even for a single event', () => {
  const share = (events: TripEvent[]) => encodeTripEvents(events).byteLength / JSON.stringify(events).length;
  expect(share([OVERSPEEDING])).toBeLessThan(1 / 8);
  expect(share([OVERSPEEDING, OVERSPEEDING])).toBeLessThan(1 / 8);
});

it('encoded trip events decode to a text of at most 60 times their length', () => {
  fc.assert(
    fc.property(anyTripEvents, (events) => {
      const bytes = encodeTripEvents(events);
      expect(tripEventsToJson(bytes).length).toBeLessThanOrEqual(60 * bytes.byteLength);
    }),
  );
  const bytes = encodeTripEvents(Array.from({ length: 10_000 }, () => OVERSPEEDING));
  expect(tripEventsToJson(bytes).length).toBeLessThanOrEqual(60 * bytes.byteLength);
});

it('damaged trip events are refused when any single bit is flipped', () => {
  const random = fc.sample(anyTripEvents, { numRuns: 20, seed: 21 });
  for (const events of [[], [OVERSPEEDING], tripProcessed().events, ...random]) {
    expect(undetectedBits(encodeTripEvents(events), tripEventsToJson)).toEqual([]);
  }
});

it('damaged trip events are refused when bytes are missing or added', () => {
  const bytes = encodeTripEvents([OVERSPEEDING]);
  for (let length = 0; length < bytes.byteLength; length++) {
    expect(() => tripEventsToJson(bytes.subarray(0, length)), `${length}`).toThrow(DamagedBytesError);
  }
  expect(() => tripEventsToJson(Uint8Array.of(...bytes, 0))).toThrow(DamagedBytesError);
  expect(() => tripEventsToJson(Uint8Array.of(0, ...bytes))).toThrow(DamagedBytesError);
});

it('damaged trip events are refused or decode to a text of limited length, even when the checksum matches', () => {
  const anyPlaces = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });
  const damaged = fc.tuple(anyTripEvents, anyPlaces).map(([events, places]) => {
    const content = encodeTripEvents(events).subarray(0, -4);
    const positions = places.map((place) => place % (content.byteLength * 8));
    return withFlippedBits(content, positions);
  });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 300 })), (content) => {
      try {
        expect(tripEventsToJson(withChecksum(content)).length).toBeLessThanOrEqual(60 * content.byteLength);
      } catch (error) {
        if (!(error instanceof DamagedBytesError)) throw error;
      }
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['The format of trip events is 2', [2, 0x0f]],
  ['trip event type 4 is unknown', [1, 0x04]],
  ['end of the trip events is missing', [1]],
  ['end of the trip events is missing', [1, 0x00]],
  ['not zero', [1, 0x1f]],
  ['end after 2 bytes, but there are 3', [1, 0x0f, 0]],
])('damaged trip events are refused with the reason: %s', (message, content) => {
  expect(() => tripEventsToJson(withChecksum(Uint8Array.from(content)))).toThrow(message);
});
