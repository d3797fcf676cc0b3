import type { Projection } from '@milepost/projections/engine';
import { dailyRollups } from './daily-rollups/projection.ts';
import { drivers } from './drivers/projection.ts';
import { fleets } from './fleets/projection.ts';
import { trailPaths } from './trail-paths/projection.ts';
import { tripEvents } from './trip-events/projection.ts';
import { trips } from './trips/projection.ts';
import { weeklyRollups } from './weekly-rollups/projection.ts';

/**
 * Every projection there is. None depends on another's table: each is a function of the log alone. In the order in which
 * the queries name their views: a promotion locks them in this order, and would else meet readers head-on.
 */
export const PROJECTIONS: readonly Projection[] = [
  drivers,
  trips,
  trailPaths,
  tripEvents,
  weeklyRollups,
  dailyRollups,
  fleets,
];
