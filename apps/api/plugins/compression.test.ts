import * as zlib from 'node:zlib';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import { compressAnswers } from './compression.ts';

const text = (fleet: string) => JSON.stringify({ fleet, filler: 'x'.repeat(2_000) });

/** Starts a server that sends `bodies` in turn, all with the same tag. */
async function sendInTurn(...bodies: string[]) {
  const gzipSync = vi.fn(zlib.gzipSync);
  const app = fastify();
  await app.register(async (scope) => {
    await compressAnswers(scope, { ...zlib, gzipSync });
    scope.get('/', (_request, reply) => reply.header('etag', 'W/"1"').type('application/json').send(bodies.shift()));
  });
  const ask = async (accepted: string) => await app.inject({ url: '/', headers: { 'accept-encoding': accepted } });
  return { ask, gzipSync };
}

it('a response is compressed once for each form that consumers accept', async () => {
  const { ask, gzipSync } = await sendInTurn(text('one'), text('one'), text('one'));
  const [first, second, other] = [await ask('gzip'), await ask('gzip'), await ask('br')];
  expect(gunzipSync(first.rawPayload).toString()).toBe(text('one'));
  expect(second.rawPayload).toEqual(first.rawPayload);
  expect(second.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String(first.rawPayload.length),
  });
  expect(brotliDecompressSync(other.rawPayload).toString()).toBe(text('one'));
  expect(gzipSync).toHaveBeenCalledOnce();
});

it('a compressed body is never that of a different body with the same tag', async () => {
  const { ask } = await sendInTurn(text('one'), text('two'), text('one'));
  const answers = [await ask('gzip'), await ask('gzip'), await ask('gzip')];
  const received = answers.map(({ rawPayload }) => gunzipSync(rawPayload).toString());
  expect(received).toEqual(['one', 'two', 'one'].map(text));
});

it('a response is not remembered for an unusually long header, whose copies would fill the memory', async () => {
  const { ask, gzipSync } = await sendInTurn(text('one'), text('one'));
  const accepted = `gzip, ${'x'.repeat(100)}`;
  expect((await ask(accepted)).rawPayload).toEqual((await ask(accepted)).rawPayload);
  expect(gzipSync).toHaveBeenCalledTimes(2);
});
