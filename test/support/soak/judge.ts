import { runAudit } from '@milepost/audit';
import { type Pool, ROLES } from '@milepost/postgres';
import type { Lane } from '@milepost/postgres/lanes';
import { PROJECTIONS } from '@milepost/projections';
import { expect } from 'vitest';
import { expectAllFolded, leftovers } from '../faults/reference.ts';
import { judgeRecords } from '../judge.ts';
import { keyOf, type LaneRecords, type TopicRecord } from '../judge-lane.ts';
import { openPartPool } from '../pipeline.ts';
import type { Erased } from './operate.ts';
import { FLEETS, MOVING_FLEET } from './records.ts';
import type { SoakWorld } from './world.ts';

/** Compares a lane's read tables with a fold of its log, and audits the lane. */
async function judgeTables(part: Lane, owner: Pool): Promise<void> {
  const lane = `lane ${part.number}`;
  await expectAllFolded(owner, lane);
  expect(await leftovers(owner), lane).toEqual([]);
  const projector = openPartPool(part, ROLES.projector);
  const { report } = await runAudit(projector, PROJECTIONS, { projection: null, stalledAfterSeconds: 60 });
  await projector.end();
  expect(report.faults, `audit of ${lane}`).toEqual([]);
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
