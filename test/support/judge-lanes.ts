import { expect } from 'vitest';
import { compareOverHttp } from './compare-http.ts';
import { compareRowCounts } from './compare-with-model.ts';
import type { Deployment } from './deployment.ts';
import { Model, utcDate } from './model/index.ts';

const WAIT = { timeout: 20_000, interval: 200 };

/**
 * Compares a deployment of several lanes with one model after all published messages are applied. It compares the sums
 * of the counts, the rows of each fleet in its lane and in no other, and every answer about each fleet.
 *
 * @returns the number of lanes that have fleets
 */
export async function judgeLanes(
  deployment: Deployment,
  fleetIds: readonly string[],
  firstDate: string,
): Promise<number> {
  const { directory, lanes, topics, processes, origin } = deployment;
  const placed = await directory.query<{ fleet_id: string; lane: number }>('SELECT fleet_id, lane FROM fleet');
  const laneOf = new Map(placed.rows.map(({ fleet_id, lane }) => [fleet_id, lane]));
  expect([...laneOf.keys()].sort()).toEqual([...fleetIds].sort());
  const model = new Model();
  const sums = { read: 0, stored: 0, duplicates: 0, dead_letters: 0, head: 0, events: 0, letters: 0 };
  for (const [lane, owner] of lanes.entries()) {
    await topics.replayInto(model, owner, (fleetId) => laneOf.get(fleetId) === lane);
    const { rows } = await owner.query(
      `SELECT sum(records_read - records_elsewhere) AS read, sum(records_stored) AS stored, sum(records_duplicate) AS duplicates,
         sum(records_dead_letter) AS dead_letters, (SELECT position FROM log_head) AS head,
         (SELECT count(*) FROM stored_event) AS events, (SELECT count(*) FROM dead_letter) AS letters FROM log_source`,
    );
    const [counts] = rows;
    for (const name of ['read', 'stored', 'duplicates', 'dead_letters', 'head', 'events', 'letters'] as const) {
      sums[name] += Number(counts[name]);
    }
    const stored = await owner.query('SELECT DISTINCT fleet_id FROM stored_event ORDER BY fleet_id');
    const own = fleetIds.filter((fleetId) => laneOf.get(fleetId) === lane).sort();
    expect(
      stored.rows.map(({ fleet_id }) => fleet_id),
      `lane ${lane}`,
    ).toEqual(own);
    // Each lane has read every partition to its end.
    const read = async () =>
      Number((await owner.query('SELECT sum(next_offset) AS read FROM log_source')).rows[0].read);
    await expect.poll(read, WAIT).toBe(topics.size);
  }
  const { stored, dead_letters } = model.counts;
  expect(sums).toEqual({ ...model.counts, head: stored, events: stored, letters: dead_letters });
  for (const fleetId of fleetIds) {
    const owner = lanes[laneOf.get(fleetId) ?? -1];
    if (!owner) throw new Error(`The fleet ${fleetId} has no lane.`);
    await compareRowCounts(owner, model, fleetId);
    const key = (await processes.run('keys', 'create', '--fleet', fleetId)).trim();
    const now = Date.now();
    await compareOverHttp(origin, key, model, { fleetId, firstDate, now, today: utcDate(now) });
  }
  return new Set(laneOf.values()).size;
}
