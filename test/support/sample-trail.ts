/**
 * Trails that resemble real drives, for tests and benchmarks: winding roads with turns, position noise and gaps in
 * reception.
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
