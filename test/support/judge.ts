import type { Pool } from '@milepost/postgres';
import { expect } from 'vitest';
import { askOverHttp, compareAnswers, compareRowCounts } from './compare-with-model.ts';
import type { Deployment } from './deployment.ts';
import { deliverFleet, judgeLane, keyOf, originsOf, type TopicRecord, untilLanesApplied } from './judge-lane.ts';
import { Model } from './model/index.ts';
import { createApiKey } from './world.ts';

/** Where Milepost stores and serves its data. */
interface Places {
  /** The superuser's pools, one on each lane. */
  lanes: readonly Pool[];
  directory: Pool;
  origin: string;
}

/** What the lanes must contain. */
interface Expectation {
  fleetIds: readonly string[];
  /** The first day with trips. */
  firstDate: string;
  /** The fleet that has moved between the lanes. */
  moved?: string;
  erased?: readonly { fleetId: string; driverId: string; pseudonym: string }[];
}

/**
 * Compares all lanes with one model, which gets the topics' records in the order of the logs. The comparison covers
 * each record's outcome, the counts, the read tables' rows, and every result about each fleet. All records must have
 * been read and applied.
 */
export async function judgeRecords(
  { lanes, directory, origin }: Places,
  list: readonly TopicRecord[],
  { fleetIds, firstDate, moved, erased = [] }: Expectation,
) {
  const records = new Map(list.map((record) => [keyOf(record), record]));
  const outcomes = await Promise.all(lanes.map(async (owner) => await judgeLane(owner, list)));
  for (const [key, { text }] of records) {
    const holders = outcomes.filter((lane) => lane.isHere(key)).length;
    // A moving fleet's record may have two outcomes, because the new lane also reads what the former lane has read.
    const mayBeBoth = moved !== undefined && (text === null || JSON.parse(text).fleet_id === moved);
    expect(holders, `lanes with ${key}`).toBeGreaterThanOrEqual(1);
    if (!mayBeBoth) expect(holders, `lanes with ${key}`).toBe(1);
    if (text !== null) continue;
    const reasons = outcomes.flatMap((lane) => lane.reasons.get(key) ?? []);
    expect(reasons, `the broken record ${key}`).toHaveLength(holders);
  }
  const { rows } = await directory.query<{ fleet_id: string; lane: number }>('SELECT fleet_id, lane FROM fleet');
  const laneOf = new Map(rows.map(({ fleet_id, lane }) => [fleet_id, lane]));
  // With a single lane, the directory does not list fleets.
  if (lanes.length > 1) expect([...laneOf.keys()].sort()).toEqual([...fleetIds].sort());
  const model = new Model();
  let answers = 0;
  for (const fleetId of fleetIds) {
    const home = laneOf.get(fleetId) ?? 0;
    const [lane, owner] = [outcomes[home], lanes[home]];
    if (!lane || !owner) throw new Error(`The fleet ${fleetId} has no lane.`);
    const isMoving = fleetId === moved;
    const origins = await originsOf(async (number) => outcomes[number]?.events ?? [], home, fleetId);
    deliverFleet(model, { fleetId, isMoving }, records, lane, origins);
    for (const { driverId, pseudonym } of erased.filter((each) => each.fleetId === fleetId)) {
      model.erase(fleetId, driverId, pseudonym);
    }
    await compareRowCounts(owner, model, fleetId);
    const ask = askOverHttp(origin, await createApiKey(directory, fleetId));
    answers += await compareAnswers(ask, model, { fleetId, firstDate, now: Date.now() });
  }
  return {
    outcomes,
    /** How many lanes contain fleets. */
    lanesWithFleets: new Set(laneOf.values()).size,
    answers,
  };
}

/** Compares a deployment with the model once each lane has read all published messages and applied its log. */
export async function judge(deployment: Deployment, expectation: Expectation) {
  const { lanes, topics } = deployment;
  await untilLanesApplied(lanes, topics.size);
  return await judgeRecords(deployment, topics.records, expectation);
}
