import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import type { RunningProcess } from '../support/processes.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const priorityOf = ({ child }: RunningProcess) => getPriority(child.pid ?? 0);

describeWithKafka('the processes that bring trips in', (brokers) => {
  it('have a lower priority than those that answer', async () => {
    const { topics, processes, untilApplied } = await deploy(brokers);
    const [ingest, projector] = [processes.start('ingest'), processes.start('projector')];
    await topics.publish([{ topic: 'trips', key: 'one', value: JSON.stringify(tripProcessed()), broken: false }]);
    await untilApplied();
    await expect.poll(() => projector.output()).toContain('projector started');
    expect([priorityOf(ingest), priorityOf(projector)]).toEqual([5, 5]);
  }, 120_000);
});
