import { ROLES } from '@milepost/postgres';
import { expect } from 'vitest';
import { compareAnswers, compareRowCounts } from './compare-with-model.ts';
import { type LaneWorld, TOPIC } from './lane-world.ts';
import { Model } from './model/index.ts';

interface StoredRecord {
  topic: string;
  partition: number;
  source_offset: number;
}

/**
 * Returns where a fleet's stored events in a lane come from, as partitions and offsets in the order of the lane's log.
 */
async function originsOf(world: LaneWorld, lane: number, fleetId: string): Promise<StoredRecord[]> {
  const read = async (number: number, condition: string, value: unknown) =>
    (
      await world.owner(number).query<StoredRecord>(
        `SELECT topic, partition, source_offset FROM stored_event JOIN log_source USING (source_id)
           WHERE ${condition} ORDER BY position`,
        [value],
      )
    ).rows;
  const origins: StoredRecord[] = [];
  for (const stored of await read(lane, 'fleet_id = $1', fleetId)) {
    let origin = stored;
    // A copied event's offset is its position in the former lane.
    while (origin.topic !== TOPIC) {
      const [, former] = origin.topic.split(':');
      const [before] = await read(Number(former), 'position = $1', origin.source_offset);
      if (!before) throw new Error(`Lane ${former} has no position ${origin.source_offset}.`);
      origin = before;
    }
    origins.push(origin);
  }
  return origins;
}

/**
 * Compares the log of a fleet's lane, and all results about the fleet, with the model. The model first receives the
 * fleet's records in the order of the lane's log, and then every record of the fleet from the partitions. A record from
 * the partitions that is still new to the model has been lost by the lane.
 */
export async function judgeFleet(
  world: LaneWorld,
  fleetId: string,
  seen: { dates: readonly string[]; now: number; limit: number },
): Promise<void> {
  const lane = await world.laneOf(fleetId);
  const model = new Model();
  for (const { partition, source_offset } of await originsOf(world, lane, fleetId)) {
    const fate = model.deliver(world.streams[partition]?.[source_offset] ?? null);
    expect(fate, `${partition}/${source_offset}`).toMatch(/effective|late/);
  }
  for (const [partition, stream] of world.streams.entries()) {
    for (const [offset, text] of stream.entries()) {
      if (!text.includes(JSON.stringify(fleetId))) continue;
      expect(model.deliver(text), `${partition}/${offset}`).not.toMatch(/effective|late/);
    }
  }
  await compareRowCounts(world.owner(lane), model, fleetId);
  await compareAnswers(world.pool(lane, ROLES.api), model, fleetId, seen);
}
