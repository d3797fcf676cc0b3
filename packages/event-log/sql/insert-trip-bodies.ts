import type { Statement, Transaction } from '@milepost/postgres';
import type { PlacedEvent } from './insert-stored-events.ts';

/** The trails travel as one binary value and are cut apart by the server: an array of bytea would double them as hex. */
const INSERT_TRIP_BODIES: Statement = {
  name: 'insert-trip-bodies',
  text: `INSERT INTO log.trip_body (position, trail_path, events)
         SELECT body.position, substring($1::bytea FROM body.start FOR body.length), body.events
         FROM unnest($2::bigint[], $3::integer[], $4::integer[], $5::bytea[]) AS body (position, start, length, events)`,
};

/** Adds the trails and trip events of the processed trips among `events`. */
export async function insertTripBodies(transaction: Transaction, events: readonly PlacedEvent[]): Promise<void> {
  const trails: Uint8Array[] = [];
  const positions: number[] = [];
  const starts: number[] = [];
  const lengths: number[] = [];
  const tripEvents: (Buffer | null)[] = [];
  let start = 1;
  for (const { event, position } of events) {
    if (event.content.kind !== 'trip.processed') continue;
    trails.push(event.content.trailPath);
    positions.push(position);
    starts.push(start);
    lengths.push(event.content.trailPath.byteLength);
    tripEvents.push(event.content.events === null ? null : Buffer.from(event.content.events));
    start += event.content.trailPath.byteLength;
  }
  if (positions.length === 0) return;
  await transaction.execute(INSERT_TRIP_BODIES, [Buffer.concat(trails), positions, starts, lengths, tripEvents]);
}
