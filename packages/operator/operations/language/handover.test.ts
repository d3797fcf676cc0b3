import { expect, it } from 'vitest';
import { handOver } from './handover.ts';
import type { Job } from './operation.ts';
import { Refusal } from './refusal.ts';

it('handOver returns the job that the queue accepted, which may be an earlier one', async () => {
  const handed: Job[] = [];
  const accepted = await handOver(
    async (job) => {
      handed.push(job);
      return { kind: 'audit', id: 3 };
    },
    { kind: 'audit', id: 4 },
  );
  expect([handed, accepted]).toEqual([[{ kind: 'audit', id: 4 }], { kind: 'audit', id: 3 }]);
});

it('handOver refuses when the queue does not answer', async () => {
  const refused = await handOver(async () => null, { kind: 'retention' }).catch((error: unknown) => error);
  expect(refused).toEqual(new Refusal({ code: 'queue_unavailable' }));
});
