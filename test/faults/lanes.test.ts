import { readHeadPosition } from '@milepost/event-log/head';
import { expect, inject, it } from 'vitest';
import { type Deployment, deploy } from '../support/deployment.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { firstDateOf, mixedMessages } from '../support/fleet-messages.ts';
import { judge } from '../support/judge.ts';
import { putOnNode } from '../support/lane-node.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { firstValue } from '../support/tables.ts';
import { startProxyTo } from '../support/tcp-proxy.ts';
import type { Message } from '../support/topics.ts';

const LANES = 4;
const SEED = 39;
const FLEETS = ['north', 'east', 'south', 'west', 'middle'];
const DAYS = 8;

/** Returns the two halves of all fleets' messages. */
function halves(now: number): [Message[], Message[]] {
  const messages = mixedMessages(FLEETS, SEED, now, { drivers: 3, days: DAYS });
  const middle = Math.floor(messages.length / 2);
  return [messages.slice(0, middle), messages.slice(middle)];
}

const positionsOf = async ({ lanes }: Deployment) => await Promise.all(lanes.map((lane) => readHeadPosition(lane)));

/** Compares the deployment with the model. The fleets must be spread over several lanes. */
async function judgeAll(deployment: Deployment, now: number): Promise<void> {
  const { lanesWithFleets } = await judge(deployment, { fleetIds: FLEETS, firstDate: firstDateOf(now, DAYS) });
  expect(lanesWithFleets, `seed ${SEED}`).toBeGreaterThan(1);
}

describeWithKafka('Milepost with four lanes', (brokers) => {
  it('loses and duplicates nothing when ingest is killed between the commits of two lanes', async () => {
    const deployment = await deploy(brokers, LANES);
    const { topics, processes, lanes } = deployment;
    const now = Date.now();
    const [first, second] = halves(now);
    const killed = processes.start('ingest');
    await topics.publish(first);
    await deployment.untilRead(first.length);
    const [, locked] = lanes;
    if (!locked) throw new Error('There are four lanes.');
    const before = await positionsOf(deployment);
    const kill = async () => {
      await lockWaiters(locked, 1);
      // The first batch may be so small that it contains no records for some lanes.
      const others = async () =>
        (await positionsOf(deployment)).filter((position, lane) => position > (before[lane] ?? 0));
      await expect.poll(others).not.toEqual([]);
      await killed.kill();
    };
    await whileLocked(locked, 'SELECT FROM log_head FOR UPDATE', kill, () => topics.publish(second));
    processes.start('ingest');
    await deployment.untilApplied();
    await judgeAll(deployment, now);
  });

  it('stores the records of the other lanes while one server is unavailable, and its records afterwards', async () => {
    const proxy = untilTestEnds(await startProxyTo(inject('postgresUrl') ?? ''));
    const deployment = await deploy(brokers, LANES);
    const { topics, processes, directory, lanes } = deployment;
    await putOnNode(directory, 1, proxy.port);
    const now = Date.now();
    const [first, second] = halves(now);
    processes.start('ingest');
    await topics.publish(first);
    await deployment.untilRead(first.length);
    await proxy.cut();
    const before = await positionsOf(deployment);
    await topics.publish(second);
    const nextOffsets = async (lane: number) =>
      lanes[lane] && (await firstValue<number>(lanes[lane], 'SELECT sum(next_offset) FROM log_source'));
    for (const lane of [0, 2, 3]) await expect.poll(() => nextOffsets(lane)).toBe(topics.size);
    expect((await positionsOf(deployment))[1]).toBe(before[1]);
    expect(await nextOffsets(1)).toBeLessThan(topics.size);
    await proxy.restore();
    await deployment.untilApplied();
    await judgeAll(deployment, now);
  });
});
