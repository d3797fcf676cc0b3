import { getPostgreSQLEventStore, rebuildPostgreSQLProjections } from '@event-driven-io/emmett-postgresql';
import { type PeerTable, peerProjections, type TripRecorded } from './projections.ts';

/** Events read at once, and the pause between reads. Its defaults, 100 and 50 ms, would pause half a millisecond an event. */
const PULLING = { batchSize: 500, pullingFrequencyInMs: 1 };

/** Makes the peer's event store in an empty database and appends trips to it, each to a stream of its own. */
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

/** Builds read tables from all events, by a projection each. Returns seconds. */
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
