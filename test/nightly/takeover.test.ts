import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { firstDateOf, fleetMessages } from '../support/fleet-messages.ts';
import { judge } from '../support/judge.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { firstValue } from '../support/tables.ts';

const SEED = 71;
const FLEET = 'takeover';
const PARTS = 7;

describeWithKafka('Milepost with two ingest processes', (brokers) => {
  it('loses and duplicates nothing during a rebalance and after a kill in the middle of a batch, and rejects the writes of a process that was suspended until after its session expired', async () => {
    const deployment = await deploy(brokers);
    const { topics, processes, owner, untilRead } = deployment;
    const now = Date.now();
    const messages = fleetMessages(FLEET, SEED, now, { drivers: 8 });
    const size = Math.ceil(messages.length / PARTS);
    const part = (index: number) => messages.slice(index * size, (index + 1) * size);
    const sumOfEpochs = async () =>
      (await firstValue<number>(owner, 'SELECT coalesce(sum(epoch), 0) FROM log_source')) ?? 0;
    const whileHeadLocked = async (until: () => Promise<void>, index: number) =>
      await whileLocked(owner, 'SELECT FROM log_head FOR UPDATE', until, () => topics.publish(part(index)));
    const killed = processes.start('ingest');
    await topics.publish(part(0));
    await untilRead(1);
    const suspended = processes.start('ingest');
    const publishing = topics.publish(part(1));
    await expect.poll(sumOfEpochs).toBeGreaterThan(6);
    await publishing;
    await untilRead(2 * size);
    // The head is locked, so both processes are still storing a batch when one of them is killed.
    const kill = async () => {
      await lockWaiters(owner, 2);
      await killed.kill();
    };
    await whileHeadLocked(kill, 2);
    await topics.publish(part(3));
    await untilRead(4 * size);

    const before = await sumOfEpochs();
    // The process is suspended in the middle of an append and resumed when another process has taken its partitions.
    const suspend = async () => {
      await lockWaiters(owner, 1);
      suspended.child.kill('SIGSTOP');
    };
    await whileHeadLocked(suspend, 4);
    processes.start('ingest');
    await topics.publish(part(5));
    await expect.poll(sumOfEpochs).toBeGreaterThan(before);
    suspended.child.kill('SIGCONT');
    await topics.publish(part(6));
    await deployment.untilApplied();
    await judge(deployment, { fleetIds: [FLEET], firstDate: firstDateOf(now) });
  }, 400_000);
});
