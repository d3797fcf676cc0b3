import { claimFile } from '@milepost/event-log/file-sources';
import { laneAt } from '@milepost/postgres';
import { standardTrip } from '@milepost/sample-fleet';
import { copyEvents } from '../../support/filled-log.ts';
import { append, incoming, openPartPool } from '../../support/pipeline.ts';

/** How many trips are really appended. The others are copies with different ids, drivers and times. */
const ORIGINALS = 500;
const COPIES_AT_ONCE = 100;
const MILLISECONDS_PER_DAY = 86_400_000;

export interface LargeLog {
  trips: number;
  points: number;
  drivers: number;
  days: number;
}

/**
 * Returns the columns in which a copy differs from the original. In these expressions, `c` is the copy's number and `t`
 * is the original.
 */
function differing({ trips, drivers, days }: LargeLog, lastDay: number): Record<string, string> {
  const place = `((c - 1) * ${ORIGINALS} + t.position)`;
  const start = `(${lastDay - days * MILLISECONDS_PER_DAY} + (${place}::numeric * ${days * MILLISECONDS_PER_DAY} / ${trips})::bigint)`;
  const id = `concat('copy-', ${place})`;
  return {
    position: `${ORIGINALS} + ${place}`,
    source_offset: `${ORIGINALS} + ${place} - 1`,
    trip_id: `md5(${id})::uuid`,
    driver_id: `concat('driver-', abs(hashtext(${id})::bigint) % ${drivers})`,
    source_trip_id: id,
    tracking_id: id,
    trip_start_time: start,
    trip_end_time: `${start} + 900000`,
  };
}

/**
 * Fills an empty log with standard trips by many drivers, in order of time, up to yesterday. A million trips take one
 * minute; ingest would take ten. The first trips are real records, so the contents and sizes are realistic.
 */
export async function fillLog(url: string, log: LargeLog): Promise<void> {
  const pool = openPartPool(laneAt(url), undefined, 2, { statementTimeoutMilliseconds: 0 });
  try {
    const endDate = new Date(Date.now() - MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
    const options = { seed: 1, trips: ORIGINALS, points: log.points, drivers: 50, days: 30, endDate };
    const records = Array.from({ length: ORIGINALS }, (_, index) =>
      incoming(index, standardTrip(index, options).value),
    );
    await append(pool, await claimFile(pool, 'standard trips'), records, ORIGINALS);
    const changed = differing(log, Math.floor(Date.now() / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY);
    const copies = Math.ceil(log.trips / ORIGINALS) - 1;
    for (let first = 1; first <= copies; first += COPIES_AT_ONCE) {
      await copyEvents(pool, ORIGINALS, [first, Math.min(copies, first + COPIES_AT_ONCE - 1)], changed);
    }
    await pool.query('VACUUM ANALYZE');
  } finally {
    await pool.end();
  }
}
