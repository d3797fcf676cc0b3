import { createKey, listKeys } from '@milepost/operations/keys';
import { ROLES } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { untilTestEnds } from '../../support/fixtures.ts';
import { describeWithOps, opsProblem } from '../../support/ops.ts';
import { deliver, openDirectory } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';

describeWithOps('/keys', (world) => {
  async function opens(key: string): Promise<boolean> {
    const asApi = untilTestEnds(openDirectory(world.pipeline.url, ROLES.api));
    const sql = "SELECT FROM valid_api_key WHERE key_hash = sha256(convert_to($1, 'UTF8'))";
    return (await asApi.query(sql, [key])).rowCount === 1;
  }

  it('creates a key that gives access to its fleet, shows the key once, and revokes it', async () => {
    const answer = await world.post('/keys', { fleet_id: 'opened' });
    expect(answer.headers['cache-control']).toBe('no-store');
    const created = contentOf(answer, createKey.answer, 201);
    expect(created).toMatchObject({ fleet_id: 'opened', key: expect.stringMatching(/^mp_/) });
    expect(created.warning).toContain('No record of fleet opened has been stored yet');
    expect(await opens(created.key)).toBe(true);

    const list = async () => {
      const listed = await world.ask('/keys');
      expect(listed.body).not.toContain(created.key);
      return contentOf(listed, listKeys.answer).keys.filter(({ fleet_id }) => fleet_id === 'opened');
    };
    expect(await list()).toMatchObject([{ id: created.id, revoked_at: null }]);

    // The operator repeats the request because the first response was lost.
    const revocations = new Set();
    for (let round = 0; round < 2; round += 1) {
      const revoked = await world.ask(`/keys/${created.id}`, {
        method: 'DELETE',
        headers: { 'content-type': 'application/json' },
      });
      expect([revoked.statusCode, revoked.body]).toEqual([204, '']);
      revocations.add((await list())[0]?.revoked_at);
    }
    expect(await opens(created.key)).toBe(false);
    expect([...revocations]).toEqual([expect.any(String)]);
  });

  it("keeps a key's name and expiry, and shows each key's state", async () => {
    const create = async (body: object) =>
      contentOf(await world.post('/keys', { fleet_id: 'states', ...body }), createKey.answer, 201);
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
    const listed = async () => contentOf(await world.ask('/keys'), listKeys.answer).keys;
    const keys = new Map((await listed()).map((key) => [key.id, key]));
    expect(keys.get(named.id)).toMatchObject({
      name: 'billing export',
      state: 'valid',
      expires_at: '2999-12-31T00:00:00.000Z',
      rate_limit_per_minute: 600,
      last_used_at: null,
    });
    expect(keys.get(unused.id)?.rate_limit_per_minute).toBeNull();
    expect([ended, unused, revoked].map(({ id }) => keys.get(id)?.state)).toEqual(['expired', 'unused', 'revoked']);
    await directory.query('UPDATE api_key SET last_used_at = now() WHERE api_key_id = $1', [unused.id]);
    expect((await listed()).find(({ id }) => id === unused.id)?.state).toBe('valid');
  });

  it('warns only when the fleet has no records', async () => {
    await deliver(world.pipeline.ingest, [tripProcessed({ fleet_id: 'north' }), driverProfile({ fleet_id: 'south' })]);
    for (const [fleet_id, warned] of [
      ['north', false],
      ['south', false],
      ['nroth', true],
    ] as const) {
      const { warning } = contentOf(await world.post('/keys', { fleet_id }), createKey.answer, 201);
      expect(warning !== null, fleet_id).toBe(warned);
    }
  });

  it('refuses to revoke unknown keys', async () => {
    for (const id of ['key_unknown', '%00'])
      opsProblem(await world.ask(`/keys/${id}`, { method: 'DELETE' }), 404, 'key_not_found');
  });
});
