import { type IncomingRecord, readRecord } from '@milepost/event-log/prepare';
import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { driverProfile } from '../../test/support/records.ts';
import { groupByLane, type IngestLanes, NewLaneError, poolOf } from './lanes.ts';

const POOLS = new Map([0, 1].map((lane) => [lane, new Pool()]));

/** A process's lanes; `asked` lists the fleets that were looked up. */
function lanesWith(placed: Readonly<Record<string, number>>): IngestLanes & { asked: string[] } {
  const asked: string[] = [];
  const find = async (fleetIds: ReadonlySet<string>) => {
    asked.push(...fleetIds);
    return new Map(Object.entries(placed));
  };
  return { pools: POOLS, fleets: { find, forget: () => {} }, areCurrent: async () => true, asked };
}

const recordOf = (offset: number, content: object): IncomingRecord => {
  const raw = Buffer.from(JSON.stringify(content));
  return { offset, raw, prepared: readRecord(raw, Date.now()) };
};
const ofFleet = (offset: number, fleet_id: string) => recordOf(offset, driverProfile({ fleet_id }));

describe('the records of several lanes', () => {
  it('stay in order in each lane, and belong to the first lane if they have no fleet', async () => {
    const lanes = lanesWith({ near: 0, far: 1 });
    const records = [ofFleet(1, 'far'), recordOf(2, {}), ofFleet(3, 'near'), ofFleet(4, 'far'), ofFleet(5, 'near')];
    const groups = await groupByLane(lanes, records);
    expect([...groups].map(([lane, group]) => [lane, group.map(({ offset }) => offset)])).toEqual([
      [1, [1, 4]],
      [0, [2, 3, 5]],
    ]);
    expect(lanes.asked).toEqual(['far', 'near']);
  });

  it('include a refused record that names one fleet, which must be in the lane of that fleet', async () => {
    const groups = await groupByLane(lanesWith({ far: 1 }), [recordOf(1, { fleet_id: 'far' })]);
    expect([...groups.keys()]).toEqual([1]);
  });

  it('wait for a new list of lanes when a fleet is in a lane that this process does not know', async () => {
    await expect(groupByLane(lanesWith({ far: 2 }), [ofFleet(1, 'far')])).rejects.toThrow(NewLaneError);
    expect(() => poolOf(lanesWith({}), 2)).toThrow('There is no lane 2.');
    expect(poolOf(lanesWith({}), 1)).toBe(POOLS.get(1));
  });

  it('are not stored in any lane when the lane of their fleet is unknown', async () => {
    const lanes = lanesWith({});
    await expect(groupByLane(lanes, [ofFleet(1, 'lost')])).rejects.toThrow('The lane of fleet lost was not found.');
  });
});
