/** The speed of a trip at each step, which is low at each crossing in town and steady on the highway in between. */

import type { Random } from './random.ts';

interface Speeds {
  /**
   * The speed as a multiple of the ordinary speed in town, or 0 while the vehicle is stopped. The road scales the
   * speeds so that they match the miles of the trip.
   */
  speed: Float64Array;
  /** The number of steps of a turn at the turn's first step; 0 at all other steps. */
  turnSteps: Uint8Array;
  onHighway: Uint8Array;
}

/** The speed on the highway as a multiple of the ordinary speed in town. */
const HIGHWAY_SPEED = 2.3;
/** The number of steps from one crossing to the next. */
const CROSSING_STEPS = { lowest: 5, mean: 14, highest: 60 } as const;
const CROSSING_SPEED = 0.3;
const STOP = { chance: 0.2, lowestSteps: 1, highestSteps: 8 } as const;

/**
 * Draws the speeds of a trip of `steps` steps, with the given share of the distance on the highway. The time share t on
 * the highway follows from the distance share h and the ratio of speeds v: h = v t / (v t + 1 - t).
 */
export function drawSpeeds(random: Random, steps: number, highwayShare: number, stops: boolean): Speeds {
  const speed = new Float64Array(steps);
  const turnSteps = new Uint8Array(steps);
  const onHighway = new Uint8Array(steps);
  const highwaySteps = Math.round((steps * highwayShare) / (HIGHWAY_SPEED - highwayShare * (HIGHWAY_SPEED - 1)));
  const highwayFrom = Math.floor((steps - highwaySteps) * random.uniform(0.3, 0.7));
  const highwayTo = highwayFrom + highwaySteps;
  for (let step = 0; step < steps; ) {
    const highway = step >= highwayFrom && step < highwayTo;
    const crossing =
      CROSSING_STEPS.lowest + Math.floor(random.exponential(CROSSING_STEPS.mean - CROSSING_STEPS.lowest));
    const ahead = highway ? highwayTo : step < highwayFrom ? highwayFrom : steps;
    const end = highway ? highwayTo : Math.min(ahead, step + Math.min(crossing, CROSSING_STEPS.highest));
    const cruise = highway ? HIGHWAY_SPEED : random.uniform(0.75, 1.3);
    const rise = highway ? 0.25 : 0.3;
    for (let current = step; current < end; current++) {
      const ramp = CROSSING_SPEED + rise * Math.min(current - step, end - 1 - current);
      speed[current] = Math.min(cruise, ramp) * random.uniform(0.96, 1.04);
      if (highway) onHighway[current] = 1;
    }
    if (end < steps) turnSteps[end - 1] = 3;
    step = end;
    if (stops && !highway && random.chance(STOP.chance)) {
      step += random.integer(STOP.lowestSteps, STOP.highestSteps);
    }
  }
  return { speed, turnSteps, onHighway };
}
