import { copyBinary, type Transaction } from '@milepost/postgres';
import type { PlacedDraft } from './insert-stored-events.ts';

/** Adds the trails and trip events of the processed trips among `drafts`. */
export async function insertTripBodies(transaction: Transaction, drafts: readonly PlacedDraft[]): Promise<void> {
  const bodies = drafts.flatMap(({ draft: { content }, position }) =>
    content.kind === 'trip.processed' ? [{ key: position, values: [content.trailPath, content.tripEvents] }] : [],
  );
  if (bodies.length === 0) return;
  await transaction.copy('log.trip_body (position, trail_path, trip_events)', copyBinary(bodies));
}
