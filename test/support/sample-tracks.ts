/** Tracks for tests and benchmarks, along the roads of `sampleTrail`, with values like those from real devices. */

import type { TrailPoint } from '@milepost/domain/vocabulary';
import { mulberry32 } from './draw.ts';
import { sampleTrail } from './sample-trail.ts';

type Random = () => number;
/** Converts the points on a smooth drive to those that a device would send. */
type Device = (points: TrailPoint[], random: Random) => TrailPoint[];

const NOISE_CORRELATION = 0.97;
const SECOND = 1000;

const doubles = new Float64Array(1);
const bits = new BigInt64Array(doubles.buffer);

/** Returns the double that lies `steps` units in the last place above `value`. */
function beside(value: number, steps: number): number {
  doubles[0] = value;
  if (bits[0] !== undefined) bits[0] += BigInt(steps);
  return doubles[0];
}

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;
/** A number with all of a double's digits, as computed by a filter on the device. */
const computed = (value: number, spread: number, random: Random) => value + (random() - 0.5) * spread;
const filtered = ({ latitude, longitude }: TrailPoint, random: Random) => ({
  latitude: computed(latitude, 1e-6, random),
  longitude: computed(longitude, 1e-6, random),
});
/** As after a division, one value in three is off by one unit in the last place. */
const divided = (value: number, random: Random) => beside(value, random() < 1 / 3 ? (random() < 0.5 ? 1 : -1) : 0);
/** Degrees computed from whole degrees and minutes with five decimal places, as in NMEA sentences. */
const fromMinutes = (value: number, random: Random) => {
  const degrees = Math.trunc(value);
  return degrees + rounded((computed(value, 1e-6, random) - degrees) * 60, 5) / 60;
};
const digits = (value: number, count: number) => Number(value.toPrecision(count));

/** Repeats every point this many times, `milliseconds` apart. */
function repeated(points: readonly TrailPoint[], times: number, milliseconds: number): TrailPoint[] {
  return points.flatMap((point) =>
    Array.from({ length: times }, (_, time) => ({ ...point, timestamp: point.timestamp + time * milliseconds })),
  );
}

const everySecond: Device = (points) =>
  points.map((point, index) => ({ ...point, timestamp: (points[0]?.timestamp ?? 0) + index * SECOND }));

const DEVICES = {
  'research drives, 6 decimals': everySecond,
  'phone, course as full double': (points, random) =>
    everySecond(points, random).map((point) => ({
      ...point,
      timestamp: point.timestamp + Math.floor(random() * 5),
      course: random() < 0.1 ? -1 : computed(point.course + 1, 1, random),
    })),
  'taxi app': (points, random) =>
    points.map((point) => ({
      timestamp: point.timestamp + Math.floor(random() * SECOND),
      ...filtered(point, random),
      course: random() < 0.2 ? -1 : Math.round(point.course),
    })),
  'tracker with 15 digits': (points, random) =>
    points.map((point) => ({
      ...point,
      latitude: digits(computed(point.latitude, 1e-6, random), 15),
      longitude: digits(computed(point.longitude, 1e-6, random), 15),
      course: Math.round(point.course),
    })),
  'tracker, degrees from minutes': (points, random) =>
    points.map((point) => ({
      ...point,
      latitude: digits(fromMinutes(point.latitude, random), 15),
      longitude: digits(fromMinutes(point.longitude, random), 15),
      course: 0,
    })),
  'phone, 10 Hz with repeated fixes': (points, random) =>
    repeated(
      everySecond(points, random).map((point) => ({
        timestamp: point.timestamp,
        ...filtered(point, random),
        course: digits(computed(point.course + 1, 1, random), 14),
      })),
      10,
      100,
    ),
  'CAN bus': (points, random) =>
    everySecond(points, random).map((point) => ({
      timestamp: point.timestamp + Math.floor(random() * 20),
      latitude: divided(point.latitude, random),
      longitude: divided(point.longitude, random),
      course: Math.round(computed(point.course, 0.1, random) * 100) * 0.01,
    })),
  'single precision': (points, random) =>
    points.map((point) => ({
      timestamp: point.timestamp,
      latitude: Math.fround(computed(point.latitude, 1e-6, random)),
      longitude: Math.fround(computed(point.longitude, 1e-6, random)),
      course: Math.fround(computed(point.course + 1, 1, random)),
    })),
} satisfies Record<string, Device>;

/** The kinds of tracks that `sampleTrack` makes. */
export const TRACK_KINDS = ['synthetic', ...Object.keys(DEVICES)] as const;

/** Returns a track of this kind. The same arguments give the same track. */
export function sampleTrack(kind: string, seed: number, points: number): TrailPoint[] {
  const device = Object.entries(DEVICES).find(([name]) => name === kind)?.[1];
  if (device === undefined) return sampleTrail({ seed, points });
  const road = sampleTrail({ seed, points, noiseCorrelation: NOISE_CORRELATION });
  return device(road, mulberry32(seed + 1)).slice(0, points);
}
