import type { Random } from './random.ts';
import type { TripPlan } from './schedule.ts';

export const TRAIL_STEP_MILLISECONDS = 3_000;

/** The vehicle's position at one step of the trail, in degrees. */
export interface Place {
  latitude: number;
  longitude: number;
  course: number;
  /** Whether the trail contains this step. The trail has no steps while the vehicle is stationary or in a tunnel. */
  recorded: boolean;
  onHighway: boolean;
}

/** Speeds are multiples of the usual speed in town. The speeds are scaled to match the trip's miles. */
const HIGHWAY_SPEED = 2.3;
const CROSSING_SPEED = 0.3;
const METRES_A_MILE = 1609.344;
const METRES_A_DEGREE = 111_195;
/** The standard deviation of the noise on each axis, which puts a recorded point about 8 m from the road. */
const NOISE_METRES = 8 / Math.SQRT2;
/** The correlation of the noise between successive steps is high, because satellite errors drift instead of jumping. */
const NOISE_CORRELATION = 0.97;
const TURN_STEPS = 3;
/**
 * How a road bends: the radians per step at full speed, their correlation between steps, and the fraction by which each
 * step reduces a deviation from the general direction.
 */
const CITY = { radians: 0.012, correlation: 0.85, straightening: 0.004 };
const HIGHWAY = { radians: 0.004, correlation: 0.97, straightening: 0.02 };

/** Returns the fraction of a trip's miles that are on a highway: 0 for up to 3 miles, rising to 70% at 30 miles. */
export function highwayShare(miles: number): number {
  return 0.7 * Math.min(1, Math.max(0, (miles - 3) / (30 - 3)));
}

/** Returns where the vehicle is, a given number of milliseconds after the start. */
export function placeAt(road: readonly Place[], milliseconds: number): Place {
  const place = road[Math.min(road.length - 1, Math.round(milliseconds / TRAIL_STEP_MILLISECONDS))];
  if (!place) throw new Error('The road has no points.');
  return place;
}

/**
 * Chooses a random motion for each step, so that the given fraction of the distance is on the highway. The time share t
 * on the highway follows from the distance share h and the speed ratio v: h = v t / (v t + 1 - t). In town, the speed
 * is low at each crossing, where a turn may begin. It is steady on the highway, and 0 during stops.
 */
function drawMotion(random: Random, steps: number, share: number, stops: boolean) {
  const motion = Array.from({ length: steps }, () => ({ speed: 0, turns: false, onHighway: false }));
  const highwaySteps = Math.round((steps * share) / (HIGHWAY_SPEED - share * (HIGHWAY_SPEED - 1)));
  const highwayFrom = Math.floor((steps - highwaySteps) * random.uniform(0.3, 0.7));
  const highwayTo = highwayFrom + highwaySteps;
  for (let step = 0; step < steps; ) {
    const onHighway = step >= highwayFrom && step < highwayTo;
    const crossing = step + Math.min(60, 5 + Math.floor(random.exponential(9)));
    const end = onHighway ? highwayTo : Math.min(step < highwayFrom ? highwayFrom : steps, crossing);
    const cruise = onHighway ? HIGHWAY_SPEED : random.uniform(0.75, 1.3);
    const last = end - step - 1;
    for (const [index, each] of motion.slice(step, end).entries()) {
      const ramp = CROSSING_SPEED + (onHighway ? 0.25 : 0.3) * Math.min(index, last - index);
      each.speed = Math.min(cruise, ramp) * random.uniform(0.96, 1.04);
      each.turns = index === last && end < steps;
      each.onHighway = onHighway;
    }
    step = end;
    if (stops && !onHighway && random.chance(0.2)) step += random.integer(1, 8);
  }
  return motion;
}

/**
 * Generates a trip's path, which resembles a road, with bends, turns at crossings and a highway in the middle. The path
 * has one point per step and is exactly `miles` long before position noise is added.
 *
 * @param interruptions whether there are stops and tunnels, where the trail is not recorded
 */
export function drawRoad(
  random: Random,
  { miles, durationMilliseconds }: TripPlan,
  start: { latitude: number; longitude: number },
  interruptions: boolean,
): Place[] {
  const steps = Math.floor(durationMilliseconds / TRAIL_STEP_MILLISECONDS) + 1;
  const motion = drawMotion(random, steps, highwayShare(miles), interruptions);
  const metresASpeed = (miles * METRES_A_MILE) / motion.slice(0, -1).reduce((sum, { speed }) => sum + speed, 0);
  const metresALongitude = METRES_A_DEGREE * Math.cos((start.latitude * Math.PI) / 180);
  const innovation = NOISE_METRES * Math.sqrt(1 - NOISE_CORRELATION ** 2);
  let noiseNorth = NOISE_METRES * random.normal();
  let noiseEast = NOISE_METRES * random.normal();
  const direction = random.uniform(0, 2 * Math.PI);
  let deviation = random.uniform(-0.7, 0.7);
  let [north, east, bend, turnLeft, turnRate] = [0, 0, 0, 0, 0];
  const places: Place[] = [];
  for (const [step, { speed, turns, onHighway }] of motion.entries()) {
    const heading = direction + deviation;
    noiseNorth = NOISE_CORRELATION * noiseNorth + innovation * random.normal();
    noiseEast = NOISE_CORRELATION * noiseEast + innovation * random.normal();
    places.push({
      latitude: Math.round(1e6 * (start.latitude + (north + noiseNorth) / METRES_A_DEGREE)) / 1e6,
      longitude: Math.round(1e6 * (start.longitude + (east + noiseEast) / metresALongitude)) / 1e6,
      course: (((Math.round((heading * 1800) / Math.PI) % 3600) + 3600) % 3600) / 10,
      recorded: speed > 0 || step === 0 || step === steps - 1,
      onHighway,
    });
    north += Math.cos(heading) * speed * metresASpeed;
    east += Math.sin(heading) * speed * metresASpeed;
    if (speed === 0) continue;
    const kind = onHighway ? HIGHWAY : CITY;
    bend = kind.correlation * bend + kind.radians * random.normal();
    deviation += Math.min(1, speed) * (bend - kind.straightening * deviation);
    if (turns) {
      turnLeft = TURN_STEPS;
      turnRate = drawTurn(random, deviation) / TURN_STEPS;
    }
    if (turnLeft > 0) {
      deviation += turnRate;
      turnLeft--;
    }
  }
  if (interruptions && steps >= 60 && random.chance(0.08)) {
    const tunnelSteps = random.integer(4, 25);
    const from = random.integer(1, steps - 1 - tunnelSteps);
    for (const place of places.slice(from, from + tunnelSteps)) place.recorded = false;
  }
  return places;
}

/**
 * Returns the angle of a turn at a crossing, in radians. The turn is usually a right angle and preferably leads back
 * towards the general direction.
 */
function drawTurn(random: Random, deviation: number): number {
  const kind = random.uniform();
  if (kind < 0.3) return 0;
  const angle = kind < 0.75 ? Math.PI / 2 + 0.06 * random.normal() : random.uniform(0.3, 1.1);
  const towardsRight = deviation < 0;
  return random.chance(Math.abs(deviation) > 1 ? 1 : 0.75) === towardsRight ? angle : -angle;
}
