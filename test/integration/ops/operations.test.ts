import { listOperations } from '@milepost/operations/recorded-operations';
import { createLogger } from '@milepost/service';
import fastify from 'fastify';
import { beforeEach, expect, it, vi } from 'vitest';
import { keepAuditTrail } from '../../../apps/ops/plugins/audit-trail.ts';
import { contentOf } from '../../support/answers.ts';
import { describeWithOps, type OpsRequest, opsProblem, requestOf, TOKEN } from '../../support/ops.ts';

const CREATE: OpsRequest = { method: 'POST', body: { fleet_id: 'acme' } };

describeWithOps('the audit trail', (world) => {
  beforeEach(async () => void (await world.pipeline.directory.query('TRUNCATE operator_action, api_key')));

  const list = async (query = '') => contentOf(await world.ask(`/operations${query}`), listOperations.answer);

  it('records who did what, when, and with what outcome, newest first', async () => {
    const before = Date.now();
    const created = (await world.ask('/keys', { ...CREATE, headers: { 'milepost-operator': 'jane' } })).json();
    await world.ask(`/keys/${created.id}`, { method: 'DELETE' });
    await world.ask('/keys/key_unknown', { method: 'DELETE' });
    await world.ask('/keys', { method: 'POST', body: { fleet_id: 'a\0b' } });
    const { operations, next_before } = await list();
    expect(next_before).toBeNull();
    expect(operations).toMatchObject([
      { actor: 'ops-token', action: 'keys.create', parameters: { fleet_id: 'a\ufffdb' }, outcome: 'refused' },
      { actor: 'ops-token', action: 'keys.revoke', parameters: { id: 'key_unknown' }, outcome: 'refused' },
      { actor: 'ops-token', action: 'keys.revoke', parameters: { id: created.id }, outcome: 'done', detail: null },
      { actor: 'jane', via: 'http', action: 'keys.create', parameters: { fleet_id: 'acme' }, outcome: 'done' },
    ]);
    expect(operations[3]?.detail).toBe(created.id);
    expect(operations[1]?.detail).toContain('There is no API key with this id');
    const at = new Date(operations[3]?.at ?? '').getTime();
    expect(at).toBeGreaterThan(before - 5_000);
    expect(at).toBeLessThan(Date.now() + 5_000);
  });

  it('never contains a key, and contains no entries for reads', async () => {
    const { key } = (await world.ask('/keys', CREATE)).json();
    for (const path of ['/status', '/keys', '/operations', '/metrics', '/nothing']) await world.ask(path);
    const { rows } = await world.pipeline.directory.query<{ row: string }>(
      'SELECT o::text AS row FROM operator_action o',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(key);
    expect(rows[0]?.row).not.toContain(TOKEN);
  });

  it('must have an action name for each route that changes data', () => {
    const app = fastify();
    keepAuditTrail(app, world.pipeline.directory, createLogger('ops', 'silent'));
    app.get('/reads', async () => {});
    expect(() => app.route({ method: ['GET', 'PUT'], url: '/writes', handler: async () => {} })).toThrow('no action');
  });

  it('records a failed operation', async () => {
    await world.pipeline.directory.query('ALTER TABLE api_key RENAME COLUMN key_hash TO other');
    opsProblem(await world.ask('/keys', CREATE), 500, 'internal');
    await world.pipeline.directory.query('ALTER TABLE api_key RENAME COLUMN other TO key_hash');
    expect((await list()).operations).toMatchObject([{ action: 'keys.create', outcome: 'failed' }]);
  });

  it('logs an operation that it cannot record, and the caller still gets the response', async () => {
    const logger = createLogger('ops', 'silent');
    const error = vi.spyOn(logger, 'error');
    const ops = await world.build({ logger });
    await world.pipeline.directory.query('ALTER TABLE operator_action RENAME COLUMN actor TO other');
    expect((await ops.inject(requestOf('/keys', CREATE))).statusCode).toBe(201);
    expect((await ops.inject(requestOf('/keys/key_unknown', { method: 'DELETE' }))).statusCode).toBe(404);
    await world.pipeline.directory.query('ALTER TABLE operator_action RENAME COLUMN other TO actor');
    expect(error.mock.calls).toMatchObject([
      [{ action: 'keys.create', parameters: { fleet_id: 'acme' }, outcome: 'done' }, expect.any(String)],
      [{ action: 'keys.revoke', parameters: { id: 'key_unknown' }, outcome: 'refused' }, expect.any(String)],
    ]);
  });

  it('records unauthenticated attempts, at most one per second', async () => {
    const started = performance.now();
    for (let round = 0; round < 20; round += 1) await world.ask('/keys', { ...CREATE, token: null });
    const seconds = (performance.now() - started) / 1_000;
    const { operations } = await list();
    expect(operations.length).toBeGreaterThan(0);
    expect(operations.length).toBeLessThanOrEqual(1 + seconds);
    const closed = await world.build({ token: undefined });
    await closed.inject(requestOf('/keys', CREATE));
    const refused = { actor: 'unauthenticated', action: 'keys.create', parameters: {}, outcome: 'refused' };
    expect((await list()).operations).toMatchObject([refused, ...operations]);
    expect(operations).toMatchObject(operations.map(() => refused));
  });

  it("contains the operator's name as UTF-8, and with an invalid name nothing is changed", async () => {
    const headers = { 'milepost-operator': Buffer.from('José', 'utf8').toString('latin1') };
    await world.ask('/keys', { ...CREATE, headers });
    expect((await list()).operations).toMatchObject([{ actor: 'José', outcome: 'done' }]);
    const answer = await world.ask('/keys', { ...CREATE, headers: { 'milepost-operator': 'Jos\xe9' } });
    expect(opsProblem(answer, 400, 'invalid_parameter').errors).toMatchObject([{ parameter: 'Milepost-Operator' }]);
    expect((await world.ask('/keys')).json().keys).toHaveLength(1);
    expect((await list()).operations[0]).toMatchObject({ actor: 'ops-token', outcome: 'refused' });
  });
});
