import { runAudit } from '@milepost/audit';
import { type Pool, ROLES } from '@milepost/postgres';
import type { Lane } from '@milepost/postgres/lanes';
import { PROJECTIONS } from '@milepost/projections';
import { expect } from 'vitest';
import { compareOverHttp } from '../compare-http.ts';
import { compareRowCounts } from '../compare-with-model.ts';
import { createReference, hashOf, leftovers } from '../faults/reference.ts';
import { Model, utcDate } from '../model/index.ts';
import { openPartPool } from '../pipeline.ts';
import { createApiKey } from '../world.ts';
import { deliverFleet, judgeLane, keyOf, type LaneRecords, originsOf } from './judge-lane.ts';
import type { Erased } from './operate.ts';
import { FLEETS, MOVING_FLEET } from './records.ts';
import type { TopicRecord } from './stream.ts';
import type { SoakWorld } from './world.ts';

const REFERENCE_POSITIONS = 10_000;

/** The result of the comparison, for the report. A difference is thrown as an error instead. */
interface Verdict {
  records: number;
  stored: number;
  duplicates: number;
  deadLetters: number;
  answers: number;
  tables: number;
}

/** Resolves when each lane has read all records and applied its log. */
export async function untilApplied(world: SoakWorld, records: readonly TopicRecord[]): Promise<void> {
  await world.until('the end of the topics', async () => {
    const states = await world.inLanes<{ read: string; is_applied: boolean }>(
      `SELECT (SELECT sum(next_offset) FROM log_source WHERE topic NOT LIKE '%:%') AS read,
         (SELECT position FROM log_head) = (SELECT min(checkpoint) FROM generation WHERE live) AS is_applied`,
    );
    return states.every(({ read, is_applied }) => Number(read) === records.length && is_applied);
  });
}

/** Compares a lane's read tables with other tables that are folded from its log, and audits the lane. */
async function judgeTables(part: Lane, owner: Pool): Promise<void> {
  const lane = part.number;
  const { rows } = await owner.query<{ position: number }>('SELECT position FROM log_head');
  const head = rows[0]?.position ?? 0;
  const reference = await createReference(owner);
  for (let position = 0; position < head; ) {
    position = Math.min(head, position + REFERENCE_POSITIONS);
    await reference.bringTo(position);
  }
  for (const { name } of PROJECTIONS) {
    expect(await hashOf(owner, name), `hash of ${name} in lane ${lane}`).toBe(await reference.hash(name));
  }
  expect(await leftovers(owner), `lane ${lane}`).toEqual([]);
  const projector = openPartPool(part, ROLES.projector);
  const { report } = await runAudit(projector, PROJECTIONS, { projection: null, stalledAfterSeconds: 60 });
  await projector.end();
  expect(report.faults, `audit of lane ${lane}`).toEqual([]);
}

/**
 * A record may be refused because of an erasure only if it is about an erased driver, or about a trip of that driver.
 */
function judgeRefusals(records: ReadonlyMap<string, TopicRecord>, lane: LaneRecords, erased: readonly Erased[]): void {
  const trips = new Set<string>();
  for (const { text } of records.values()) {
    const { fleet_id, driver_id, source_trip_id } = JSON.parse(text ?? '{}');
    if (erased.some(({ fleetId, driverId }) => fleetId === fleet_id && driverId === driver_id)) {
      trips.add(`${fleet_id}/${source_trip_id}`);
    }
  }
  for (const [key, reason] of lane.reasons) {
    const text = records.get(key)?.text ?? null;
    if (reason !== 'driver_erased' || text === null) continue;
    const { fleet_id, driver_id, source_trip_id } = JSON.parse(text);
    const isErased = erased.some(({ fleetId, driverId }) => fleetId === fleet_id && driverId === driver_id);
    expect(isErased || trips.has(`${fleet_id}/${source_trip_id}`), `${key} is refused`).toBe(true);
  }
}

/**
 * Compares both lanes with the model, which gets the records of the topics. The comparison covers the outcome of each
 * record, the counts, the hashes of the read tables, an audit, and every result about each fleet. Throws at the first
 * difference.
 *
 * @param list all records in the topics
 * @param firstDate the first day with trips
 */
export async function judgeSoak(
  world: SoakWorld,
  list: readonly TopicRecord[],
  erased: readonly Erased[],
  firstDate: string,
): Promise<Verdict> {
  const records = new Map(list.map((record) => [keyOf(record), record]));
  const lanes = await Promise.all(world.lanes.map((owner) => judgeLane(owner, list)));
  const homes = await world.directory.query<{ fleet_id: string; lane: number }>('SELECT fleet_id, lane FROM fleet');
  const laneOf = new Map(homes.rows.map(({ fleet_id, lane }) => [fleet_id, lane]));
  expect([...laneOf.keys()].sort()).toEqual([...FLEETS.keys()].sort());
  for (const [key, { text }] of records) {
    const holders = lanes.filter((lane) => lane.isHere(key)).length;
    // While a fleet moves, its new lane also reads records that its former lane has already read.
    const mayBeBoth = text === null || JSON.parse(text).fleet_id === MOVING_FLEET;
    expect(holders, `lanes with ${key}`).toBeGreaterThanOrEqual(1);
    if (!mayBeBoth) expect(holders, `lanes with ${key}`).toBe(1);
    if (text === null) {
      const reasons = lanes.flatMap((lane) => lane.reasons.get(key) ?? []);
      expect(reasons, `the broken record ${key}`).toHaveLength(holders);
    }
  }
  const verdict = { records: records.size, stored: 0, duplicates: 0, deadLetters: 0, answers: 0, tables: 0 };
  for (const [number, lane] of lanes.entries()) {
    judgeRefusals(records, lane, erased);
    verdict.stored += lane.events.length;
    verdict.duplicates += lane.duplicates.size;
    verdict.deadLetters += lane.reasons.size;
    verdict.tables += PROJECTIONS.length;
    const [part, owner] = [world.parts[number], world.lanes[number]];
    if (part && owner) await judgeTables(part, owner);
  }
  const model = new Model();
  for (const fleetId of FLEETS.keys()) {
    const home = laneOf.get(fleetId) ?? -1;
    const [lane, owner] = [lanes[home], world.lanes[home]];
    if (!lane || !owner) throw new Error(`The fleet ${fleetId} has no lane.`);
    const isMoving = fleetId === MOVING_FLEET;
    deliverFleet(model, { fleetId, isMoving }, records, lane, originsOf(lanes, home, fleetId));
    for (const { driverId, pseudonym } of erased.filter((each) => each.fleetId === fleetId)) {
      model.erase(fleetId, driverId, pseudonym);
    }
    await compareRowCounts(owner, model, fleetId);
    const key = await createApiKey(world.directory, fleetId);
    const now = Date.now();
    verdict.answers += await compareOverHttp(world.origin, key, model, {
      fleetId,
      firstDate,
      now,
      today: utcDate(now),
    });
  }
  return verdict;
}
