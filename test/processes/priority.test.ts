import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import type { RunningProcess } from '../support/processes.ts';
import { describeWithKafka } from '../support/service-suites.ts';

const priorityOf = ({ child }: RunningProcess) => getPriority(child.pid ?? 0);

describeWithKafka('the processes that write', (brokers) => {
  it('have a lower priority than those that respond to requests', async () => {
    const { processes } = await deploy(brokers);
    const [ingest, projector] = [processes.start('ingest'), processes.start('projector')];
    await expect.poll(() => ingest.output()).toContain('ingest started');
    await expect.poll(() => projector.output()).toContain('projector started');
    expect([priorityOf(ingest), priorityOf(projector)]).toEqual([5, 5]);
  });
});
