import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { firstDateOf, fleetMessages } from '../support/fleet-messages.ts';
import { judge } from '../support/judge.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const SEED = 20_260;
const FLEET = 'black-box';
const DAYS = 30;

describeWithKafka('Milepost from Kafka to HTTP', (brokers) => {
  it('responds to every request about a fleet as the model does, although ingest was killed', async () => {
    const deployment = await deploy(brokers);
    const now = Date.now();
    const messages = fleetMessages(FLEET, SEED, now, { drivers: 10, days: DAYS });
    expect(messages.length, `seed ${SEED}`).toBeGreaterThan(700);
    const killed = deployment.processes.start('ingest');
    await deployment.topics.publish(messages);
    await deployment.untilRead(100);
    await killed.kill();
    const ingest = deployment.processes.start('ingest');
    await deployment.untilApplied();
    const { answers } = await judge(deployment, { fleetIds: [FLEET], firstDate: firstDateOf(now, DAYS) });
    expect(answers, `seed ${SEED}`).toBeGreaterThan(700);
    expect(await ingest.stop()).toBe(0);
  });
});
