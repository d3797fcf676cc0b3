import type { Units } from './preferences.ts';

const KILOMETRES_PER_MILE = 1.609344;

/** The text for a missing value. */
export const NONE = '–';

/** Numbers of this size or larger are shown in scientific notation, because a record may contain 1.8E308. */
const MIN_SCIENTIFIC = 1e15;

/** Converts miles to the reader's units. The result is finite for every finite input. */
export function distanceIn(units: Units, miles: number): number {
  if (units === 'miles') return miles;
  return Math.min(Math.max(miles * KILOMETRES_PER_MILE, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** Converts a rate per 100 miles to a rate per 100 of the reader's units. */
export function rateIn(units: Units, per100Miles: number): number {
  return units === 'miles' ? per100Miles : per100Miles / KILOMETRES_PER_MILE;
}

export const DISTANCE_SYMBOLS: Readonly<Record<Units, string>> = { miles: 'mi', kilometres: 'km' };
const SPEED_SYMBOLS: Readonly<Record<Units, string>> = { miles: 'mph', kilometres: 'km/h' };

/** The number of decimal places. */
export type Digits = 0 | 1 | 2;

function formatWith(digits: Digits): Intl.NumberFormat {
  return new Intl.NumberFormat('en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });
}

/** Created only once: creating a formatter for each number would take longer than drawing the rest of a table. */
const FORMATS: Readonly<Record<Digits, Intl.NumberFormat>> = { 0: formatWith(0), 1: formatWith(1), 2: formatWith(2) };
const SCIENTIFIC = new Intl.NumberFormat('en-GB', { notation: 'scientific', maximumFractionDigits: 3 });

/** A number with this many decimal places and with commas between thousands. Infinity and NaN are shown as missing. */
export function decimal(value: number, digits: Digits = 1): string {
  if (!Number.isFinite(value)) return NONE;
  return (Math.abs(value) < MIN_SCIENTIFIC ? FORMATS[digits] : SCIENTIFIC).format(value);
}

/** A number with its sign, such as `+1.5` or `−1.5`. A number that is rounded to zero has no sign. */
export function signedText(value: number, digits: Digits = 1): string {
  const text = decimal(Math.abs(value), digits);
  if (Number(text.replaceAll(',', '')) === 0) return text;
  return value > 0 ? `+${text}` : `−${text}`;
}

/** A distance with its unit. */
export function distanceText(units: Units, miles: number): string {
  return `${decimal(distanceIn(units, miles))} ${DISTANCE_SYMBOLS[units]}`;
}

/** A speed, given in mph, with its unit. */
export function speedText(units: Units, milesPerHour: number): string {
  return `${decimal(distanceIn(units, milesPerHour), 0)} ${SPEED_SYMBOLS[units]}`;
}

/** A duration such as `1 h 05 min`, `12 min`, `1 min 30 s` or `45 s`. */
export function durationText(seconds: number): string {
  if (Math.round(seconds) < 60) return `${decimal(seconds, 0)} s`;
  const whole = Math.round(seconds);
  if (whole < 600 && whole % 60 !== 0) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (seconds >= MIN_SCIENTIFIC) return `${decimal(seconds / 3_600, 0)} h`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${decimal(Math.floor(minutes / 60), 0)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** A count and its noun, such as `1 trip` or `2 trips`. */
export function countText(count: number, singular: string, plural = `${singular}s`): string {
  return `${decimal(count, 0)} ${count === 1 ? singular : plural}`;
}

/** A number of occurrences and, if known, their duration, such as `never`, `1 time` or `2 times, 1 min 30 s`. */
export function timesText(count: number, seconds?: number): string {
  if (count === 0) return 'never';
  const times = countText(count, 'time');
  return seconds === undefined ? times : `${times}, ${durationText(seconds)}`;
}

/** A part of a whole, as a percentage. Shown as missing if the whole is 0 or too small to divide by. */
export function shareText(part: number, whole: number): string {
  const percent = 100 * (part / whole);
  return whole > 0 && Number.isFinite(percent) ? `${decimal(percent, 0)}%` : NONE;
}
