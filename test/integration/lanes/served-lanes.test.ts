import { ROLES } from '@milepost/postgres';
import { LanePools } from '@milepost/postgres/lanes';
import { messageOf } from '@milepost/service';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { ServedLanes } from '../../../apps/api/served-lanes.ts';
import { LaneWorld } from '../../support/lane-world.ts';
import { openPartPool, projectAll } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the lanes of the API', () => {
  /** Opens three lanes with read tables as in the API. Also returns the lines that they log. */
  async function openLanes() {
    const world = await LaneWorld.create(3, 1);
    for (const { number } of world.lanes) await projectAll({ projector: world.pool(number, ROLES.projector) });
    const pools = new LanePools(world.directory, world.url, (lane) => openPartPool(lane, ROLES.api));
    onTestFinished(async () => {
      await pools.end();
      await world.close();
    });
    const lines: { lane: number; message: string }[] = [];
    const write = (line: string) => {
      const { lane, message } = JSON.parse(line);
      lines.push({ lane, message });
    };
    const served = new ServedLanes(pools, undefined, pino({ messageKey: 'message' }, { write }));
    const rename = async (lane: number, from: string, to: string) =>
      await world.owner(lane).query(`ALTER VIEW ${from} RENAME TO ${to}`);
    return {
      served,
      lines,
      break: async (lane: number) => await rename(lane, 'fleets', 'fleets_away'),
      mend: async (lane: number) => await rename(lane, 'fleets_away', 'fleets'),
    };
  }

  // On a busy machine, a lane may exceed a check's limit for a moment. A later check then succeeds.
  it('are checked in turn, and are refused and named in order for as long as their last check has failed', async () => {
    const lanes = await openLanes();
    const untilFailing = async (...failing: number[]) => await expect.poll(() => lanes.served.check()).toEqual(failing);
    await untilFailing();
    for (const lane of [2, 1]) {
      await lanes.break(lane);
      lanes.served.suspect(lane);
      await lanes.served.check();
    }
    await untilFailing(1, 2);
    for (const lane of [1, 2])
      await expect(lanes.served.find(lane)).rejects.toMatchObject({
        code: 'unavailable',
        headers: { 'retry-after': expect.anything() },
      });
    expect(await lanes.served.find(0)).toBeDefined();
    // The lane that failed last is not the first of the failing lanes to be checked.
    await lanes.mend(1);
    await untilFailing(2);
    expect(await lanes.served.find(1)).toBeDefined();
    const messages = lanes.lines.flatMap(({ lane, message }) => (lane === 1 ? [message] : []));
    expect(messages.slice(-2)).toEqual([
      'The lane is not responding: refusing its requests.',
      'The lane is responding again.',
    ]);
    // Each outage is logged once when it begins and once when it ends.
    expect(messages.filter((message, index) => message === messages[index - 1])).toEqual([]);
  });

  it('include a lane that fails without a request to it', async () => {
    const lanes = await openLanes();
    await expect.poll(() => lanes.served.check()).toEqual([]);
    await lanes.break(1);
    await expect.poll(() => lanes.served.check()).toEqual([1]);
  });

  it("make the API unready with a lane's error if none of them works", async () => {
    const lanes = await openLanes();
    await expect.poll(() => lanes.served.check()).toEqual([]);
    for (const lane of [0, 1, 2]) {
      await lanes.break(lane);
      lanes.served.suspect(lane);
    }
    const outcome = async () => await lanes.served.check().catch((error: unknown) => messageOf(error));
    // Later checks try one lane at a time.
    for (const _time of [1, 2]) await expect.poll(outcome).toBe('relation "fleets" does not exist');
    await lanes.mend(0);
    await expect.poll(outcome).toEqual([1, 2]);
    expect(await lanes.served.find(0)).toBeDefined();
  });
});
