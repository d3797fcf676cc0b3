import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { firstDateOf, fleetMessages } from '../support/fleet-messages.ts';
import { judge } from '../support/judge.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const SEED = 71;
const FLEET = 'takeover';

/** Starts Milepost with an ingest process. Tests publish the last three quarters of the messages as they run. */
async function start(brokers: string[]) {
  const deployment = await deploy(brokers);
  const { owner, processes } = deployment;
  const now = Date.now();
  const messages = fleetMessages(FLEET, SEED, now, { drivers: 8 });
  const size = Math.ceil(messages.length / 4);
  const [first = [], second = [], third = [], fourth = []] = [0, 1, 2, 3].map((index) =>
    messages.slice(index * size, (index + 1) * size),
  );
  const one = processes.start('ingest');
  await deployment.topics.publish(first);
  const sumOfEpochs = async () => {
    const { rows } = await owner.query<{ epochs: number }>('SELECT coalesce(sum(epoch), 0) AS epochs FROM log_source');
    return rows[0]?.epochs ?? 0;
  };
  const judgeAll = async () => {
    await deployment.untilApplied();
    await judge(deployment, { fleetIds: [FLEET], firstDate: firstDateOf(now) });
  };
  return { ...deployment, first, second, third, fourth, one, sumOfEpochs, judgeAll };
}

describeWithKafka('Milepost with two ingest processes', (brokers) => {
  it('loses and duplicates nothing during a rebalance and after a kill in the middle of a batch', async () => {
    const { topics, processes, owner, untilRead, first, second, third, fourth, one, ...world } = await start(brokers);
    await untilRead(1);
    processes.start('ingest');
    const publishing = topics.publish(second);
    await expect.poll(world.sumOfEpochs).toBeGreaterThan(6);
    await publishing;
    await untilRead(first.length + second.length);
    // The head is locked, so both processes are still storing a batch when one of them is killed.
    const killed = async () => {
      await lockWaiters(owner, 2);
      await one.kill();
    };
    await whileLocked(owner, 'SELECT FROM log_head FOR UPDATE', killed, () => topics.publish(third));
    await topics.publish(fourth);
    await world.judgeAll();
  }, 240_000);

  it('rejects the writes of a process that was suspended until after its session expired', async () => {
    const { topics, processes, owner, untilRead, first, second, third, fourth, one, ...world } = await start(brokers);
    await untilRead(first.length);
    const before = await world.sumOfEpochs();
    // The process is suspended in the middle of an append and resumed when another process has taken its partitions.
    const asleep = async () => {
      await lockWaiters(owner, 1);
      one.child.kill('SIGSTOP');
    };
    await whileLocked(owner, 'SELECT FROM log_head FOR UPDATE', asleep, () => topics.publish(second));
    processes.start('ingest');
    await topics.publish(third);
    await expect.poll(world.sumOfEpochs).toBeGreaterThan(before);
    one.child.kill('SIGCONT');
    await topics.publish(fourth);
    await world.judgeAll();
  }, 240_000);
});
