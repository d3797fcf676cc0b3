import { runAudit } from '@milepost/audit';
import { type Pool, ROLES } from '@milepost/postgres';
import type { Lane } from '@milepost/postgres/lanes';
import { PROJECTIONS } from '@milepost/projections';
import { expect } from 'vitest';
import { until } from '../faults/patience.ts';
import { createReference, hashOf, leftovers } from '../faults/reference.ts';
import { judgeRecords } from '../judge.ts';
import { keyOf, type LaneRecords, type TopicRecord } from '../judge-lane.ts';
import { openPartPool } from '../pipeline.ts';
import type { Erased } from './operate.ts';
import { FLEETS, MOVING_FLEET } from './records.ts';
import type { SoakWorld } from './world.ts';

const REFERENCE_POSITIONS = 10_000;

/** Resolves when each lane has read all records and applied its log. */
export async function untilApplied(world: SoakWorld, records: readonly TopicRecord[]): Promise<void> {
  await until('the end of the topics', async () => {
    const states = await world.inLanes<{ read: string; is_applied: boolean }>(
      `SELECT (SELECT sum(next_offset) FROM log_source WHERE topic NOT LIKE '%:%') AS read,
         (SELECT position FROM log_head) = (SELECT min(checkpoint) FROM generation WHERE live) AS is_applied`,
    );
    return states.every(({ read, is_applied }) => Number(read) === records.length && is_applied);
  });
}

/** Compares a lane's read tables with reference tables folded from its log, and audits the lane. */
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
 * An erasure is a reason to refuse a record only if the record is about an erased driver or one of the driver's trips.
 */
function judgeRefusals(list: readonly TopicRecord[], lane: LaneRecords, erased: readonly Erased[]): void {
  const records = list.map((record) => ({ key: keyOf(record), ...JSON.parse(record.text ?? '{}') }));
  const isErased = (record: (typeof records)[number]) =>
    erased.some(({ fleetId, driverId }) => fleetId === record.fleet_id && driverId === record.driver_id);
  const tripOf = (record: (typeof records)[number]) => `${record.fleet_id}/${record.source_trip_id}`;
  const trips = new Set(records.filter(isErased).map(tripOf));
  for (const record of records) {
    if (record.fleet_id === undefined || lane.reasons.get(record.key) !== 'driver_erased') continue;
    expect(isErased(record) || trips.has(tripOf(record)), `${record.key} is refused`).toBe(true);
  }
}

/**
 * Gives the topics' records to the model, and compares both lanes with it. Also compares each lane's read tables with
 * tables folded from its log. Throws at the first difference.
 *
 * @param list all records in the topics
 * @param firstDate the first day with trips
 */
export async function judgeSoak(
  world: SoakWorld,
  list: readonly TopicRecord[],
  erased: readonly Erased[],
  firstDate: string,
): Promise<Record<string, number>> {
  const expectation = { fleetIds: [...FLEETS.keys()], moved: MOVING_FLEET, firstDate, erased };
  const { outcomes, answers } = await judgeRecords(world, list, expectation);
  for (const [number, lane] of outcomes.entries()) {
    judgeRefusals(list, lane, erased);
    const [part, owner] = [world.parts[number], world.lanes[number]];
    if (part && owner) await judgeTables(part, owner);
  }
  const sum = (count: (lane: LaneRecords) => number) => outcomes.reduce((total, lane) => total + count(lane), 0);
  return {
    records: list.length,
    stored: sum(({ events }) => events.length),
    duplicates: sum(({ duplicates }) => duplicates.size),
    deadLetters: sum(({ reasons }) => reasons.size),
    answers,
    tables: outcomes.length * PROJECTIONS.length,
  };
}
