import type { Pool } from '@milepost/postgres';
import { expect } from 'vitest';
import { compareOverHttp } from './compare-http.ts';
import { compareRowCounts } from './compare-with-model.ts';
import type { Deployment } from './deployment.ts';
import { Model, utcDate } from './model/index.ts';
import { deliverFleet, judgeLane, keyOf, originsOf } from './soak/judge-lane.ts';

const WAIT = { timeout: 20_000, interval: 200 };

/**
 * Compares a deployment of several lanes with one model, once all published messages are applied. The comparison covers
 * the total counts, the rows of each fleet, which must be in its own lane and in no other, and every result about each
 * fleet.
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
    // Returns whether each lane has read every partition to its end.
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

/** Resolves when each lane has read all published messages and applied its log. */
export async function untilAllLanesApplied({ topics }: Deployment, lanes: readonly Pool[]): Promise<void> {
  const isBehind = async (owner: Pool) => {
    const { rows } = await owner.query<{ read: number; is_applied: boolean }>(
      `SELECT (SELECT coalesce(sum(next_offset), 0) FROM log_source WHERE topic NOT LIKE '%:%') AS read,
         (SELECT position FROM log_head) = (SELECT min(checkpoint) FROM generation WHERE live) AS is_applied`,
    );
    return rows[0]?.is_applied !== true || Number(rows[0].read) < topics.size;
  };
  const countBehind = async () => (await Promise.all(lanes.map(isBehind))).filter(Boolean).length;
  await expect.poll(countBehind, { timeout: 180_000, interval: 200 }).toBe(0);
}

/**
 * Compares a deployment in which a fleet has moved with one model, after each lane has applied all messages. No record
 * may have two outcomes in a lane, no fleet may have lost a record, and every result about each fleet must be right.
 */
export async function judgeMovedFleet(
  { directory, lanes, topics, processes, origin }: Deployment,
  { fleetIds, moved, firstDate }: { fleetIds: readonly string[]; moved: string; firstDate: string },
): Promise<void> {
  const list = topics.records;
  const records = new Map(list.map((record) => [keyOf(record), record]));
  const outcomes = await Promise.all(lanes.map((owner) => judgeLane(owner, list)));
  const placed = await directory.query<{ fleet_id: string; lane: number }>('SELECT fleet_id, lane FROM fleet');
  const laneOf = new Map(placed.rows.map(({ fleet_id, lane }) => [fleet_id, lane]));
  const model = new Model();
  for (const fleetId of fleetIds) {
    const home = laneOf.get(fleetId) ?? -1;
    const [lane, owner] = [outcomes[home], lanes[home]];
    if (!lane || !owner) throw new Error(`The fleet ${fleetId} has no lane.`);
    const origins = originsOf(outcomes, home, fleetId);
    deliverFleet(model, { fleetId, isMoving: fleetId === moved }, records, lane, origins);
    await compareRowCounts(owner, model, fleetId);
    const key = (await processes.run('keys', 'create', '--fleet', fleetId)).trim();
    const now = Date.now();
    await compareOverHttp(origin, key, model, { fleetId, firstDate, now, today: utcDate(now) });
  }
}
