import { expect, it } from 'vitest';
import { PROBLEMS as API_PROBLEMS } from '../../../apps/api/problems.ts';
import { PROBLEMS as OPS_PROBLEMS } from '../../../apps/ops/problems.ts';
import { perSuite } from '../../support/fixtures.ts';
import { openOps } from '../../support/ops.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

describeWithPostgres('the problem pages', () => {
  const world = perSuite(createWorld);
  const ops = perSuite(openOps);

  it.each([
    ['the API', API_PROBLEMS, async (path: string) => await world.get(path, { key: null })],
    ["the operators' API", OPS_PROBLEMS, async (path: string) => await ops.ask(path, { token: null })],
  ] as const)('of %s explain each of its codes, need no key, and load or run nothing', async (_name, problems, ask) => {
    const list = await ask('/docs/errors/');
    expect(Array.from(list.body.matchAll(/href="(\w+)"/g), ([, code]) => code)).toEqual(Object.keys(problems));
    for (const [code, kind] of Object.entries(problems)) {
      const { statusCode, headers, body } = await ask(`/docs/errors/${code}`);
      expect([statusCode, headers['content-type']], code).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain(`Status <code>${kind.status}</code>, <code>code</code> <code>${code}</code>`);
      expect(body.includes('Message for the end user')).toBe('endUser' in kind);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(body).not.toMatch(/<script|src=|<link|`/);
    }
    const { type } = JSON.parse((await ask('/nothing')).body);
    expect((await ask(type)).body).toContain('<code>not_found</code>');
    for (const code of ['nothing', 'toString']) expect((await ask(`/docs/errors/${code}`)).statusCode).toBe(404);
  });
});
