/** A driver to be erased, and what stands in the id's place from then on. */
export interface ErasedDriver {
  fleetId: string;
  driverId: string;
  /** `erased-` and 16 hex digits of the driver's hash. */
  pseudonym: string;
  /** Whether the daily and weekly figures stay, under the pseudonym. */
  keepAggregates: boolean;
}

/** How `log.stored_event.erased` spells it. */
export function erasedMark({ keepAggregates }: ErasedDriver): number {
  return keepAggregates ? 1 : 2;
}
