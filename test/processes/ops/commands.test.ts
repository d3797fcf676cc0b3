import { userInfo } from 'node:os';
import type { listOperations } from '@milepost/operations/recorded-operations';
import { Refusal } from '@milepost/operations/refusal';
import type { Static } from 'typebox';
import { expect, it } from 'vitest';
import { recorded } from '../../../apps/cli/operator.ts';
import { run } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { expectSuccess } from '../../support/milepost.ts';
import { openDirectory } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('commands in the audit trail', () => {
  const database = perSuite(createTestDatabase);
  const milepost = async (...words: string[]) => await run(words, { DATABASE_URL: database.url });

  async function operations(...words: string[]): Promise<Static<typeof listOperations.answer>['operations']> {
    const { code, stdout } = await milepost('operations', 'list', '--json', ...words);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  }

  it("are recorded with the operating system's user, the input and the outcome", async () => {
    const { id, key } = JSON.parse((await milepost('keys', 'create', '--fleet', 'acme', '--json')).stdout);
    expect(id).toMatch(/^key_[0-9a-f]{8}$/);
    expectSuccess(await milepost('keys', 'revoke', id));
    const unknown = await milepost('keys', 'revoke', 'key_unknown');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no API key with this id') });
    await milepost('keys', 'list');

    const all = await operations();
    const who = { actor: userInfo().username, via: 'cli' };
    expect(all).toMatchObject([
      { ...who, action: 'keys.revoke', parameters: { id: 'key_unknown' }, outcome: 'refused' },
      { ...who, action: 'keys.revoke', parameters: { id }, outcome: 'done', detail: null },
      { ...who, action: 'keys.create', parameters: { fleet_id: 'acme' }, outcome: 'done', detail: id },
    ]);
    expect(JSON.stringify(all)).not.toContain(key);

    const [newest, second] = all;
    expect(await operations('--limit', '1')).toEqual([newest]);
    expect(await operations('--limit', '1', '--before', String(newest?.id))).toEqual([second]);
    const table = (await milepost('operations', 'list', '--limit', '2')).stdout.trimEnd().split('\n');
    expect(table).toHaveLength(3);
    expect(table[1]).toContain('keys.revoke');
  });

  it('are recorded as refused if the input is wrong, and as failed after any other error', async () => {
    const directory = untilTestEnds(openDirectory(database.url));
    const attempt = { action: 'audits.request', parameters: {} };
    for (const error of [new Refusal({ code: 'key_not_found' }), new Error('planted')])
      await expect(recorded(directory, attempt, async () => Promise.reject(error))).rejects.toBe(error);
    expect((await operations('--limit', '2')).map(({ outcome }) => outcome)).toEqual(['failed', 'refused']);
  });

  it('report their own error even if it cannot be recorded, and fail if there can be no entry', async () => {
    const directory = openDirectory(database.url);
    await directory.query('ALTER TABLE operator_action RENAME COLUMN actor TO other');
    await directory.end();
    const refused = await milepost('keys', 'revoke', 'key_unknown');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no API key with this id') });
    const unrecorded = await milepost('keys', 'create', '--fleet', 'acme');
    expect(unrecorded).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('column "actor"') });
  });
});
