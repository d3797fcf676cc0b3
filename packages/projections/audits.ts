import type { ProjectionAudit } from '@milepost/audit';
import { dailyRollupsAudit } from './daily-rollups/audit.ts';
import { driversAudit } from './drivers/audit.ts';
import { fleetsAudit } from './fleets/audit.ts';
import { trailPathsAudit } from './trail-paths/audit.ts';
import { tripEventsAudit } from './trip-events/audit.ts';
import { tripsAudit } from './trips/audit.ts';
import { weeklyRollupsAudit } from './weekly-rollups/audit.ts';

/** How each read table is recounted from the log. */
export const AUDITS: readonly ProjectionAudit[] = [
  driversAudit,
  tripsAudit,
  tripEventsAudit,
  trailPathsAudit,
  dailyRollupsAudit,
  weeklyRollupsAudit,
  fleetsAudit,
];
