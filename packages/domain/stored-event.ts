/** How `log.stored_event.kind` spells the kinds of records, and the one kind that comes from an operator. */
export const STORED_EVENT_KINDS = {
  'trip.processed': 1,
  'trip.deleted': 2,
  'driver.profile': 3,
  'driver.erased': 4,
} as const;

export const {
  'trip.processed': TRIP_PROCESSED,
  'trip.deleted': TRIP_DELETED,
  'driver.profile': DRIVER_PROFILE,
  'driver.erased': DRIVER_ERASED,
} = STORED_EVENT_KINDS;

/** SQL of the name of the kind in `column`. */
export function nameOfKind(column: string): string {
  const cases = Object.entries(STORED_EVENT_KINDS).map(([name, kind]) => `WHEN ${kind} THEN '${name}'`);
  return `CASE ${column} ${cases.join(' ')} END`;
}
