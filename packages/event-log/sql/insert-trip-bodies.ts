import { packBytes, type Statement, type Transaction } from '@milepost/postgres';
import type { PlacedDraft } from './insert-stored-events.ts';

/** Trails and trip events travel as one binary value each: an array of bytea would double them as hex. */
const INSERT_TRIP_BODIES: Statement = {
  name: 'insert-trip-bodies',
  text: `INSERT INTO log.trip_body (position, trail_path, trip_events)
         SELECT position, substring($1::bytea FROM trail_start FOR trail_length), substring($2::bytea FROM trip_events_start FOR trip_events_length)
         FROM unnest($3::bigint[], $4::integer[], $5::integer[], $6::integer[], $7::integer[])
           AS body (position, trail_start, trail_length, trip_events_start, trip_events_length)`,
};

/** Adds the trails and trip events of the processed trips among `drafts`. */
export async function insertTripBodies(transaction: Transaction, drafts: readonly PlacedDraft[]): Promise<void> {
  const bodies = drafts.flatMap(({ draft: { content }, position }) =>
    content.kind === 'trip.processed'
      ? [{ position, trailPath: content.trailPath, tripEvents: content.tripEvents }]
      : [],
  );
  if (bodies.length === 0) return;
  const trails = packBytes(bodies.map((body) => body.trailPath));
  const tripEvents = packBytes(bodies.map((body) => body.tripEvents));
  await transaction.execute(INSERT_TRIP_BODIES, [
    trails.bytes,
    tripEvents.bytes,
    bodies.map((body) => body.position),
    trails.starts,
    trails.lengths,
    tripEvents.starts,
    tripEvents.lengths,
  ]);
}
