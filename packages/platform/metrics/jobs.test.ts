import { expect, it } from 'vitest';
import { JobMetrics } from './jobs.ts';

const ended = (kind: string, outcome: string, count: number) =>
  `milepost_job_duration_seconds_count{kind="${kind}",outcome="${outcome}"} ${count}`;

it('JobMetrics counts a job while it runs, and then under its outcome', async () => {
  const metrics = new JobMetrics();
  const failure = new Error('The job failed.');
  await metrics.measure('audit', async () => {
    expect(await metrics.registry.metrics()).toContain('milepost_jobs_running{kind="audit"} 1\n');
  });
  await expect(metrics.measure('replay', async () => await Promise.reject(failure))).rejects.toBe(failure);
  const text = await metrics.registry.metrics();
  for (const kind of ['replay', 'audit', 'retention'])
    expect(text).toContain(`milepost_jobs_running{kind="${kind}"} 0\n`);
  expect(text).toContain(ended('audit', 'completed', 1));
  expect(text).toContain(ended('audit', 'failed', 0));
  expect(text).toContain(ended('replay', 'completed', 0));
  expect(text).toContain(ended('replay', 'failed', 1));
});
