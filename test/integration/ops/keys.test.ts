import { createKey, listKeys } from '@milepost/operations/keys';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { type OpsWorld, openOps, opsProblem } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('/keys', () => {
  let world: OpsWorld;

  beforeAll(async () => {
    world = await openOps();
  });
  afterAll(async () => await world?.close());

  async function opens(key: string): Promise<boolean> {
    const { rowCount } = await world.pipeline.api.query(
      'SELECT FROM read.api_key WHERE key_hash = sha256(convert_to($1, $2))',
      [key, 'UTF8'],
    );
    return rowCount === 1;
  }

  it('makes a key that opens its fleet, shows it once, and revokes it', async () => {
    const answer = await world.ask('/keys', { method: 'POST', body: { fleet_id: 'acme' } });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    const created = contentOf({ ...answer, statusCode: 200 }, createKey.answer);
    expect(created).toMatchObject({ fleet_id: 'acme', key: expect.stringMatching(/^mp_/) });
    expect(created.warning).toContain('No record of the fleet acme is stored yet');
    expect(await opens(created.key)).toBe(true);

    const listed = await world.ask('/keys');
    expect(listed.body).not.toContain(created.key);
    expect(contentOf(listed, listKeys.answer).keys).toMatchObject([
      { id: created.id, fleet_id: 'acme', revoked_at: null },
    ]);

    // Twice: an operator who saw no answer asks again.
    for (let round = 0; round < 2; round += 1) {
      const revoked = await world.ask(`/keys/${created.id}`, {
        method: 'DELETE',
        headers: { 'content-type': 'application/json' },
      });
      expect([revoked.statusCode, revoked.body]).toEqual([204, '']);
    }
    expect(await opens(created.key)).toBe(false);
    expect(contentOf(await world.ask('/keys'), listKeys.answer).keys[0]?.revoked_at).not.toBeNull();
  });

  it('warns of a fleet without records alone', async () => {
    await deliver(world.pipeline.ingest, [tripProcessed({ fleet_id: 'north' }), driverProfile({ fleet_id: 'south' })]);
    for (const [fleet_id, warned] of [
      ['north', false],
      ['south', false],
      ['nroth', true],
    ] as const) {
      const answer = await world.ask('/keys', { method: 'POST', body: { fleet_id } });
      const { warning } = contentOf({ ...answer, statusCode: 200 }, createKey.answer);
      expect(warning !== null, fleet_id).toBe(warned);
    }
  });

  it('says that there is no such key', async () => {
    opsProblem(await world.ask('/keys/key_unknown', { method: 'DELETE' }), 404, 'key_not_found');
    opsProblem(await world.ask('/keys/%00', { method: 'DELETE' }), 404, 'key_not_found');
  });

  it.each([
    ['no body', undefined, ['body']],
    ['a list', [], ['body']],
    ['nothing', {}, ['fleet_id']],
    ['a fleet id that no record may carry', { fleet_id: 'a b' }, ['fleet_id']],
    ['a fleet id with a line end', { fleet_id: 'acme\n' }, ['fleet_id']],
    ['a number', { fleet_id: 7 }, ['fleet_id']],
    ['null', { fleet_id: null }, ['fleet_id']],
    ['something unknown', { fleet_id: 'acme', flet: 1 }, ['flet']],
    ['all of it', { flet: 1 }, ['fleet_id', 'flet']],
  ])('refuses %s, naming what is wrong', async (_what, body, parameters) => {
    const answer = await world.ask('/keys', { method: 'POST', ...(body === undefined ? {} : { body }) });
    const { errors = [] } = opsProblem(answer, 400, 'invalid_parameter');
    expect(errors.map(({ parameter }) => parameter)).toEqual(parameters);
  });
});
