import { expect, it } from 'vitest';
import { type Deployment, deploy } from '../support/deployment.ts';
import { firstDateOf, fleetMessages } from '../support/fleet-messages.ts';
import { judge } from '../support/judge.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const SEED = 90;
const FLEET = 'cut-off';
const DAYS = 20;

/** Terminates all of the processes' connections at an arbitrary moment. */
async function cutConnections({ owner }: Deployment): Promise<void> {
  await owner.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('milepost-ingest', 'milepost-projector', 'milepost-api')`,
  );
}

describeWithKafka('Milepost with broken database connections', (brokers) => {
  it('continues without a restart, a loss or a duplicate when connections break during transactions', async () => {
    const deployment = await deploy(brokers);
    const { topics, processes, owner } = deployment;
    const now = Date.now();
    const messages = fleetMessages(FLEET, SEED, now, { drivers: 5, days: DAYS });
    const half = Math.ceil(messages.length / 2);
    const ingest = processes.start('ingest');
    await topics.publish(messages.slice(0, half));
    await deployment.untilApplied();
    // The connections break twice: first in the middle of an append by ingest, and then in the middle of one of the
    // projector's batches.
    const cut = async () => {
      await lockWaiters(owner, 1);
      await cutConnections(deployment);
    };
    await whileLocked(owner, 'SELECT FROM log_head FOR UPDATE', cut, () => topics.publish(messages.slice(half)));
    await whileLocked(owner, 'SELECT FROM generation FOR UPDATE', cut, async () => {});
    await deployment.untilApplied();
    await judge(deployment, { fleetIds: [FLEET], firstDate: firstDateOf(now, DAYS) });
    expect(await ingest.stop()).toBe(0);
  });
});
