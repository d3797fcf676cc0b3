/**
 * The read tables there are, in the order in which the queries name their views: a promotion locks them in this order, and
 * would else meet readers head-on.
 */
export const READ_TABLES = ['drivers', 'trips', 'weekly_rollups', 'daily_rollups', 'fleets'] as const;

/** Read tables of earlier releases whose content `trips` shows now. */
export const PARTS_OF_TRIPS: readonly string[] = ['trail_paths', 'trip_events'];
