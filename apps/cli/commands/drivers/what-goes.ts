import type { Pool, Statement } from '@milepost/postgres';

/** What an erasure would redact as things stand. */
export interface WhatGoes {
  trips: number;
  stored_events: number;
}

/** The conditions on kind and effect are those of indexes: without them the whole log would be read. */
const COUNT_WHAT_GOES: Statement = {
  name: 'count-what-an-erasure-redacts',
  text: `WITH own AS (
           SELECT event.kind, event.trip_id FROM log.stored_event event WHERE event.fleet_id = $1 AND event.driver_id = $2
             AND ((event.kind = 1 AND event.effective) OR (event.kind = 1 AND NOT event.effective) OR event.kind = 3)),
         trip AS (SELECT DISTINCT trip_id FROM own WHERE kind = 1)
         SELECT (SELECT count(*) FROM trip) AS trips,
           (SELECT count(*) FROM own)
             + (SELECT count(*) FROM log.stored_event deletion JOIN trip USING (trip_id) WHERE deletion.kind = 2
                AND (SELECT newest.driver_id FROM log.stored_event newest
                  WHERE newest.trip_id = trip.trip_id AND newest.kind = 1 ORDER BY newest.revision DESC LIMIT 1) = $2)
           AS stored_events`,
};

/** Counts what an erasure of this driver would redact. `pool` acts in the operator's role. */
export async function countWhatGoes(pool: Pool, fleetId: string, driverId: string): Promise<WhatGoes> {
  const { rows } = await pool.query<WhatGoes>({ ...COUNT_WHAT_GOES, values: [fleetId, driverId] });
  return rows[0] ?? { trips: 0, stored_events: 0 };
}
