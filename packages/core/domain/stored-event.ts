/**
 * The codes in the column `kind` of stored events. The codes stand for the kinds of records and for an operator's
 * erasure of a driver.
 */
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
