import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '@milepost/postgres';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { JointAppender } from '../../../apps/ingest/kafka/joint-appender.ts';
import { Source } from '../../../apps/ingest/kafka/source.ts';
import { repeatChoices } from '../kernel/choices.ts';
import { replaceClock } from '../kernel/clock.ts';
import { openConnections } from '../kernel/pool.ts';
import { Simulation } from '../kernel/simulation.ts';
import { LogStore } from '../store/log-store.ts';
import { TOPIC } from './invariants.ts';

/** Slightly less than a lane's time limit. */
const TURN_SECONDS = 14;

let restore = () => {};
afterEach(() => restore());

interface LaneSeconds {
  /** How long the lane takes to respond to a query. */
  query?: number;
  /** How long the lane takes to store records. */
  append?: number;
}

/** Opens a partition whose lanes take this long to respond. */
function openLanes(seconds: readonly LaneSeconds[]) {
  const simulation = new Simulation(repeatChoices([]));
  restore = replaceClock(() => simulation);
  const process = { name: 'ingest', isPaused: false, isKilled: false };
  const slowPool = (wait: number, lane: number): Pool => {
    const { pool } = openConnections(simulation, new LogStore(`lane ${lane}`), process);
    const query = pool.query.bind(pool);
    const slowQuery = async (...values: Parameters<typeof query>) => {
      await delay(wait * 1_000);
      return await query(...values);
    };
    return Object.assign(Object.create(pool), { query: slowQuery });
  };
  const slowAppender = (wait: number, pool: Pool): Pick<JointAppender, 'append'> => {
    const appender = new JointAppender(pool);
    return {
      append: async (batch) => {
        await delay(wait * 1_000);
        return await appender.append(batch);
      },
    };
  };
  const pools = new Map(seconds.map(({ query = 0 }, lane) => [lane, slowPool(query, lane)]));
  const lanes = {
    pools,
    fleets: { find: async () => new Map(), forget: () => {} },
    appenders: new Map([...pools].map(([lane, pool]) => [lane, slowAppender(seconds[lane]?.append ?? 0, pool)])),
    turns: new Map(),
    areCurrent: async () => true,
  };
  const { signal } = new AbortController();
  const options = { logger: pino({ level: 'silent' }), signal, onReturn: () => {} };
  const source = new Source({ topic: TOPIC, partition: 0 }, lanes, options);
  const run = async (work: () => Promise<unknown>) => await simulation.runWork(process, work);
  const offsets = () => [...source.claims].map(([lane, { nextOffset }]) => [lane, nextOffset]);
  return { simulation, source, run, offsets };
}

/** Claims a partition. Returns the claimed lanes, and how many simulated seconds the claims took. */
async function claim(seconds: readonly number[]) {
  const { simulation, source, run } = openLanes(seconds.map((query) => ({ query })));
  await run(async () => await source.claim());
  return { lanes: [...source.claims.keys()], seconds: simulation.now / 1_000 };
}

// On a busy machine, claims in many lanes wait for the connections that they share. If a lane were left behind, it
// would be claimed again together with all the others, which would make the machine even busier.
it('claims a partition in all lanes, even if together they take longer to respond than one lane may take', async () => {
  const turns = [1, 2, 3, 4].map((turn) => turn * TURN_SECONDS);
  expect(await claim(turns)).toEqual({ lanes: [0, 1, 2, 3], seconds: 4 * TURN_SECONDS });
});

it('leaves a lane behind when no lane has responded within the time limit', async () => {
  const claimed = await claim([TURN_SECONDS, 2 * TURN_SECONDS, 600]);
  expect(claimed.lanes).toEqual([0, 1]);
  expect(claimed.seconds).toBeLessThanOrEqual(2 * TURN_SECONDS + 30);
});

it('leaves behind a lane that stores records too late, even after the lane has stored them', async () => {
  const { source, run, offsets } = openLanes([{}, { append: 100 }, {}]);
  await run(async () => await source.claim());
  await run(async () => {
    await source.append([], 5, null);
    await source.flush();
  });
  const others = [
    [0, 5],
    [2, 5],
  ];
  expect(offsets()).toEqual(others);
  await run(async () => await delay(200_000));
  expect(offsets()).toEqual(others);
});
