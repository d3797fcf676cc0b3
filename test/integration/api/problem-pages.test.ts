import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS as API_PROBLEMS } from '../../../apps/api/problems.ts';
import { PROBLEMS as OPS_PROBLEMS } from '../../../apps/ops/problems.ts';
import type { Answer } from '../../support/answers.ts';
import { type OpsWorld, openOps } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

describeWithPostgres('the problem pages', () => {
  let world: World;
  let ops: OpsWorld;
  const servers = new Map<string, (path: string) => Promise<Answer>>();

  beforeAll(async () => {
    [world, ops] = await Promise.all([createWorld(), openOps()]);
    servers.set('the API', async (path) => await world.get(path, { key: null }));
    servers.set("the operators' API", async (path) => await ops.ask(path, { token: null }));
  });
  afterAll(async () => await Promise.all([world?.close(), ops?.close()]));

  describe.each([
    ['the API', API_PROBLEMS],
    ["the operators' API", OPS_PROBLEMS],
  ] as const)('of %s', (name, problems) => {
    const ask = async (path: string) => (await servers.get(name)?.(path)) ?? expect.fail(`There is no ${name}.`);

    it('are linked from the `type` of a problem and need no key', async () => {
      const { type, code } = JSON.parse((await ask('/nothing')).body);
      const page = await ask(type);
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain(`<code>${code}</code>`);
    });

    it.each(Object.entries(problems))(
      'describe for %s the cause, the remedy and, where end users see it, the text for them',
      async (code, kind) => {
        const { statusCode, headers, body } = await ask(`/docs/errors/${code}`);
        expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
        expect(body).toContain(`<code>${kind.status}</code>`);
        for (const heading of ['What happened', 'What to do']) expect(body).toContain(`<h2>${heading}</h2>`);
        expect(body.includes('Message for the end user')).toBe('endUser' in kind);
      },
    );

    it('are listed in an index; neither the index nor a page loads or runs anything', async () => {
      const list = await ask('/docs/errors/');
      const links = Array.from(list.body.matchAll(/href="(\w+)"/g), ([, code]) => code);
      expect(links).toEqual(Object.keys(problems));
      for (const { headers, body } of [list, await ask('/docs/errors/internal')]) {
        expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
        expect(body).not.toMatch(/<script|src=|<link|`/);
        expect(body).toContain('<meta name="viewport"');
      }
    });

    it('exist only for listed codes', async () => {
      expect((await ask('/docs/errors/nothing')).statusCode).toBe(404);
      expect((await ask('/docs/errors/toString')).statusCode).toBe(404);
    });
  });
});
