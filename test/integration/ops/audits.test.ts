import { runAudit, storeFailedAudit } from '@milepost/audit';
import { AuditResource, listAudits, startAudit } from '@milepost/operations/audits';
import { PROJECTIONS } from '@milepost/projections';
import { listReplays } from '@milepost/replay';
import { beforeEach, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { run } from '../../support/command.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { auditTrail, describeWithOwnOps, opsProblem, TOKEN } from '../../support/ops.ts';
import { deliverAndProject } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { startWorker } from '../../support/worker.ts';

describeWithOwnOps('/audits and /retention', (world) => {
  beforeEach(async () => {
    await deliverAndProject(world.pipeline, [driverProfile(), tripProcessed()]);
  });

  const list = async (query = '') => contentOf(await world.ask(`/audits${query}`), listAudits.answer);

  it('list the kept audits in pages, newest first, and show each in full', async () => {
    const { id: first } = await runAudit(world.pipeline.projector, PROJECTIONS);
    await world.pipeline.owner.query('DELETE FROM trips');
    const { id: second } = await runAudit(world.pipeline.projector, PROJECTIONS, { projection: 'trips' });
    expect(await list()).toMatchObject({
      audits: [
        { id: second, equal: false, projection: 'trips', faults: 1, position: 2 },
        { id: first, equal: true, projection: null, faults: 0 },
      ],
      next_before: null,
    });
    const page = await list('?limit=1');
    expect(page.next_before).toBe(second);
    expect((await list(`?limit=1&before=${page.next_before}`)).audits).toMatchObject([{ id: first }]);
    const { report } = contentOf(await world.ask(`/audits/${second}`), AuditResource);
    expect(report).toMatchObject({
      equal: false,
      projections: [{ projection: 'trips', expected_rows: 1, actual_rows: 0, differences: 1 }],
      faults: [{ check: 'missing_row', projection: 'trips', day: '2025-01-15', positions: [{ position: 2 }] }],
    });
    for (const id of ['4711', 'x', '0']) opsProblem(await world.ask(`/audits/${id}`), 404, 'audit_not_found');
  });

  it('are run by the worker without Redis, after the response to the request', async () => {
    await world.pipeline.owner.query('DELETE FROM trips');
    untilTestEnds(startWorker(world.pipeline.url));

    const answer = await world.post('/audits');
    const requested = contentOf(answer, startAudit.answer, 202).id;
    expect(answer.headers['location']).toBe(`/audits/${requested}`);
    expect((await auditTrail(world))[0]).toMatchObject({ action: 'audit.start', detail: `audit ${requested}` });
    await expect.poll(async () => (await world.ask(`/audits/${requested}`)).statusCode).toBe(200);
    expect((await list()).audits[0]).toMatchObject({ equal: false, projection: null });
    const failed = await storeFailedAudit(world.pipeline.projector, null, 'planted', 1);
    expect(contentOf(await world.ask(`/audits/${failed}`), AuditResource).report).toMatchObject({
      projections: [],
      faults: [{ check: 'audit_failed', detail: 'The audit did not finish: planted.' }],
    });

    const server = await world.ops.listen({ host: '127.0.0.1', port: 0 });
    const audited = await run(['audit', '--json', '--server', server], { OPS_TOKEN: TOKEN });
    const { id, ...report } = JSON.parse(audited.stdout);
    expect(audited).toMatchObject({ code: 1, stderr: 'milepost: The audit found 1 fault.\n' });
    expect(contentOf(await world.ask(`/audits/${id}`), AuditResource).report).toEqual(report);
    expect((await list()).audits.map((audit) => audit.id)).toContain(id);

    const retained = await world.post('/retention');
    expect([retained.statusCode, retained.headers['location']]).toEqual([202, '/replays']);
    expect((await auditTrail(world))[0]).toMatchObject({ action: 'retention.run', outcome: 'done' });
    // The trip's day is older than the days for which there are summaries.
    await expect
      .poll(async () => {
        const replays = await listReplays(world.pipeline.projector, PROJECTIONS, 10);
        return replays.map(({ projection, requested_by }) => `${projection} ${requested_by}`).sort();
      })
      .toEqual(['daily_rollups retention', 'weekly_rollups retention']);
  });

  it('return the same audit for a second request before the first audit ends', async () => {
    // Without a worker, the first audit stays pending.
    const [first, second] = [await world.post('/audits'), await world.post('/audits')];
    expect(contentOf(second, startAudit.answer, 202)).toEqual(contentOf(first, startAudit.answer, 202));
  });
});

it.each([
  ['--projection', 'trips'],
  ['--stalled-after', '90'],
  ['--projection', 'trips', '--stalled-after', '90'],
])('an audit cannot be requested from a server with options that its worker ignores (%#)', async (...options) => {
  const { code, stderr } = await run(['audit', ...options, '--server', 'http://127.0.0.1:1'], { OPS_TOKEN: TOKEN });
  expect(stderr).toContain('cannot be combined with --server');
  expect(code).toBe(2);
});
