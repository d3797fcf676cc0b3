import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '@milepost/postgres';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { Source } from '../../../apps/ingest/kafka/source.ts';
import { Choices } from '../kernel/choices.ts';
import { replaceClock } from '../kernel/clock.ts';
import { Connections } from '../kernel/pool.ts';
import { Simulation } from '../kernel/simulation.ts';
import { LogStore } from '../store/log-store.ts';
import { TOPIC } from './invariants.ts';

/** Almost the time limit of a lane. */
const TURN_SECONDS = 14;

let restore = () => {};
afterEach(() => restore());

/**
 * Claims a partition in lanes that answer after the given numbers of seconds. Returns the lanes with a claim, and the
 * simulated seconds until then.
 */
async function claim(seconds: readonly number[]) {
  const simulation = new Simulation(Choices.of([]));
  restore = replaceClock(() => simulation);
  const process = { name: 'ingest', isPaused: false, isKilled: false };
  const slowPool = (wait: number, lane: number): Pool => {
    const { pool } = new Connections(simulation, new LogStore(`lane ${lane}`), process);
    const query = pool.query.bind(pool);
    const slowQuery = async (...values: Parameters<typeof query>) => {
      await delay(wait * 1_000);
      return await query(...values);
    };
    return Object.assign(Object.create(pool), { query: slowQuery });
  };
  const lanes = {
    pools: new Map(seconds.map((wait, lane) => [lane, slowPool(wait, lane)])),
    fleets: { find: async () => new Map(), forget: () => {} },
    appenders: new Map(),
    turns: new Map(),
    areCurrent: async () => true,
  };
  const { signal } = new AbortController();
  const options = { logger: pino({ level: 'silent' }), signal, onReturn: () => {} };
  const source = new Source({ topic: TOPIC, partition: 0 }, lanes, options);
  let isClaimed = false;
  simulation.start(process, async () => {
    await source.claim();
    isClaimed = true;
  });
  await simulation.run(() => isClaimed);
  return { lanes: [...source.claims.keys()], seconds: simulation.now / 1_000 };
}

// On a busy machine, the claims of many lanes wait for the connections that they share. A lane that is left behind is
// claimed again together with all the others, which makes the machine busier.
it('claims a partition in all lanes, even if they answer one after another for longer than a lane may take', async () => {
  const turns = [1, 2, 3, 4].map((turn) => turn * TURN_SECONDS);
  expect(await claim(turns)).toEqual({ lanes: [0, 1, 2, 3], seconds: 4 * TURN_SECONDS });
});

it('leaves a lane behind when no lane has answered for the time limit', async () => {
  const claimed = await claim([TURN_SECONDS, 2 * TURN_SECONDS, 600]);
  expect(claimed.lanes).toEqual([0, 1]);
  expect(claimed.seconds).toBeLessThanOrEqual(2 * TURN_SECONDS + 30);
});
