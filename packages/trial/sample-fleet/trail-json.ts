/**
 * Writes the JSON text of a trail digit by digit, several times as fast as JSON.stringify. This matters, because the
 * trail takes most of the time in which a trip is generated.
 */

import { TRAIL_STEP_MILLISECONDS } from './figures.ts';
import type { Road } from './road.ts';

const TIMESTAMP = Buffer.from('{"timestamp":');
const LATITUDE = Buffer.from(',"latitude":');
const LONGITUDE = Buffer.from(',"longitude":');
const COURSE = Buffer.from(',"course":');
/** The size of the longest point: names, 13 digits, -dd.dddddd, -ddd.dddddd, ddd.d, braces and comma. */
const BYTES_A_POINT = 100;
const [ZERO, MINUS, POINT, COMMA] = [0x30, 0x2d, 0x2e, 0x2c] as const;
const [OPEN_ARRAY, CLOSE_ARRAY, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7d] as const;

function writeBytes(target: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++) target[at + index] = bytes[index] ?? 0;
  return at + bytes.length;
}

/** Writes an integer below 2^31 in exactly `digits` digits. */
function writeDigits(target: Uint8Array, at: number, value: number, digits: number): number {
  let rest = value | 0;
  for (let index = at + digits - 1; index >= at; index--) {
    const tenth = (rest / 10) | 0;
    target[index] = ZERO + rest - tenth * 10;
    rest = tenth;
  }
  return at + digits;
}

/**
 * Writes value / scale, where scale is 10^places, in JavaScript's format, which has no trailing zeros and no trailing
 * decimal point.
 */
function writeDecimal(target: Uint8Array, at: number, value: number, scale: number, places: number): number {
  let next = at;
  if (value < 0) target[next++] = MINUS;
  const absolute = Math.abs(value);
  const whole = (absolute / scale) | 0;
  next = writeDigits(target, next, whole, whole < 10 ? 1 : whole < 100 ? 2 : 3);
  const fraction = absolute - whole * scale;
  if (fraction === 0) return next;
  target[next++] = POINT;
  let end = writeDigits(target, next, fraction, places);
  while (target[end - 1] === ZERO) end--;
  return end;
}

/**
 * Returns the trail's recorded points as a JSON array. The first one is at `startTime`, in epoch milliseconds with 13
 * digits.
 */
export function trailJson(road: Road, startTime: number): string {
  const { recorded, latitude, longitude, course } = road;
  const target = new Uint8Array(recorded.length * BYTES_A_POINT + 2);
  let at = 0;
  target[at++] = OPEN_ARRAY;
  for (let step = 0; step < recorded.length; step++) {
    if (!recorded[step]) continue;
    if (at > 1) target[at++] = COMMA;
    const timestamp = startTime + step * TRAIL_STEP_MILLISECONDS;
    const millions = Math.floor(timestamp / 1e6);
    at = writeDigits(target, writeBytes(target, at, TIMESTAMP), millions, 7);
    at = writeDigits(target, at, timestamp - millions * 1e6, 6);
    at = writeDecimal(target, writeBytes(target, at, LATITUDE), latitude[step] ?? 0, 1e6, 6);
    at = writeDecimal(target, writeBytes(target, at, LONGITUDE), longitude[step] ?? 0, 1e6, 6);
    at = writeDecimal(target, writeBytes(target, at, COURSE), course[step] ?? 0, 10, 1);
    target[at++] = CLOSE_OBJECT;
  }
  target[at++] = CLOSE_ARRAY;
  return Buffer.from(target.buffer, 0, at).toString('latin1');
}
