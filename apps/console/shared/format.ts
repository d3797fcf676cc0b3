import type { Units } from './preferences.ts';

const KILOMETRES_PER_MILE = 1.609344;

/** Stands where there is no value. */
export const NONE = '–';

/** `miles` in the units that the reader has chosen. */
export function distanceIn(units: Units, miles: number): number {
  return units === 'miles' ? miles : miles * KILOMETRES_PER_MILE;
}

/** A rate per 100 miles as one per 100 of the units. */
export function rateIn(units: Units, per100Miles: number): number {
  return units === 'miles' ? per100Miles : per100Miles / KILOMETRES_PER_MILE;
}

export const DISTANCE_SYMBOLS: Readonly<Record<Units, string>> = { miles: 'mi', kilometres: 'km' };
const SPEED_SYMBOLS: Readonly<Record<Units, string>> = { miles: 'mph', kilometres: 'km/h' };

/** How many decimals a figure may have. */
export type Digits = 0 | 1 | 2;

function formatWith(digits: Digits): Intl.NumberFormat {
  return new Intl.NumberFormat('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Made once: to make one for each figure of a table takes longer than all the rest of it. */
const FORMATS: Readonly<Record<Digits, Intl.NumberFormat>> = { 0: formatWith(0), 1: formatWith(1), 2: formatWith(2) };

/** A number with this many decimals and commas between thousands. */
export function decimal(value: number, digits: Digits = 1): string {
  return FORMATS[digits].format(value);
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
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${decimal(Math.floor(minutes / 60), 0)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** How many there are of something, whose plural ends in `s`. */
export function countText(count: number, one: string): string {
  return `${decimal(count, 0)} ${one}${count === 1 ? '' : 's'}`;
}

/** How often something happened, and for how long where that is known: `never`, `1 time`, `2 times, 1 min 30 s`. */
export function timesText(count: number, seconds?: number): string {
  if (count === 0) return 'never';
  const times = countText(count, 'time');
  return seconds === undefined ? times : `${times}, ${durationText(seconds)}`;
}

/** A part of a whole in percent; none where the whole is 0. */
export function shareText(part: number, whole: number): string {
  return whole > 0 ? `${decimal((100 * part) / whole, 0)} %` : NONE;
}
