import fc from 'fast-check';

/** Values that a record's fields may have, for tests. The limits are not read from the schemas under test. */

const { MAX_VALUE, MAX_SAFE_INTEGER, MIN_SAFE_INTEGER } = Number;

/** A timestamp in epoch milliseconds, often near the limit for records, for `Date`, or for four-digit years. */
export const anyTimestamp = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(MIN_SAFE_INTEGER, MAX_SAFE_INTEGER, 8.64e15, 8.64e15 + 1, -8.64e15, -8.64e15 - 1),
  fc.integer({ min: -1_000, max: 1_000 }).map((offset) => Date.UTC(10_000, 0) + offset),
  fc.integer({ min: -1_000, max: 1_000 }).map((offset) => Date.UTC(2025, 0) + offset),
);

/** A time during a trip, in epoch milliseconds. */
export const anyTripTime = fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 });

/** A duration or a distance. */
export const anyAmount = fc.oneof(
  fc.double({ min: 0, max: MAX_VALUE, noNaN: true }),
  fc.double({ min: 0, max: 100_000, noNaN: true }),
  fc.constantFrom(0, -0, 5e-324, 1e-7, 0.1 + 0.2, 1 / 3, 59.5, 3_599.5, 1e15, 2 ** 53, 1e21, MAX_VALUE),
);

export const anyCount = fc.oneof(fc.maxSafeNat(), fc.nat({ max: 2 }), fc.constant(-0));

/** A coordinate, course or speed of a point or trip event. */
export const anyFinite = fc.oneof(
  fc.double({ min: -MAX_VALUE, max: MAX_VALUE, noNaN: true }),
  fc.double({ min: -400, max: 400, noNaN: true }),
  fc.constantFrom(0, -0, 5e-324, 1e-7, -90, 90, -180, 180, 360, 0.125 - 1e15, MAX_VALUE, -MAX_VALUE),
  fc.constantFrom(1 / 3, -1 / 3, 2 ** 53, -(2 ** 53), 1e21, -1e21),
);

const degrees = (most: number) =>
  fc.oneof(fc.constantFrom(0, -0, 1e-7, -1e-7), fc.double({ min: -most, max: most, noNaN: true }));
export const anyLatitude = degrees(90);
export const anyLongitude = degrees(180);

/**
 * A string such as a name. It may contain any characters, even control characters, except U+0000 and lone surrogates.
 */
export const anyText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 256 })
  .map((text) => text.replaceAll('\0', '='))
  .filter((text) => text.isWellFormed());
