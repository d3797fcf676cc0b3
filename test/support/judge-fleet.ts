import { expect } from 'vitest';
import { compareAnswers, compareRowCounts } from './compare-with-model.ts';
import { headersOf } from './http.ts';
import { keyOf, originsOf, readEvents } from './judge-lane.ts';
import { type LaneWorld, TOPIC } from './lane-world.ts';
import { Model } from './model/index.ts';
import { TestLog } from './pipeline.ts';
import { createApiKey, openApi } from './world.ts';

/** A time after all trips, in epoch milliseconds. */
const NOW = Date.UTC(2025, 0, 26);
const LIMIT = 3;

/**
 * Compares the log of a fleet's lane, and all responses about the fleet, with the model. The model first receives the
 * fleet's records in the order of the lane's log, and then every record of the fleet from the partitions. If such a
 * record is new to the model, the lane has lost it.
 *
 * @param firstDate the first day with trips
 */
export async function judgeFleet(world: LaneWorld, fleetId: string, firstDate: string): Promise<void> {
  const lane = await world.laneOf(fleetId);
  const records = new Map(
    world.streams.flatMap((stream, partition) =>
      stream.map((text, offset) => [keyOf({ source: `${TOPIC}/${partition}`, offset }), text] as const),
    ),
  );
  const model = new Model();
  for (const key of await originsOf(async (number) => await readEvents(world.owner(number)), lane, fleetId)) {
    expect(model.deliver(records.get(key) ?? null), key).toMatch(/effective|late/);
  }
  for (const [key, text] of records) {
    if (text.includes(JSON.stringify(fleetId))) expect(model.deliver(text), key).not.toMatch(/effective|late/);
  }
  await compareRowCounts(world.owner(lane), model, fleetId);
  await using log = new TestLog({ url: world.url });
  const api = await openApi(log, { now: () => NOW });
  const headers = headersOf(await createApiKey(world.directory, fleetId));
  const ask = async (path: string) => await api.inject({ url: `/api/v1${path}`, headers });
  await compareAnswers(ask, model, { fleetId, firstDate, now: NOW, limit: LIMIT });
}
