/** How `log.stored_event.kind` spells the kinds of records, and the one kind that comes from an operator. */
export const STORED_EVENT_KINDS = {
  'trip.processed': 1,
  'trip.deleted': 2,
  'driver.profile': 3,
  'driver.erased': 4,
} as const;
