import type { Projection } from '@milepost/projections/engine';
import { dailyRollups } from './daily-rollups/projection.ts';
import { drivers } from './drivers/projection.ts';
import { fleets } from './fleets/projection.ts';
import { READ_TABLES } from './read-tables.ts';
import { trips } from './trips/projection.ts';
import { weeklyRollups } from './weekly-rollups/projection.ts';

const BY_READ_TABLE: Record<(typeof READ_TABLES)[number], Projection> = {
  drivers,
  trips,
  weekly_rollups: weeklyRollups,
  daily_rollups: dailyRollups,
  fleets,
};

/** All projections. Each projection depends only on the log and never on another projection's table. */
export const PROJECTIONS: readonly Projection[] = READ_TABLES.map((name) => BY_READ_TABLE[name]);
