/** A path that resembles a road: bends, crossings with turns, a highway in the middle, stops and tunnels. */

import { HIGHWAY, POSITION_NOISE_METRES, TRAIL_STEP_MILLISECONDS } from './figures.ts';
import type { Random } from './random.ts';
import { drawSpeeds } from './speeds.ts';

/**
 * One place per trail step, whether it is recorded or not. Coordinates are in millionths of a degree, and the course is
 * in tenths of a degree.
 */
export interface Road {
  latitude: Int32Array;
  longitude: Int32Array;
  course: Int16Array;
  /** 0 where the vehicle is stopped or in a tunnel, because such steps are not in the trail. */
  recorded: Uint8Array;
  onHighway: Uint8Array;
}

interface RoadOptions {
  startLatitude: number;
  startLongitude: number;
  miles: number;
  steps: number;
  /** Whether there are stops and tunnels, where no place is recorded. */
  interruptions: boolean;
}

const METRES_A_MILE = 1609.344;
const METRES_A_DEGREE = 111_195;
/**
 * The correlation of the position noise from one step to the next. It is high, because satellite errors drift instead
 * of jumping.
 */
const NOISE_CORRELATION = 0.97;
const BEND_CORRELATION = { city: 0.85, highway: 0.97 } as const;
/** Radians per step at full speed, before correlation. */
const BEND = { city: 0.012, highway: 0.004 } as const;
/** The share of a deviation from the general direction that each step corrects. */
const STRAIGHTENING = { city: 0.004, highway: 0.02 } as const;
const TUNNEL = { chance: 0.08, lowestSteps: 4, highestSteps: 25, fewestTrailSteps: 60 } as const;

/** Share of a trip's miles driven on a highway. */
export function highwayShare(miles: number): number {
  const rise = (miles - HIGHWAY.fromMiles) / (HIGHWAY.toMiles - HIGHWAY.fromMiles);
  return HIGHWAY.highestShare * Math.min(1, Math.max(0, rise));
}

/** Returns the number of trail steps in a trip of this duration, including the first and the last place. */
export function stepsOf(durationMilliseconds: number): number {
  return Math.floor(durationMilliseconds / TRAIL_STEP_MILLISECONDS) + 1;
}

/** Draws a road with `steps` places that is exactly `miles` long before position noise is added. */
export function drawRoad(random: Random, options: RoadOptions): Road {
  const { steps, miles, interruptions } = options;
  const { speed, turnSteps, onHighway } = drawSpeeds(random, steps, highwayShare(miles), interruptions);
  const latitude = new Int32Array(steps);
  const longitude = new Int32Array(steps);
  const course = new Int16Array(steps);
  const recorded = new Uint8Array(steps);
  let speedSum = 0;
  for (let step = 0; step < steps - 1; step++) speedSum += speed[step] ?? 0;
  const metresASpeed = (miles * METRES_A_MILE) / speedSum;
  const longitudeScale = Math.cos((options.startLatitude * Math.PI) / 180);
  const innovation = (POSITION_NOISE_METRES / Math.SQRT2) * Math.sqrt(1 - NOISE_CORRELATION ** 2);
  let noiseNorth = (POSITION_NOISE_METRES / Math.SQRT2) * random.normal();
  let noiseEast = (POSITION_NOISE_METRES / Math.SQRT2) * random.normal();
  const direction = random.uniform(0, 2 * Math.PI);
  let deviation = random.uniform(-0.7, 0.7);
  let bend = 0;
  let turnLeft = 0;
  let turnRate = 0;
  let north = 0;
  let east = 0;
  for (let step = 0; step < steps; step++) {
    const heading = direction + deviation;
    noiseNorth = NOISE_CORRELATION * noiseNorth + innovation * random.normal();
    noiseEast = NOISE_CORRELATION * noiseEast + innovation * random.normal();
    const tenths = Math.round((heading * 1800) / Math.PI) % 3600;
    latitude[step] = Math.round(1e6 * (options.startLatitude + (north + noiseNorth) / METRES_A_DEGREE));
    longitude[step] = Math.round(
      1e6 * (options.startLongitude + (east + noiseEast) / (METRES_A_DEGREE * longitudeScale)),
    );
    course[step] = tenths < 0 ? tenths + 3600 : tenths;
    const moving = speed[step] ?? 0;
    recorded[step] = moving > 0 || step === 0 || step === steps - 1 ? 1 : 0;
    north += Math.cos(heading) * moving * metresASpeed;
    east += Math.sin(heading) * moving * metresASpeed;
    if (moving === 0) continue;
    const kind = onHighway[step] ? 'highway' : 'city';
    bend = BEND_CORRELATION[kind] * bend + BEND[kind] * random.normal();
    deviation += Math.min(1, moving) * (bend - STRAIGHTENING[kind] * deviation);
    const turning = turnSteps[step] ?? 0;
    if (turning > 0) {
      turnLeft = turning;
      turnRate = drawTurn(random, deviation) / turning;
    }
    if (turnLeft > 0) {
      deviation += turnRate;
      turnLeft--;
    }
  }
  if (interruptions) hideTunnel(random, recorded);
  return { latitude, longitude, course, recorded, onHighway };
}

/**
 * Returns the angle of a turn at a crossing, in radians. It is usually a right angle and preferably leads back towards
 * the general direction.
 */
function drawTurn(random: Random, deviation: number): number {
  const kind = random.uniform();
  if (kind < 0.3) return 0;
  const angle = kind < 0.75 ? Math.PI / 2 + 0.06 * random.normal() : random.uniform(0.3, 1.1);
  const towardsRight = deviation < 0;
  return random.chance(Math.abs(deviation) > 1 ? 1 : 0.75) === towardsRight ? angle : -angle;
}

function hideTunnel(random: Random, recorded: Uint8Array): void {
  if (recorded.length < TUNNEL.fewestTrailSteps || !random.chance(TUNNEL.chance)) return;
  const steps = random.integer(TUNNEL.lowestSteps, TUNNEL.highestSteps);
  const from = random.integer(1, recorded.length - 1 - steps);
  recorded.fill(0, from, from + steps);
}
