import { networkInterfaces } from 'node:os';
import { serveMetrics } from '@milepost/metrics';
import { pino } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

async function serve(host: string, collect: () => Promise<number>) {
  const registry = new Registry();
  new Gauge({
    name: 'trips',
    help: 'The trips.',
    registers: [registry],
    async collect() {
      this.set(await collect());
    },
  });
  const lines: { metrics: string }[] = [];
  const logger = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const close = await serveMetrics(registry, { host, port: 0 }, logger);
  onTestFinished(close);
  const url = lines[0]?.metrics ?? '';
  return { url, send: async (path: string, method = 'GET') => await fetch(new URL(path, url), { method }) };
}

it('the metrics port responds only to requests that read metrics', async () => {
  const { send } = await serve('127.0.0.1', async () => 7);
  for (const path of ['/metrics', '/metrics?name=trips']) {
    const answer = await send(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(await answer.text()).toMatch(/^trips 7$/m);
  }
  expect((await send('/metrics', 'HEAD')).status).toBe(200);
  for (const path of ['/', '/metrics/', '/metricsx']) expect((await send(path)).status, path).toBe(404);
  expect((await send('/metrics', 'POST')).status).toBe(405);
});

it('a scrape that fails gets status 500, and the next scrape is tried again', async () => {
  let reads = 0;
  const { send } = await serve('127.0.0.1', async () => {
    reads += 1;
    return reads === 1 ? await Promise.reject(new Error('secret')) : reads;
  });
  const failed = await send('/metrics');
  expect([failed.status, await failed.text()]).toEqual([500, 'The metrics could not be read.\n']);
  expect(await (await send('/metrics')).text()).toMatch(/^trips 2$/m);
});

it.skipIf(!hasIpv6)('the logged URL works for an IPv6 address, too', async () => {
  const { url, send } = await serve('::1', async () => 7);
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+\/metrics$/);
  expect((await send('/metrics')).status).toBe(200);
});

it('without an address, no metrics are served', async () => {
  const lines: string[] = [];
  const close = await serveMetrics(new Registry(), undefined, pino({}, { write: (line) => void lines.push(line) }));
  await close();
  expect(lines).toEqual([]);
});

it('metrics are served at the configured address only; if it cannot be opened, the error names its setting', async () => {
  const silent = pino({ level: 'silent' });
  const { url } = await serve('127.0.0.1', async () => 7);
  const port = Number(new URL(url).port);
  await expect(serveMetrics(new Registry(), { host: '127.0.0.1', port }, silent)).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set METRICS_PORT to another port.`,
  );
  await expect(serveMetrics(new Registry(), { host: '127.0.0.1', port: 65_536 }, silent)).rejects.toMatchObject({
    message: expect.stringMatching(/^Cannot listen on 127\.0\.0\.1, port 65536 \(METRICS_PORT\): /),
    cause: { code: 'ERR_SOCKET_BAD_PORT' },
  });
  await expect(serveMetrics(new Registry(), { host: '203.0.113.1', port: 0 }, silent)).rejects.toThrow(
    'This machine does not have the address 203.0.113.1: set HOST to one',
  );
});
