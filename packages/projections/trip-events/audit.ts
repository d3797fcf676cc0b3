import { bodyAudit } from '../log/body-audit.ts';

/** Each trip's trip events against the log's bytes. */
export const tripEventsAudit = bodyAudit('trip_events', 'trip_events');
