import { createKey, listKeys } from '@milepost/operations/keys';
import { type Pool, ROLES } from '@milepost/postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { type OpsWorld, openOps, opsProblem } from '../../support/ops.ts';
import { deliver, openDirectory } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('/keys', () => {
  let world: OpsWorld;
  let asApi: Pool;

  beforeAll(async () => {
    world = await openOps();
    asApi = openDirectory(world.pipeline.url, ROLES.api);
  });
  afterAll(async () => {
    await asApi?.end();
    await world?.close();
  });

  async function opens(key: string): Promise<boolean> {
    const { rowCount } = await asApi.query('SELECT FROM valid_api_key WHERE key_hash = sha256(convert_to($1, $2))', [
      key,
      'UTF8',
    ]);
    return rowCount === 1;
  }

  it('creates a key that gives access to its fleet, shows the key once, and revokes it', async () => {
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

    // The operator repeats the request because the first response was lost.
    const revocations = new Set();
    for (let round = 0; round < 2; round += 1) {
      const revoked = await world.ask(`/keys/${created.id}`, {
        method: 'DELETE',
        headers: { 'content-type': 'application/json' },
      });
      expect([revoked.statusCode, revoked.body]).toEqual([204, '']);
      revocations.add(contentOf(await world.ask('/keys'), listKeys.answer).keys[0]?.revoked_at);
    }
    expect(await opens(created.key)).toBe(false);
    expect([...revocations]).toEqual([expect.any(String)]);
  });

  it('keeps the name and the expiry of a key, and shows the state of each key', async () => {
    const create = async (body: object) => {
      const answer = await world.ask('/keys', { method: 'POST', body: { fleet_id: 'states', ...body } });
      return contentOf({ ...answer, statusCode: 200 }, createKey.answer);
    };
    const named = await create({ name: 'billing export', expires: '2999-12-31', rate_limit_per_minute: 600 });
    const [ended, unused, revoked] = [await create({}), await create({}), await create({})];
    expect(await opens(named.key)).toBe(true);
    const { directory } = world.pipeline;
    await directory.query('UPDATE api_key SET expires_at = now() WHERE api_key_id = $1', [ended.id]);
    await directory.query("UPDATE api_key SET created_at = now() - interval '91 days' WHERE api_key_id = $1", [
      unused.id,
    ]);
    await directory.query('UPDATE api_key SET revoked_at = now() WHERE api_key_id = $1', [revoked.id]);
    expect(await opens(ended.key)).toBe(false);
    const { keys } = contentOf(await world.ask('/keys'), listKeys.answer);
    const stateOf = (id: string) => keys.find((key) => key.id === id);
    expect(stateOf(named.id)).toMatchObject({
      name: 'billing export',
      state: 'valid',
      expires_at: '2999-12-31T00:00:00.000Z',
      rate_limit_per_minute: 600,
      last_used_at: null,
    });
    expect(stateOf(unused.id)?.rate_limit_per_minute).toBeNull();
    expect([ended, unused, revoked].map(({ id }) => stateOf(id)?.state)).toEqual(['expired', 'unused', 'revoked']);
    await directory.query('UPDATE api_key SET last_used_at = now() WHERE api_key_id = $1', [unused.id]);
    const later = contentOf(await world.ask('/keys'), listKeys.answer).keys;
    expect(later.find(({ id }) => id === unused.id)?.state).toBe('valid');
  });

  it('warns only when the fleet has no records', async () => {
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

  it('answers 404 for an unknown key', async () => {
    opsProblem(await world.ask('/keys/key_unknown', { method: 'DELETE' }), 404, 'key_not_found');
    opsProblem(await world.ask('/keys/%00', { method: 'DELETE' }), 404, 'key_not_found');
  });

  it.each([
    ['no body', undefined, ['body']],
    ['a list', [], ['body']],
    ['nothing', {}, ['fleet_id']],
    ['a fleet id that no record can have', { fleet_id: 'a b' }, ['fleet_id']],
    ['a fleet id with a line break', { fleet_id: 'acme\n' }, ['fleet_id']],
    ['a number', { fleet_id: 7 }, ['fleet_id']],
    ['null', { fleet_id: null }, ['fleet_id']],
    ['a name with a line break', { fleet_id: 'acme', name: 'a\nb' }, ['name']],
    ['an end that is not a day', { fleet_id: 'acme', expires: 'soon' }, ['expires']],
    ['an end in the past', { fleet_id: 'acme', expires: '2020-01-01' }, ['expires']],
    ['a limit of 0', { fleet_id: 'acme', rate_limit_per_minute: 0 }, ['rate_limit_per_minute']],
    ['a limit that exceeds the maximum', { fleet_id: 'acme', rate_limit_per_minute: 1e10 }, ['rate_limit_per_minute']],
    ['a limit that is not whole', { fleet_id: 'acme', rate_limit_per_minute: 2.5 }, ['rate_limit_per_minute']],
    ['something unknown', { fleet_id: 'acme', flet: 1 }, ['flet']],
    ['all of it', { flet: 1 }, ['fleet_id', 'flet']],
  ])('refuses %s and names the invalid parameters', async (_what, body, parameters) => {
    const answer = await world.ask('/keys', { method: 'POST', ...(body === undefined ? {} : { body }) });
    const { errors = [] } = opsProblem(answer, 400, 'invalid_parameter');
    expect(errors.map(({ parameter }) => parameter)).toEqual(parameters);
  });

  it('names the valid limits of a key', async () => {
    const body = { fleet_id: 'acme', rate_limit_per_minute: 0 };
    const { errors = [] } = opsProblem(await world.ask('/keys', { method: 'POST', body }), 400, 'invalid_parameter');
    expect(errors[0]?.message).toMatch(/^Must be a whole number from 1 to 1000000000: /);
  });
});
