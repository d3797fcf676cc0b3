/**
 * All read tables, in the order in which the queries name their views. A promotion locks them in the same order,
 * because any other order would cause deadlocks with readers.
 */
export const READ_TABLES = ['drivers', 'trips', 'weekly_rollups', 'daily_rollups', 'fleets'] as const;

/** Read tables from earlier releases, whose content is now in `trips`. */
export const PARTS_OF_TRIPS: readonly string[] = ['trail_paths', 'trip_events'];
