import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { EventReader, type ServerEvent } from '../../../apps/console/operate/live/event-reader.ts';
import { perSuite } from '../../support/fixtures.ts';
import { send } from '../../support/http.ts';
import { whileLocked } from '../../support/locks.ts';
import { openOps, opsProblem, requestOf, TOKEN } from '../../support/ops.ts';
import { deliver, projectAll } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const MAX_STREAMS = 50;

describeWithPostgres('GET /events', () => {
  const world = perSuite(openOps);
  let origin: string;

  beforeAll(async () => {
    await deliver(world.pipeline.ingest, [driverProfile()]);
    await projectAll(world.pipeline);
    origin = await world.ops.listen({ host: '127.0.0.1', port: 0 });
  });

  const open = async (signal: AbortSignal, at = origin) =>
    await fetch(`${at}/events`, { headers: { authorization: `Bearer ${TOKEN}` }, signal });

  async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent> {
    const reader = new EventReader();
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) yield* reader.read(piece);
  }

  it('sends the status immediately, and each change within seconds', async () => {
    const stop = new AbortController();
    const { head_position } = (await world.ask('/status')).json();
    const response = await open(stop.signal);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const heads: number[] = [];
    for await (const { name, data } of eventsOf(response)) {
      expect(name).toBe('status');
      heads.push(JSON.parse(data).head_position);
      if (heads.length === 1) {
        const status = (await world.ask('/status')).json();
        expect(Object.keys(JSON.parse(data))).toEqual(Object.keys(status));
        await deliver(world.pipeline.ingest, [driverProfile({ driver_id: 'new' })]);
      }
      if (heads.at(-1) === head_position + 1) break;
    }
    expect(heads[0]).toBe(head_position);
    stop.abort();
  });

  it('reports that the status cannot be read, and continues once it can be read again', async () => {
    const stop = new AbortController();
    const names: string[] = [];
    for await (const { name } of eventsOf(await open(stop.signal))) {
      names.push(name);
      if (names.length === 1) await world.pipeline.owner.query('ALTER TABLE log_head RENAME TO away');
      if (name === 'unavailable') await world.pipeline.owner.query('ALTER TABLE away RENAME TO log_head');
      if (names.includes('unavailable') && name === 'status') break;
    }
    expect(names.at(-2)).toBe('unavailable');
    stop.abort();
  });

  it('accepts 50 streams, and another after one of them closes', async () => {
    const server = await world.build({});
    const at = await server.listen({ host: '127.0.0.1', port: 0 });
    const stops = Array.from({ length: MAX_STREAMS }, () => new AbortController());
    const responses = await Promise.all(stops.map(async ({ signal }) => await open(signal, at)));
    expect(responses.map(({ status }) => status)).toEqual(stops.map(() => 200));
    opsProblem(await server.inject(requestOf('/events')), 503, 'overloaded');
    stops[0]?.abort();
    const last = new AbortController();
    await vi.waitFor(async () => expect((await open(last.signal, at)).status).toBe(200), {
      timeout: 10_000,
      interval: 200,
    });
    for (const stop of [...stops, last]) stop.abort();
  });

  it('keeps no stream open for HEAD, however often it is requested', async () => {
    const at = await (await world.build({})).listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${TOKEN}` };
    for (let request = 0; request <= MAX_STREAMS; request += 1) {
      const { status, headers: answered } = await fetch(`${at}/events`, { method: 'HEAD', headers });
      expect([status, answered.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    const stop = new AbortController();
    expect((await open(stop.signal, at)).status).toBe(200);
    stop.abort();
  });

  it('forgets clients that disconnect before the first status', async () => {
    const server = await world.build({});
    const at = await server.listen({ host: '127.0.0.1', port: 0 });
    const stop = new AbortController();
    const opened: Promise<Response>[] = [];
    // While the table is locked, the server sends no status. It refuses a stream only after accepting the others.
    const disconnect = async () => {
      expect((await Promise.race(opened)).status).toBe(503);
      stop.abort();
    };
    const lock = 'LOCK TABLE log_head IN ACCESS EXCLUSIVE MODE';
    const work = async () => {
      // A stream that was opened before the table was locked would receive a status.
      for (let stream = 0; stream <= MAX_STREAMS; stream += 1) opened.push(open(stop.signal, at));
      return await Promise.allSettled(opened);
    };
    const settled = await whileLocked(world.pipeline.owner, lock, disconnect, work);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(MAX_STREAMS);
    const last = new AbortController();
    await vi.waitFor(async () => expect((await open(last.signal, at)).status).toBe(200), {
      timeout: 10_000,
      interval: 200,
    });
    last.abort();
  });

  it('ends when the server stops, so that the stop does not wait for it', async () => {
    const server = await world.build({});
    const response = await open(new AbortController().signal, await server.listen({ host: '127.0.0.1', port: 0 }));
    const events = eventsOf(response);
    await events.next();
    const started = performance.now();
    await server.close();
    expect(performance.now() - started).toBeLessThan(10_000);
    for await (const { name } of events) expect(name).toBe('status');
  });

  it('opens no stream on a kept-alive connection while the server is stopping, so that the stop can end', async () => {
    const server = await world.build({});
    const at = await server.listen({ host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await send(at, { path: '/healthz', agent });
    const events = eventsOf(await open(new AbortController().signal, at));
    await events.next();
    const closed = server.close();
    // This stream ends when the server stops.
    for await (const { name } of events) expect(name).toBe('status');
    const [again] = await once(
      get(`${at}/events`, { headers: { authorization: `Bearer ${TOKEN}` }, agent }),
      'response',
    );
    expect(again.statusCode).toBe(503);
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(await text(again))).toMatchObject({ code: 'overloaded' });
    await closed;
  });
});
