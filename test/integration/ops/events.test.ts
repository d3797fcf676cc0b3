import { Agent } from 'node:http';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { EventReader, type ServerEvent } from '../../../apps/console/operate/live/event-reader.ts';
import { send } from '../../support/http.ts';
import { whileLocked } from '../../support/locks.ts';
import { describeWithOps, opsProblem, requestOf, TOKEN } from '../../support/ops.ts';
import { deliver, deliverAndProject } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';

const MAX_STREAMS = 50;

const headers = { authorization: `Bearer ${TOKEN}` };

describeWithOps('GET /events', (world) => {
  let origin: string;

  beforeAll(async () => {
    await deliverAndProject(world.pipeline, [driverProfile()]);
    origin = await world.ops.listen({ host: '127.0.0.1', port: 0 });
  });

  /** Starts another server. */
  async function listen() {
    const server = await world.build({});
    return { server, at: await server.listen({ host: '127.0.0.1', port: 0 }) };
  }

  /** Opens a stream, which is closed at the latest when the test ends. */
  async function open(at = origin, stop = new AbortController()): Promise<Response> {
    onTestFinished(() => stop.abort());
    return await fetch(`${at}/events`, { headers, signal: stop.signal });
  }

  /** Resolves when the server accepts another stream. */
  const untilAccepted = async (at: string) =>
    await expect.poll(async () => (await open(at)).status, { timeout: 10_000, interval: 200 }).toBe(200);

  async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent> {
    const reader = new EventReader();
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) yield* reader.read(piece);
  }

  it('sends the status immediately, and each change within seconds', async () => {
    const { head_position } = (await world.ask('/status')).json();
    const response = await open();
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
  });

  it('accepts 50 streams, and another after one of them closes', async () => {
    const { server, at } = await listen();
    const stops = Array.from({ length: MAX_STREAMS }, () => new AbortController());
    const responses = await Promise.all(stops.map(async (stop) => await open(at, stop)));
    expect(responses.map(({ status }) => status)).toEqual(stops.map(() => 200));
    opsProblem(await server.inject(requestOf('/events')), 503, 'overloaded');
    stops[0]?.abort();
    await untilAccepted(at);
  });

  it('keeps no stream open for HEAD, however often it is requested', async () => {
    const { at } = await listen();
    for (let request = 0; request <= MAX_STREAMS; request += 1) {
      const { status, headers: answered } = await fetch(`${at}/events`, { method: 'HEAD', headers });
      expect([status, answered.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    expect((await open(at)).status).toBe(200);
  });

  it('forgets clients that disconnect before the first status', async () => {
    const { at } = await listen();
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
      for (let stream = 0; stream <= MAX_STREAMS; stream += 1) opened.push(open(at, stop));
      return await Promise.allSettled(opened);
    };
    const settled = await whileLocked(world.pipeline.owner, lock, disconnect, work);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(MAX_STREAMS);
    await untilAccepted(at);
  });

  it('opens no stream on a kept-alive connection while the server is stopping, so that the stop can end', async () => {
    const { server, at } = await listen();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    await send(at, { path: '/healthz', agent });
    const events = eventsOf(await open(at));
    await events.next();
    const closed = server.close();
    // This stream ends when the server stops.
    for await (const { name } of events) expect(name).toBe('status');
    const again = await send(at, { path: '/events', headers, agent });
    opsProblem(again, 503, 'overloaded');
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(0);
    await closed;
  });
});
