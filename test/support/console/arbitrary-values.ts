import fc from 'fast-check';
import * as field from '../../../packages/core/domain/records/fields.ts';

/** Values that a record's fields may have, for tests. The limits are those in the records' schemas. */

const { MAX_VALUE } = Number;

/** The limits of a record field. */
function limitsOf(schema: object): { min: number; max: number } {
  return { min: Number(Reflect.get(schema, 'minimum')), max: Number(Reflect.get(schema, 'maximum') ?? MAX_VALUE) };
}

const TIMESTAMP = limitsOf(field.timestamp);
const AMOUNT = limitsOf(field.amount);

/** A timestamp in epoch milliseconds, often near the limit for records, for `Date`, or for four-digit years. */
export const anyTimestamp = fc.oneof(
  fc.integer(TIMESTAMP),
  fc.constantFrom(TIMESTAMP.min, TIMESTAMP.max, 8.64e15, 8.64e15 + 1, -8.64e15, -8.64e15 - 1),
  fc.integer({ min: -1_000, max: 1_000 }).map((offset) => Date.UTC(10_000, 0) + offset),
  fc.integer({ min: -1_000, max: 1_000 }).map((offset) => Date.UTC(2025, 0) + offset),
);

/** A time during a trip, in epoch milliseconds. */
export const anyTripTime = fc.integer(limitsOf(field.tripTime));

/** A duration or a distance. */
export const anyAmount = fc.oneof(
  fc.double({ ...AMOUNT, noNaN: true }),
  fc.double({ ...AMOUNT, max: 100_000, noNaN: true }),
  fc.constantFrom(0, -0, 5e-324, 1e-7, 0.1 + 0.2, 1 / 3, 59.5, 3_599.5, 1e15, 2 ** 53, 1e21, MAX_VALUE),
);

export const anyCount = fc.oneof(fc.integer(limitsOf(field.count)), fc.nat({ max: 2 }), fc.constant(-0));

/** A coordinate, course or speed of a point or trip event. */
export const anyFinite = fc.oneof(
  fc.double({ min: -MAX_VALUE, max: MAX_VALUE, noNaN: true }),
  fc.double({ min: -400, max: 400, noNaN: true }),
  fc.constantFrom(0, -0, 5e-324, 1e-7, -90, 90, -180, 180, 360, 0.125 - 1e15, MAX_VALUE, -MAX_VALUE),
);

const degrees = (schema: object) =>
  fc.oneof(fc.constantFrom(0, -0, 1e-7, -1e-7), fc.double({ ...limitsOf(schema), noNaN: true }));
export const anyLatitude = degrees(field.latitude);
export const anyLongitude = degrees(field.longitude);

/**
 * A string such as a name. It may contain any characters, even control characters, except U+0000 and lone surrogates.
 */
export const anyText = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 256 })
  .map((text) => text.replaceAll('\0', '='))
  .filter((text) => text.isWellFormed());
