import { getPostgreSQLEventStore, rebuildPostgreSQLProjections } from '@event-driven-io/emmett-postgresql';
import { type PeerTable, peerProjections, type TripRecorded } from './projections.ts';

/**
 * How many events are read at a time, and the pause between reads. The library's defaults, 100 and 50 ms, would add
 * half a millisecond per event.
 */
const PULLING = { batchSize: 500, pullingFrequencyInMs: 1 };

/** Creates the peer's event store in an empty database and appends each trip to its own stream. */
export async function appendTrips(url: string, trips: readonly TripRecorded['data'][]): Promise<void> {
  const store = getPostgreSQLEventStore(url);
  try {
    await store.schema.migrate();
    for (const trip of trips) {
      await store.appendToStream<TripRecorded>(`trip-${trip.source_trip_id}`, [{ type: 'TripRecorded', data: trip }]);
    }
  } finally {
    await store.close();
  }
}

/** Builds the read tables from all events, with one projection for each table. Returns how many seconds that took. */
export async function rebuild(url: string, tables: readonly PeerTable[], build: string): Promise<number> {
  const consumer = rebuildPostgreSQLProjections<TripRecorded>({
    connectionString: url,
    projections: peerProjections(tables, build),
    pulling: PULLING,
  });
  const start = performance.now();
  try {
    await consumer.start();
    return (performance.now() - start) / 1000;
  } finally {
    await consumer.close();
  }
}
