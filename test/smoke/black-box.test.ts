import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { firstDateOf, fleetMessages } from '../support/fleet-messages.ts';
import { judge } from '../support/judge.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const SEED = 20_260;
const FLEET = 'black-box';
const DAYS = 30;
/** The number of records that ingest has read before it is killed. */
const BEFORE_KILL = 100;

describeWithKafka('Milepost from Kafka to HTTP', (brokers) => {
  it('responds to every request about a fleet as the model does, although ingest was killed and connections broke during transactions', async () => {
    const deployment = await deploy(brokers);
    const now = Date.now();
    const messages = fleetMessages(FLEET, SEED, now, { drivers: 10, days: DAYS });
    expect(messages.length, `seed ${SEED}`).toBeGreaterThan(700);
    const half = Math.ceil(messages.length / 2);
    const { topics, processes, owner } = deployment;
    const killed = processes.start('ingest');
    await topics.publish(messages.slice(0, BEFORE_KILL));
    await deployment.untilRead(BEFORE_KILL);
    const kill = async () => {
      await lockWaiters(owner, 1);
      await killed.kill();
    };
    // Ingest is killed in the middle of an append.
    const publish = async () => await topics.publish(messages.slice(BEFORE_KILL, half));
    await whileLocked(owner, 'SELECT FROM log_head FOR UPDATE', kill, publish);
    const ingest = processes.start('ingest');
    await deployment.untilApplied();
    // The connections break twice: first in the middle of an append by ingest, and then in the middle of one of the
    // projector's batches.
    const cut = async () => {
      await lockWaiters(owner, 1);
      await owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name IN ('milepost-ingest', 'milepost-projector', 'milepost-api')`,
      );
    };
    await whileLocked(owner, 'SELECT FROM log_head FOR UPDATE', cut, () => topics.publish(messages.slice(half)));
    await whileLocked(owner, 'SELECT FROM generation FOR UPDATE', cut, async () => {});
    await deployment.untilApplied();
    const { answers } = await judge(deployment, { fleetIds: [FLEET], firstDate: firstDateOf(now, DAYS) });
    expect(answers, `seed ${SEED}`).toBeGreaterThan(700);
    expect(await ingest.stop()).toBe(0);
  });
});
