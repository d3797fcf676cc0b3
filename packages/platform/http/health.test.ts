import { setImmediate as nextIteration } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { reportHealth } from './health.ts';

type Checked = Parameters<typeof reportHealth<'away' | 'behind'>>[1]['check'];

function serverWith(check: Checked) {
  const app = fastify();
  app.setSerializerCompiler(() => JSON.stringify);
  reportHealth(app, { reasons: ['away', 'behind'], check });
  const probe = async () => {
    const answer = await app.inject('/readyz');
    return [answer.statusCode, answer.json(), answer.headers['retry-after']];
  };
  return { app, probe };
}

it('a server is ready when its check finds nothing, with or without figures', async () => {
  let checked: Awaited<ReturnType<Checked>> = null;
  const { app, probe } = serverWith(async () => checked);
  expect(await probe()).toEqual([200, { status: 'ready' }, undefined]);
  checked = { reason: null, lanes: [2] };
  expect(await probe()).toEqual([200, { status: 'ready', lanes: [2] }, undefined]);
  checked = 'behind';
  expect(await probe()).toEqual([503, { status: 'not_ready', reason: 'behind' }, '2']);
  checked = { reason: 'behind', lag_seconds: 0 };
  expect(await probe()).toEqual([503, { status: 'not_ready', reason: 'behind', lag_seconds: 0 }, '2']);
  await app.close();
});

it('concurrent probes share one check, and a later probe checks again', async () => {
  const checks: PromiseWithResolvers<null>[] = [];
  const app = fastify();
  app.setSerializerCompiler(() => JSON.stringify);
  let entered = 0;
  app.addHook('preHandler', async () => {
    entered += 1;
  });
  const check = async () => {
    const started = Promise.withResolvers<null>();
    checks.push(started);
    return await started.promise;
  };
  reportHealth(app, { reasons: ['away'], check });
  for (const round of [1, 2]) {
    const probes = [app.inject('/readyz'), app.inject('/readyz'), app.inject('/readyz')];
    while (entered < 3 * round) await nextIteration();
    await nextIteration();
    expect(checks).toHaveLength(round);
    for (const started of checks) started.resolve(null);
    await Promise.all(probes);
  }
  await app.close();
});

it('a check that does not end in time counts as the first reason', async () => {
  const { app, probe } = serverWith(async () => await new Promise(() => {}));
  expect(await probe()).toEqual([503, { status: 'not_ready', reason: 'away' }, '2']);
  await app.close();
});
