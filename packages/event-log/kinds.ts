/** How `log.stored_event.kind` spells the kinds of records. */
export const STORED_EVENT_KINDS = { 'trip.processed': 1, 'trip.deleted': 2, 'driver.profile': 3 } as const;
