/**
 * Tracks for tests and benchmarks, with values like those from real devices. The roads wind, with turns, position noise
 * and gaps in reception.
 */

import type { TrailPoint } from '@milepost/domain/vocabulary';
import { mulberry32 } from './draw.ts';

interface SampleTrailOptions {
  seed: number;
  points: number;
  /** How much of a position's noise carries over to the next position. At 0, the noise jumps; close to 1, it drifts. */
  noiseCorrelation?: number;
}

const STEP_MILLISECONDS = 3000;
const MICRODEGREES_A_METRE = 9;
const NOISE_METRES = 8;
const CROSSING_CHANCE = 0.05;
const GAP_CHANCE = 0.01;

/**
 * Returns a trail that depends only on the options. Coordinates have six decimal places, and courses have one. The
 * noise has a standard deviation of 8 m per axis.
 */
export function sampleTrail({ seed, points, noiseCorrelation = 0 }: SampleTrailOptions): TrailPoint[] {
  const random = mulberry32(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const innovation = NOISE_METRES * Math.sqrt(1 - noiseCorrelation ** 2);
  let timestamp = 1_750_000_000_000 + Math.floor(random() * 1e10);
  let north = (30 + random() * 15) * 1e6;
  let east = -(75 + random() * 45) * 1e6;
  let northNoise = NOISE_METRES * normal();
  let eastNoise = NOISE_METRES * normal();
  let heading = random() * 360;
  let bend = 0;
  let turnLeft = 0;
  let speed = 12;
  return Array.from({ length: points }, () => {
    const point = {
      timestamp,
      latitude: Math.round(north + northNoise * MICRODEGREES_A_METRE) / 1e6,
      longitude:
        Math.round(east + (eastNoise * MICRODEGREES_A_METRE) / Math.cos((north / 1e6) * (Math.PI / 180))) / 1e6,
      course: (Math.round((heading - 360 * Math.floor(heading / 360)) * 10) % 3600) / 10,
    };
    const steps = random() < GAP_CHANCE ? 2 + Math.floor(random() * 30) : 1;
    const metres = (speed * steps * STEP_MILLISECONDS) / 1000;
    timestamp += steps * STEP_MILLISECONDS;
    north += Math.cos((heading * Math.PI) / 180) * metres * MICRODEGREES_A_METRE;
    const eastward = Math.sin((heading * Math.PI) / 180) * metres * MICRODEGREES_A_METRE;
    east += eastward / Math.cos((north / 1e6) * (Math.PI / 180));
    northNoise = noiseCorrelation * northNoise + innovation * normal();
    eastNoise = noiseCorrelation * eastNoise + innovation * normal();
    speed = Math.min(25, Math.max(3, speed + normal()));
    bend = 0.85 * bend + normal();
    if (random() < CROSSING_CHANCE) turnLeft = random() < 0.5 ? 3 : -3;
    heading += bend + 30 * Math.sign(turnLeft);
    turnLeft -= Math.sign(turnLeft);
    return point;
  });
}

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
/** One value in three is off by one unit in the last place, as if it were the result of a division. */
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
