import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { tripId } from '@milepost/domain/trip-id';
import { beforeAll, expect, it } from 'vitest';
import { longTrip } from '../support/console/fleet.ts';
import { perSuite } from '../support/fixtures.ts';
import { headersOf } from '../support/http.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { createWorld } from '../support/world.ts';

/** Ten times the number of requests that run concurrently. */
const SLOW_CLIENTS = 100;
/** A response larger than this does not fit into a socket's buffers. */
const MIN_RESPONSE_BYTES = 1_000_000;

describeWithPostgres('clients that do not read their responses', () => {
  const world = perSuite(createWorld);
  let port: number;
  let key: string;
  const path = `/api/v1/trip/trip_id/${tripId('acme', 'long')}`;

  beforeAll(async () => {
    world.clock.now = Date.now();
    await world.take([longTrip(world.clock.now)]);
    key = await world.createKey('acme');
    port = Number(new URL(await world.api.listen({ host: '127.0.0.1', port: 0 })).port);
  });

  const get = async () => await fetch(`http://127.0.0.1:${port}${path}`, { headers: headersOf(key) });

  it('do not delay other clients, and get the whole response once they read it', async () => {
    const whole = await (await get()).text();
    expect(whole.length).toBeGreaterThan(MIN_RESPONSE_BYTES);
    const sockets: Socket[] = [];
    for (let client = 0; client < SLOW_CLIENTS; client += 1) {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.pause();
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: APIKEY ${key}\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n`,
      );
      sockets.push(socket);
    }
    for (let request = 0; request < 20; request += 1) expect((await get()).status).toBe(200);
    const [slowest] = sockets;
    if (!slowest) throw new Error('There is no slow client.');
    const received = await text(slowest.setEncoding('latin1'));
    expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toHaveLength(whole.length);
    for (const socket of sockets) socket.destroy();
  });
});
