import { setImmediate as nextIteration } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { reportHealth } from './health.ts';

type Check = Parameters<typeof reportHealth<'away' | 'behind'>>[1]['check'];

function serverWith(check: Check) {
  const app = fastify();
  app.setSerializerCompiler(() => JSON.stringify);
  reportHealth(app, { reasons: ['away', 'behind'], check });
  return app;
}

const HANGING: Check = async () => await new Promise(() => {});

it.each<[string, Check, unknown[]]>([
  ['is ready', async () => null, [200, { status: 'ready' }, undefined]],
  ['has figures', async () => ({ reason: null, lanes: [2] }), [200, { status: 'ready', lanes: [2] }, undefined]],
  ['is not ready', async () => 'behind', [503, { status: 'not_ready', reason: 'behind' }, '2']],
  [
    'is not ready and has figures',
    async () => ({ reason: 'behind', lag_seconds: 0 }),
    [503, { status: 'not_ready', reason: 'behind', lag_seconds: 0 }, '2'],
  ],
  ['does not end its check in time', HANGING, [503, { status: 'not_ready', reason: 'away' }, '2']],
])('/readyz of a server that %s', async (_what, check, expected) => {
  const { statusCode, headers, json } = await serverWith(check).inject('/readyz');
  expect([statusCode, json(), headers['retry-after']]).toEqual(expected);
});

it('concurrent probes share one check, and a later probe checks again', async () => {
  const checks: PromiseWithResolvers<null>[] = [];
  const app = serverWith(async () => {
    const started = Promise.withResolvers<null>();
    checks.push(started);
    return await started.promise;
  });
  let entered = 0;
  app.addHook('preHandler', async () => {
    entered += 1;
  });
  for (const round of [1, 2]) {
    const probes = [app.inject('/readyz'), app.inject('/readyz'), app.inject('/readyz')];
    while (entered < 3 * round) await nextIteration();
    await nextIteration();
    expect(checks).toHaveLength(round);
    for (const started of checks) started.resolve(null);
    await Promise.all(probes);
  }
});
